/** MCP servers that repeat the credentials of their callers, and every way to have credentials, for tests. */
import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { Client, HttpConnectOptions, JsonObject } from "../../../client/mod.ts";
import type { AuthProvider } from "../../../client/auth/mod.ts";
import { tasks } from "../../../client/extensions/tasks.ts";
import { assertNoSecret, shownOf } from "./shown_of.ts";

export const URL = "https://h.example/mcp";

/** Who sends credentials, each time with everything that it can send. All of them change, so that earlier ones are repeated too. */
export const CARRIERS: readonly (readonly [string, () => HttpConnectOptions])[] = [
  ["a token", () => ({ auth: "secret-token+of/one==" })],
  ["a function", () => {
    let count = 0;
    return { auth: () => `secret-function+token/${++count}==` };
  }],
  ["a provider with several headers", () => {
    let count = 0;
    const provider: AuthProvider = {
      credentials: () => ({
        headers: {
          authorization: `DPoP secret-bound+token/${count}==`,
          dpop: `secret-proof-${++count}-${crypto.randomUUID()}`,
          "x-api-key": "secret-api-key",
        },
      }),
      challenged: () => false,
    };
    return { auth: provider };
  }],
  ["headers", () => ({ headers: { authorization: "Bearer secret-given+token/1==", cookie: "secret-cookie-value" } })],
];

export const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;
export type Revision = (typeof REVISIONS)[number];

export interface Asked {
  readonly id: unknown;
  readonly method: string;
  readonly params: JsonObject;
  readonly verb: string;
  /** All credentials that came so far, in every form. */
  readonly said: string;
  readonly version: Revision;
}

export type Answer = (asked: Asked) => Response | undefined;

/** Wraps a message, or several, into an answer. */
export const SHAPES: readonly (readonly [string, (messages: readonly JsonObject[], status?: number) => Response])[] = [
  ["JSON", (messages, status = 200) => Response.json(messages.at(-1), { status })],
  ["SSE", (messages, status = 200) => {
    if (status !== 200) return Response.json(messages.at(-1), { status });
    const text = messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join("");
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  }],
];

/** A server that answers as usual what the test does not answer; a `fetch` in this process. */
export function echoing(version: Revision, answer: Answer): typeof globalThis.fetch {
  const heard = new Set<string>();
  return async (input, init) => {
    const request = new Request(input, init);
    for (const name of ["authorization", "dpop", "x-api-key", "cookie"]) {
      const value = request.headers.get(name);
      if (value !== null) heard.add(value);
    }
    // The newest first, because texts are shortened.
    const said = [...heard].reverse().flatMap((one) => [one, encodeURIComponent(one)]).join(" ");
    const { id, method = "", params = {} } = request.method === "POST" ? JSON.parse(await request.text()) : {};
    const given = answer({ id, method, params, verb: request.method, said, version });
    if (given !== undefined) return given;
    if (request.method !== "POST") return new Response(null, { status: 405 });
    if (id === undefined) return new Response(null, { status: 202 });
    const capabilities = {
      tools: { listChanged: true },
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      logging: {},
    };
    const results: Readonly<Record<string, JsonObject>> = {
      "server/discover": { supportedVersions: [version], capabilities: { ...capabilities, extensions: { [tasks.id]: {} } } },
      "tools/list": { tools: [] },
      initialize: { protocolVersion: version, capabilities, serverInfo: { name: "echo", version: "1" } },
    };
    const result = results[method] ?? { content: [{ type: "text", text: said }] };
    const headers: HeadersInit = method === "initialize" ? { "mcp-session-id": "s1" } : {};
    return Response.json({ jsonrpc: "2.0", id, result }, { headers });
  };
}

/** An error that holds everything, everywhere. */
export function refusal({ id, said }: Pick<Asked, "id" | "said">, code = -32000): JsonObject {
  const data = { said, list: [said, { deep: { [said]: said } }], [said]: 1 };
  return { jsonrpc: "2.0", id, error: { code, message: `Refused: ${said}`, data } } as JsonObject;
}

/** What is told beside what rejects. */
export interface Heard {
  readonly told: unknown[];
  readonly seen: unknown[];
}

export async function connected(version: Revision, carrier: HttpConnectOptions, answer: Answer, heard: Heard): Promise<Client> {
  return await connect(URL, {
    ...carrier,
    protocol: version,
    fetch: echoing(version, answer),
    extensions: [tasks],
    getStream: false,
    onError: (error) => void heard.told.push(error),
    use: [async (request, next) => {
      try {
        return await next(request);
      } catch (error) {
        heard.seen.push(error);
        throw error;
      }
    }],
  });
}

/** Looks at everything. `some`: the error must have had something to hide. */
export async function assertSilent(doing: Promise<unknown>, { told, seen }: Heard, some: boolean): Promise<void> {
  await assert.rejects(doing, (error) => {
    assertNoSecret(error);
    if (some) assert.match(shownOf(error), /\*\*\*/, `nothing was repeated: ${error}`);
    return true;
  });
  for (const error of [...told, ...seen]) assertNoSecret(error);
}

export const fits = (version: Revision, only: "stateless" | "handshake" | undefined): boolean =>
  only === undefined || (only === "stateless") === (version === "2026-07-28");

export async function everywhere(
  t: Deno.TestContext,
  run: (version: Revision, carrier: HttpConnectOptions, shape: (typeof SHAPES)[number][1]) => Promise<void>,
): Promise<void> {
  for (const version of REVISIONS) {
    for (const [name, carrier] of CARRIERS) {
      for (const [type, shape] of SHAPES) await t.step(`${version}, ${name}, ${type}`, () => run(version, carrier(), shape));
    }
  }
}
