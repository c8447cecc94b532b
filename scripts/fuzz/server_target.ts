/** A fuzz target that answers what clients send: a whole server, over HTTP without a socket. */
import { isResponse, parseMessage } from "../../protocol/json_rpc.ts";
import { defineServer } from "../../server/server.ts";
import type { Server } from "../../server/server_types.ts";
import { prompt } from "../../server/components/prompt.ts";
import { resource } from "../../server/components/resource.ts";
import { tool } from "../../server/components/tool.ts";
import { anyDialect, writtenCall } from "./messages.ts";
import { mutateJson, mutateText } from "./random.ts";
import type { Random } from "./random.ts";
import { must, target } from "./target.ts";

interface HttpInput {
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

/** A server: whatever is sent, the answer is an HTTP response, and no error of the server's own. */
export const SERVER = target<HttpInput>({
  name: "a server and its clients",
  weight: 4,
  make(random) {
    const { message, headers } = writtenCall(random, anyDialect(random));
    const changed = JSON.stringify(mutateJson(random, message, 2));
    const usual: readonly (readonly [string, string])[] = [
      ["content-type", "application/json"],
      ["accept", "application/json, text/event-stream"],
      ...headers,
    ];
    const method = random.oneIn(8) ? random.pick(["GET", "DELETE", "OPTIONS", "PUT", "HEAD"]) : "POST";
    return {
      method,
      headers: usual.map(([name, value]) => [name, random.oneIn(8) ? visible(mutateText(random, value, 2)) : value] as const)
        .filter(() => !random.oneIn(12)).concat(random.oneIn(4) ? [oddHeader(random)] : []),
      body: method === "POST" || method === "PUT" ? random.oneIn(6) ? mutateText(random, changed, 3) : changed : undefined,
    };
  },
  async check({ method, headers, body }) {
    const abort = new AbortController();
    const request = new Request("http://localhost/mcp", {
      method,
      headers: headersOf(headers),
      signal: abort.signal,
      ...(body === undefined ? {} : { body }),
    });
    const response = await served().fetch(request);
    must(response.status !== 500 && response.status < 600, `the server is not at fault: ${response.status}`);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream) {
      // A stream of changes never ends by itself.
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      abort.abort();
      return;
    }
    const text = await response.text();
    if (text === "") return;
    const read = parseMessage(text, { jsonDepth: 64, jsonElements: 100_000 });
    must(read.ok && isResponse(read.message), "a body is a JSON-RPC response");
    if (!("error" in read.message)) return;
    const { code, message } = read.message.error;
    must(code !== -32603 || message.startsWith("Capacity reached"), `no input is an internal error: ${message}`);
  },
});

function oddHeader(random: Random): readonly [string, string] {
  return random.pick([
    ["mcp-session-id", visible(mutateText(random, "abcdefghijklmnopqrstuv", 3))],
    ["origin", random.pick(["http://localhost:1", "https://evil.example", "null", "x"])],
    ["last-event-id", "x-1"],
    ["mcp-protocol-version", random.pick(["2025-06-18", "1999-01-01", ""])],
    ["content-length", random.pick(["0", "-1", "999999999999", "1e3"])],
    ["mcp-method", "tools/call"],
    ["host", random.pick(["evil.example", "localhost", "[::1]:80"])],
  ]);
}

function visible(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}

function headersOf(pairs: readonly (readonly [string, string])[]): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs) headers.append(name, value);
  return headers;
}

let made: Server | undefined;

/** One server for all inputs: what one of them leaves behind must not harm the next. */
function served(): Server {
  made ??= defineServer({
    name: "fuzz",
    version: "1.0.0",
    sessions: true,
    stateKeys: ["a key of this run, long enough"],
    limits: { sessions: 4, sessionsPerPrincipal: 4 },
    tools: [tool({
      name: "echo",
      args: { text: { type: "string", minLength: 1 }, n: { type: "integer" } },
      handler: (args) => ({ structured: { ...args } }),
    })],
    resources: [resource({ uri: "app://items/{id}", name: "item", read: ({ id }) => ({ id }) })],
    prompts: [prompt({ name: "hello", arguments: { name: { required: true } }, render: ({ name }) => `Hello, ${name}` })],
  });
  return made;
}

/** Ends the server. */
export async function closeServed(): Promise<void> {
  await made?.close();
  made = undefined;
}
