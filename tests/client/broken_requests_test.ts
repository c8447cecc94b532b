/** Tests of requests of a server that are broken: each gets an answer, over every carrier. */
import assert from "node:assert/strict";
import { connect, lines, textOf } from "../../client/mod.ts";
import type { Channel, ConnectOptions, JsonObject, JsonRpcMessage, Target } from "../../client/mod.ts";
import type { Served } from "../../transports/transport.ts";
import { oldPeer } from "./old_peer.ts";
import { brokenAsker, QUESTIONS, UNDECLARED } from "./programs/broken_asker.ts";

const REVISIONS = ["2025-11-25", "2025-06-18"] as const;
type Revision = (typeof REVISIONS)[number];

const ALL: typeof QUESTIONS = [...QUESTIONS, ...UNDECLARED];
const TEXTS = ALL.map(([text]) => text);

/** Calls the tool, and checks the answers that the server got and what was told here. */
async function check(target: Target | Served, revision: Revision, asValues = false, asked = ALL): Promise<void> {
  const faults: Error[] = [];
  const options: ConnectOptions = {
    protocol: revision,
    limits: { requestTimeout: 10_000 },
    onError: (error) => void faults.push(error as Error),
    inputs: {
      form: () => ({ action: "decline" }),
      sampling: () => ({ role: "assistant", content: { type: "text", text: "ho" }, model: "m" }),
      roots: [],
    },
  };
  await using client = await connect(target as Target, options);
  const answers = JSON.parse(textOf(await client.callTool("x"))) as JsonObject[];
  asked.forEach(([text, code, words], index) => {
    const answer = answers.find(({ id }) => id === `q${index}`);
    assert.ok(answer !== undefined, `no answer to ${text}`);
    // Where values travel, no text is read that could nest too deep.
    if (asValues && words.startsWith("limit ")) return assert.deepEqual(answer.result, { roots: [] });
    if (words === "") return assert.deepEqual(answer.result, {}, text);
    // 2025-06-18 has no modes: a question without a schema is broken there.
    const { code: got, message } = answer.error as JsonObject;
    assert.equal(got, code, text);
    if (words !== "mode") assert.ok(String(message).includes(words), `${message} for ${text}`);
  });
  const told = faults.map(({ message }) => message);
  for (const [text, code, words] of asked) {
    if (UNDECLARED.some(([own]) => own === text)) continue;
    if (code === 0 || code === -32601 || (asValues && words.startsWith("limit "))) continue;
    assert.ok(told.some((message) => message.includes(words)), `${words} (${text}) is not told`);
  }
}

function pair<T>(): {
  client: { readable: ReadableStream<T>; writable: WritableStream<T> };
  readable: ReadableStream<T>;
  write: (value: T) => void;
} {
  const up = new TransformStream<T, T>();
  const down = new TransformStream<T, T>(undefined, undefined, { highWaterMark: 1000 });
  const writer = down.writable.getWriter();
  return {
    client: { readable: down.readable, writable: up.writable },
    readable: up.readable,
    write: (value) => void writer.write(value).catch(() => undefined),
  };
}

/** A server behind a channel of messages. */
function messageChannel(revision: Revision): Channel {
  const { client, readable, write } = pair<JsonRpcMessage>();
  const take = brokenAsker(revision, TEXTS);
  void (async () => {
    for await (const message of readable) take(message as unknown as JsonObject, (text) => write(JSON.parse(text)));
  })();
  return client;
}

/** A server behind a channel of lines. */
function lineChannel(revision: Revision): Channel {
  const { client, readable, write } = pair<Uint8Array<ArrayBuffer>>();
  const take = brokenAsker(revision, TEXTS);
  void (async () => {
    let rest = "";
    for await (const chunk of readable.pipeThrough(new TextDecoderStream())) {
      const all = (rest + chunk).split("\n");
      rest = all.pop() ?? "";
      for (const line of all) take(JSON.parse(line), (text) => write(new TextEncoder().encode(`${text}\n`)));
    }
  })();
  return lines(client);
}

/** A server on a socket, that asks on the stream of the call or on that of GET. */
function site(revision: Revision, asksOn: "call" | "get"): { readonly url: string; close(): Promise<void> } {
  const take = brokenAsker(revision, TEXTS);
  let onCall = (_text: string): void => undefined;
  let onGet = (_text: string): void => undefined;
  let opened = (): void => undefined;
  const listening = new Promise<void>((resolve) => opened = resolve);
  const stream = (use: (write: (text: string, last: boolean) => void) => void): Response => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        use((text, last) => {
          controller.enqueue(new TextEncoder().encode(`data: ${text}\n\n`));
          if (last) controller.close();
        });
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, async (request) => {
    if (request.method === "GET") {
      if (asksOn === "call") return new Response(null, { status: 405 });
      return stream((write) => {
        onGet = (text) => write(text, false);
        opened();
      });
    }
    if (request.method === "DELETE") return new Response(null, { status: 200 });
    const message = await request.json() as JsonObject;
    if (message.method === "tools/call") {
      if (asksOn === "get") await listening;
      return stream((write) => {
        onCall = (text) => write(text, !text.includes('"method"'));
        take(message, (text) => asksOn === "get" && text.includes('"method"') ? onGet(text) : onCall(text));
      });
    }
    let answer: string | undefined;
    take(message, (text) => message.method === undefined ? onCall(text) : answer = text);
    if (answer === undefined) return new Response(null, { status: 202 });
    return new Response(answer, { headers: { "content-type": "application/json", "mcp-session-id": "s" } });
  });
  return { url: `http://127.0.0.1:${server.addr.port}/mcp`, close: () => server.shutdown() };
}

for (const revision of REVISIONS) {
  Deno.test(`a client of ${revision} answers every request of the server that has an id, broken ones too, and tells of them: a channel of messages`, async () => {
    await check(messageChannel(revision), revision, true);
  });

  Deno.test(`a client of ${revision} answers every request of the server that has an id, broken ones too, and tells of them: one process`, async () => {
    // A server of somebody else, which hands on what it likes.
    const asked = QUESTIONS.filter(([text]) => !text.includes('"method":7') && !text.includes("deep"));
    const take = brokenAsker(revision, asked.map(([text]) => text));
    let answered = (_answer: JsonRpcMessage): void => undefined;
    const server: Served = {
      handle(message, { connection: { session } }) {
        return new Promise((resolve) => {
          const isCall = "method" in message && message.method === "tools/call";
          if (isCall) answered = resolve;
          let answer: JsonRpcMessage | undefined;
          take(message as unknown as JsonObject, (text) => {
            const given = JSON.parse(text);
            if ("method" in given) void session?.send(given);
            else if ("method" in message) answer = given;
            else answered(given);
          });
          if (!isCall) resolve(answer);
        });
      },
    };
    await check(server, revision, true, asked);
  });

  Deno.test(`a client of ${revision} answers every request of the server that has an id, broken ones too, and tells of them: lines`, async () => {
    await check(lineChannel(revision), revision);
  });

  Deno.test(`a client of ${revision} answers every request of the server that has an id, broken ones too, and tells of them: stdio`, async () => {
    const program = new URL("./programs/broken_asker.ts", import.meta.url).pathname;
    await check({ command: Deno.execPath(), args: ["run", "--no-check", program, revision, JSON.stringify(TEXTS)] }, revision);
  });

  for (const on of ["call", "get"] as const) {
    Deno.test(`a client of ${revision} answers every request of the server that has an id, broken ones too, and tells of them: HTTP, stream of ${on}`, async () => {
      const { url, close } = site(revision, on);
      try {
        await check(url, revision);
      } finally {
        await close();
      }
    });
  }
}

Deno.test("a client of 2025-11-25 answers a question with tools that it did not declare with -32602, and tells of it", async () => {
  const peer = oldPeer();
  const faults: Error[] = [];
  let calls = 0;
  const inputs: ConnectOptions["inputs"] = {
    sampling: () => {
      calls++;
      return { role: "assistant", content: { type: "text", text: "ho" }, model: "m" };
    },
  };
  const onError = (error: unknown): void => void faults.push(error as Error);
  await using _client = await connect(peer.channel, { protocol: "2025-11-25", inputs, onError });
  peer.send({ id: "t", method: "sampling/createMessage", params: { messages: [], maxTokens: 1, tools: [] } });
  const { code, message } = (await peer.response("t")).error as JsonObject;
  assert.equal(code, -32602);
  assert.match(String(message), /sampling\.tools is not declared/);
  assert.match(faults.map((fault) => fault.message).join(), /sampling\/createMessage.*sampling\.tools is not declared/);
  assert.equal(calls, 0);
});

Deno.test("a client of the stateless revision tells of a broken request of the server, and does not answer it", async () => {
  const { client: channel, readable, write } = pair<JsonRpcMessage>();
  const received: JsonObject[] = [];
  void (async () => {
    for await (const message of readable) {
      received.push(message as unknown as JsonObject);
      if (!("method" in message) || !("id" in message)) continue;
      if (message.method === "tools/call") write({ jsonrpc: "2.0", id: "q", method: "roots/list", params: "x" } as never);
      const discovered = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
      const result = message.method === "server/discover" ? discovered : { content: [] };
      write({ jsonrpc: "2.0", id: message.id, result: { resultType: "complete", ...result } } as JsonRpcMessage);
    }
  })();
  const faults: Error[] = [];
  await using client = await connect(channel, { protocol: "2026-07-28", onError: (error) => void faults.push(error as Error) });
  await client.callTool("x");
  await client.callTool("x");
  assert.match(faults.map((fault) => fault.message).join(), /params must be an object/);
  assert.deepEqual(received.filter((message) => message.method === undefined), []);
});
