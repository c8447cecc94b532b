/** Tests of the wire: the endpoint, statuses and streams of Streamable HTTP (area HTTP, and what cancels there). */
import assert from "node:assert/strict";
import { ask, defineServer, inputRequired, prompt, resource, tool } from "../../../server/mod.ts";
import type { Context } from "../../../server/mod.ts";
import { until } from "../../until.ts";
import {
  ALL_CAPABILITIES,
  call,
  callTool,
  httpRequest,
  metaOfClient,
  metaWith,
  open,
  post,
  readReply,
  refused,
  request,
} from "../wire.ts";
import type { Json } from "../wire.ts";

/** A server whose tool `wait` speaks, then waits until the test opens its gate; contexts are kept by name. */
function createServer(options: Json = {}) {
  const contexts = new Map<string, Context>();
  const gates = new Map<string, () => void>();
  const server = defineServer({
    name: "http",
    version: "1",
    ...options,
    tools: [
      tool({ name: "now", handler: () => "now" }),
      tool({
        name: "wait",
        args: { as: { type: "string", required: true }, quiet: { type: "boolean" } },
        handler: async ({ as, quiet }, ctx) => {
          contexts.set(as, ctx);
          if (!quiet) await ctx.progress(1, 2, as);
          await new Promise<void>((resolve) => gates.set(as, resolve));
          await ctx.progress(2, 2, as);
          return as;
        },
      }),
      tool({ name: "ask", handler: () => inputRequired({ a: ask.roots(), b: ask.url("?", "https://example.com") }) }),
    ],
    resources: [resource({ uri: "a:b", name: "b", read: () => "x" })],
    prompts: [prompt({ name: "p", render: () => "x" })],
  });
  return { server, contexts, pass: (as: string) => gates.get(as)?.(), reached: (as: string) => until(() => gates.has(as)) };
}

const wait = (as: string, more: Json = {}): Json =>
  request("tools/call", { name: "wait", arguments: { as, ...more } }, metaWith({ progressToken: `token of ${as}` }), as);

Deno.test("server.fetch() answers every method at one path that takes POST (M-HTTP-001)", async () => {
  const { server } = createServer({ path: "/mcp" });
  for (const method of ["server/discover", "tools/list", "resources/list", "prompts/list", "resources/templates/list"]) {
    assert.equal((await call(server, method)).status, 200);
  }
  assert.equal((await server.fetch(new Request("http://localhost/other", httpRequest(request("tools/list"))))).status, 404);
});

Deno.test("server.fetch() answers every HTTP method but POST with 405 and Allow", async () => {
  for (const method of ["GET", "DELETE", "PUT", "PATCH", "HEAD"]) {
    const response = await createServer().server.fetch(new Request("http://localhost/mcp", { method }));
    assert.deepEqual([response.status, response.headers.get("allow")], [405, "POST"]);
    await response.body?.cancel();
  }
});

Deno.test("server.fetch() refuses foreign origins with 403, whatever the HTTP method (M-HTTP-002, M-HTTP-003)", async () => {
  const { server } = createServer({ origins: ["https://app.example.com"] });
  for (
    const origin of [
      "http://evil.example",
      "null",
      "https://app.example.com:444",
      "http://app.example.com",
      "https://app.example.com.evil.example",
    ]
  ) {
    assert.equal((await post(server, request("tools/list"), { origin })).status, 403, origin);
    for (const method of ["GET", "DELETE", "OPTIONS"]) {
      const response = await server.fetch(new Request("http://localhost/mcp", { method, headers: { origin } }));
      assert.equal(response.status, 403, `${method} ${origin}`);
      await response.body?.cancel();
    }
  }
});

Deno.test("server.fetch() lets the allowed origin, loopback and requests without an origin pass (M-HTTP-003)", async () => {
  const { server } = createServer({ origins: ["https://app.example.com"] });
  for (const origin of [undefined, "https://app.example.com", "http://localhost:3000", "http://127.0.0.1"]) {
    assert.equal((await post(server, request("tools/list"), { origin })).status, 200);
  }
});

Deno.test("server.fetch() runs nothing for a request from a foreign origin (M-HTTP-002)", async () => {
  const { server, contexts } = createServer();
  await post(server, wait("a"), { origin: "http://evil.example" });
  assert.equal(contexts.size, 0);
});

Deno.test("server.fetch() answers an accepted notification with 202 and no body (M-HTTP-012)", async () => {
  for (const message of [{ method: "notifications/cancelled", params: { requestId: 1 } }, { method: "com.example/custom" }]) {
    const reply = await post(createServer().server, { jsonrpc: "2.0", ...message });
    assert.deepEqual([reply.status, reply.text], [202, ""]);
  }
});

Deno.test("server.fetch() answers a notification that it can not accept with an error status (M-HTTP-013)", async () => {
  for (
    const message of [{ jsonrpc: "1.0", method: "a" }, { jsonrpc: "2.0", method: 1 }, { jsonrpc: "2.0", method: "a", params: [] }]
  ) {
    assert.equal((await post(createServer().server, message)).status, 400);
  }
});

Deno.test("server.fetch() answers a request with one JSON object, or with a stream that ends in the response (M-HTTP-015)", async () => {
  const { server, pass, reached } = createServer();
  const plain = await callTool(server, "now");
  assert.equal(plain.headers.get("content-type"), "application/json");
  assert.equal(plain.messages.length, 1);
  const streaming = server.fetch(httpRequest(wait("a")));
  await reached("a");
  pass("a");
  const reply = await readReply(await streaming);
  assert.equal(reply.headers.get("content-type"), "text/event-stream");
  assert.deepEqual(reply.messages.map((message: Json) => message.method ?? message.id), [
    "notifications/progress",
    "notifications/progress",
    "a",
  ]);
});

Deno.test("server.fetch() tells proxies not to buffer or keep a stream", async () => {
  const { server, pass, reached } = createServer();
  const response = await server.fetch(httpRequest(wait("a")));
  assert.deepEqual([response.headers.get("x-accel-buffering"), response.headers.get("cache-control")], ["no", "no-store"]);
  await reached("a");
  pass("a");
  await response.text();
});

Deno.test("server.fetch() keeps the notifications of two calls on the streams of their requests (M-HTTP-018)", async () => {
  const { server, pass, reached } = createServer();
  const streams = await Promise.all(["a", "b"].map((as) => open(server, wait(as))));
  await Promise.all(["a", "b"].map(reached));
  ["b", "a"].forEach(pass);
  for (const [at, as] of ["a", "b"].entries()) {
    const messages = await streams[at]?.rest() ?? [];
    const tokens = messages.flatMap(({ params }) => params === undefined ? [] : [params.progressToken]);
    assert.deepEqual(tokens, [`token of ${as}`, `token of ${as}`]);
    assert.equal(messages.at(-1).result.content[0].text, as);
  }
});

Deno.test("server.fetch() sends no request of the server, not even while tools ask (M-HTTP-019, M-BASE-021, M-MRTR-002)", async () => {
  const { server } = createServer();
  const meta = metaOfClient(ALL_CAPABILITIES, { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" });
  const { messages, result } = await callTool(server, "ask", {}, meta);
  assert.equal(result.resultType, "input_required");
  for (const message of messages) assert.equal("method" in message && "id" in message, false);
});

Deno.test("server.fetch() numbers no events and pays no heed to Last-Event-ID (M-HTTP-024)", async () => {
  const { server, pass, reached } = createServer();
  const response = server.fetch(httpRequest(wait("a"), { "last-event-id": "7" }));
  await reached("a");
  pass("a");
  const { text, messages } = await readReply(await response);
  assert.equal(/^id:/m.test(text), false);
  assert.equal(messages.length, 3);
});

Deno.test("server.fetch() aborts the handler when the client leaves the stream (M-CANC-005)", async () => {
  const { server, contexts, pass, reached } = createServer();
  const stream = await open(server, wait("a"));
  await reached("a");
  const { signal } = contexts.get("a") as Context;
  assert.equal(signal.aborted, false);
  await stream.leave();
  await until(() => signal.aborted);
  pass("a");
});

Deno.test("server.fetch() aborts the handler when the client goes before anything was written (M-CANC-005)", async () => {
  const { server, contexts, pass, reached } = createServer();
  const gone = new AbortController();
  const response = server.fetch(httpRequest(wait("a", { quiet: true }), {}, { signal: gone.signal }));
  await reached("a");
  const { signal } = contexts.get("a") as Context;
  gone.abort();
  assert.equal(signal.aborted, true);
  pass("a");
  await (await response).body?.cancel();
});

Deno.test("server.fetch() sends nothing more for a request whose stream was closed, not on other streams either (M-HTTP-027)", async () => {
  const { server, contexts, pass, reached } = createServer();
  const [left, other] = [await open(server, wait("left")), await open(server, wait("other"))];
  await Promise.all(["left", "other"].map(reached));
  await left.leave();
  await contexts.get("left")?.progress(1.5);
  pass("left");
  await contexts.get("other")?.progress(1.5);
  pass("other");
  const messages = await other.rest();
  assert.deepEqual(messages.map(({ id, params }) => id ?? params.progressToken), Array(3).fill("token of other").concat("other"));
  assert.equal(await left.next(), undefined);
});

Deno.test("server.handle() ends the stream of a request whose reader left (M-HTTP-027)", async () => {
  const { server, contexts, pass, reached } = createServer();
  const info = { connection: { transport: "http" }, onDisconnect: () => () => undefined } as const;
  const answer = await server.handle(wait("a"), info) as AsyncIterableIterator<Json>;
  assert.equal((await answer.next()).value.params.progress, 1);
  await reached("a");
  await answer.return?.();
  await contexts.get("a")?.progress(1.5);
  pass("a");
  assert.deepEqual(await answer.next(), { done: true, value: undefined });
});

Deno.test("server.fetch() cancels nothing because of a posted notification, since ids belong to each client alone", async () => {
  const { server, contexts, pass, reached } = createServer();
  const stream = await open(server, wait("a"));
  await reached("a");
  await post(server, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } });
  assert.equal(contexts.get("a")?.signal.aborted, false);
  pass("a");
  assert.equal((await stream.rest()).at(-1).result.content[0].text, "a");
});

Deno.test("server.fetch() answers an unsupported version with 400 (M-HTTP-028)", async () => {
  const meta = metaWith({ "io.modelcontextprotocol/protocolVersion": "1900-01-01" });
  refused(await callTool(createServer().server, "now", {}, meta), -32022, 400);
});

Deno.test("server.fetch() answers an unknown method with 404 and -32601 (M-HTTP-029)", async () => {
  for (const method of ["x/y", "initialize"]) refused(await call(createServer().server, method), -32601, 404);
});

Deno.test("server.fetch() answers alike whatever was asked before, and gives no session (M-HTTP-043, M-BASE-030, M-TOOL-008, M-TOOL-009, M-RES-005, M-RES-006, M-PROMPT-004, M-PROMPT-005)", async () => {
  const { server } = createServer();
  const lists = async (): Promise<string[]> => {
    const texts: string[] = [];
    for (const method of ["server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"]) {
      const { text, headers } = await post(server, request(method), { "mcp-session-id": crypto.randomUUID() });
      assert.equal(headers.has("mcp-session-id"), false);
      texts.push(text);
    }
    return texts;
  };
  const before = await lists();
  await callTool(server, "now");
  await call(server, "resources/read", { uri: "a:b" });
  await call(server, "prompts/get", { name: "p" });
  await callTool(server, "ask", {}, metaOfClient(ALL_CAPABILITIES));
  assert.deepEqual(await lists(), before);
});

Deno.test("server.handle() gives handlers nothing that two requests of a connection share (M-BASE-030)", async () => {
  const { server, contexts, pass, reached } = createServer();
  const info = { connection: { transport: "memory" }, onDisconnect: () => () => undefined } as const;
  const running = ["a", "b"].map((as) => server.handle(wait(as, { quiet: true }), info));
  await Promise.all(["a", "b"].map(reached));
  const [a, b] = [contexts.get("a"), contexts.get("b")] as [Context, Context];
  assert.notEqual(a, b);
  for (const name of ["connection", "session", "sessionId", "store"]) assert.equal(name in a, false);
  Object.assign(a, { kept: 1 });
  assert.equal("kept" in b, false);
  ["a", "b"].forEach(pass);
  await Promise.all(running);
});

Deno.test("server.fetch() refuses other content types with 415, and clients that take no JSON with 406", async () => {
  const { server } = createServer();
  assert.equal((await post(server, request("tools/list"), { "content-type": "text/plain" })).status, 415);
  assert.equal((await post(server, request("tools/list"), { accept: "text/html" })).status, 406);
  assert.equal((await post(server, request("tools/list"), { "content-type": "Application/JSON; charset=utf-8" })).status, 200);
});
