/** Tests of the wire: messages, ids, errors and statelessness (area BASE). */
import assert from "node:assert/strict";
import { SUPPORTED_VERSIONS } from "../../../protocol/dialects/mod.ts";
import { defineServer, prompt, resource, tool } from "../../../server/mod.ts";
import type { Context } from "../../../server/mod.ts";
import {
  ALL_CAPABILITIES,
  call,
  callTool,
  httpRequest,
  metaOfClient,
  metaWith,
  post,
  readReply,
  refused,
  request,
} from "../wire.ts";
import type { Json } from "../wire.ts";

const bare = defineServer({ name: "bare", version: "1" });

/** A server whose tools do what their names say; `ran` counts the calls. */
function createServer() {
  const ran: string[] = [];
  const contexts: Context[] = [];
  const run = (name: string, handler: (ctx: Context) => unknown) =>
    tool({
      name,
      args: {},
      handler: (_args, ctx) => {
        ran.push(name);
        contexts.push(ctx);
        return handler(ctx) as string;
      },
    });
  const server = defineServer({
    name: "base",
    version: "1",
    tools: [
      run("echo", () => "ok"),
      run("speak", async (ctx) => {
        await ctx.log("info", "a");
        await ctx.progress(1);
        return "done";
      }),
      run("throw", () => {
        throw new Error("secret /etc/passwd");
      }),
      run("say_meta", (ctx) => ({ structured: { meta: ctx.meta } })),
    ],
    resources: [resource({ uri: "a:b", name: "b", read: () => "x" })],
    prompts: [prompt({ name: "p", arguments: { a: {} }, complete: { a: () => ["1"] }, render: () => "x" })],
  });
  return { server, ran, contexts };
}

Deno.test("server.fetch() without any feature answers discover, refuses versions and accepts notifications (M-BASE-001, M-DISC-001)", async () => {
  assert.deepEqual((await call(bare, "server/discover")).result.supportedVersions, SUPPORTED_VERSIONS);
  refused(await call(bare, "server/discover", {}, metaWith({ "io.modelcontextprotocol/protocolVersion": "1" })), -32022, 400);
  refused(await call(bare, "tools/list"), -32601, 404);
  const { status, text } = await post(bare, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  assert.deepEqual([status, text], [202, ""]);
});

Deno.test("server.fetch() writes JSON-RPC 2.0 messages of the three shapes only (M-BASE-003)", async () => {
  const { server } = createServer();
  const meta = metaWith({ progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" });
  const replies = [
    await callTool(server, "speak", {}, meta),
    await callTool(server, "throw"),
    await call(server, "tools/list"),
    await call(server, "x/y"),
    await post(server, "{"),
    await server.fetch(new Request("http://localhost/")).then(readReply),
  ];
  for (const message of replies.flatMap(({ messages }) => messages)) {
    assert.equal(message.jsonrpc, "2.0");
    assert.equal(["method", "result", "error"].filter((member) => member in message).length, 1, JSON.stringify(message));
  }
});

Deno.test("server.fetch() answers requests under ids that are strings or integers, with the same id (M-BASE-004, M-BASE-007, B033)", async () => {
  const { server } = createServer();
  for (const id of ["1", "01", "", 0, -3, 1, "7", 7, 2 ** 53 - 1, "ä🦊"]) {
    const { last, status } = await call(server, "tools/list", {}, metaWith(), id);
    assert.equal(status, 200);
    assert.equal(last.id, id);
    assert.ok("result" in last);
  }
});

Deno.test("server.fetch() answers ids of other types with -32600 and 400, and never runs the method (M-BASE-004, M-BASE-005, B033)", async () => {
  const { server, ran } = createServer();
  for (const id of [null, true, 1.5, {}, []]) {
    refused(await call(server, "tools/call", { name: "echo" }, metaWith(), id), -32600, 400, null);
  }
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() refuses an id that JSON can not keep (M-BASE-007, B041)", async () => {
  const text = JSON.stringify(request("tools/list")).replace('"id":1', '"id":9007199254740993');
  refused(await post(createServer().server, text, { "mcp-method": "tools/list" }), -32600, 400, null);
});

Deno.test('server.fetch() keeps 1 and "1" apart while both run (M-BASE-007, B033)', async () => {
  const { server } = createServer();
  const replies = await Promise.all(["1", 1].map((id) => call(server, "tools/call", { name: "speak" }, metaWith(), id)));
  assert.deepEqual(replies.map(({ last }) => last.id), ["1", 1]);
});

Deno.test("server.fetch() gives every result a result member with a resultType (M-BASE-008, M-BASE-010)", async () => {
  const { server } = createServer();
  const calls: [string, Json][] = [
    ["server/discover", {}],
    ["tools/list", {}],
    ["tools/call", { name: "echo" }],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["resources/read", { uri: "a:b" }],
    ["prompts/list", {}],
    ["prompts/get", { name: "p" }],
    ["completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }],
  ];
  for (const [method, params] of calls) {
    const { last } = await call(server, method, params);
    assert.equal(last.result?.resultType, "complete", method);
  }
});

Deno.test("server.fetch() echoes the id of a request that fails, and leaves it out when it can not be read (M-BASE-015, M-SCHEMA-018, B032)", async () => {
  const { server } = createServer();
  refused(await call(server, "x/y", {}, metaWith(), "abc"), -32601, 404, "abc");
  refused(await call(server, "tools/call", { name: "nope" }, metaWith(), 0), -32602, 200, 0);
  refused(
    await post(server, request("tools/call", { name: "echo" }, metaWith(), "abc"), { "mcp-name": "other" }),
    -32020,
    400,
    "abc",
  );
  refused(await post(server, { jsonrpc: "2.0", id: 4, method: 7 }), -32600, 400, 4);
  refused(await post(server, { jsonrpc: "1.0", id: 4, method: "tools/list" }), -32600, 400, 4);
  refused(await post(server, { id: 4, method: "tools/list" }), -32600, 400, 4);
  refused(await post(server, { jsonrpc: "2.0", id: "a", method: "tools/list", params: [] }), -32600, 400, "a");
  for (const text of ["{", "[]", "null"]) assert.equal("id" in (await post(server, text)).last, false);
});

Deno.test("server.fetch() gives every error an integer code and a message (M-BASE-016, M-BASE-017)", async () => {
  const { server } = createServer();
  const replies = [
    await call(server, "x/y"),
    await callTool(server, "nope"),
    await callTool(server, "throw"),
    await post(server, "{"),
    await post(server, request("tools/list"), { "mcp-method": undefined }),
    await server.fetch(new Request("http://localhost/", { method: "DELETE" })).then(readReply),
  ];
  for (const { error } of replies) {
    assert.ok(Number.isInteger(error.code));
    assert.equal(typeof error.message, "string");
  }
});

Deno.test("server.handle() answers notifications with nothing, unknown and malformed ones included (M-BASE-019)", async () => {
  const { server } = createServer();
  const info = { connection: { transport: "stdio" }, onDisconnect: () => () => undefined } as const;
  for (
    const notification of [
      { method: "notifications/unheard" },
      { method: "notifications/cancelled" },
      { method: "notifications/cancelled", params: { requestId: null } },
      { method: "tools/call", params: { name: "echo" } },
      { method: "__proto__" },
    ]
  ) assert.equal(await server.handle({ jsonrpc: "2.0", ...notification }, info), undefined);
});

Deno.test("server.fetch() sends notifications without an id member (M-BASE-020)", async () => {
  const meta = metaWith({ progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" });
  const { messages } = await callTool(createServer().server, "speak", {}, meta);
  const notifications = messages.filter((message: Json) => "method" in message);
  assert.equal(notifications.length, 2);
  for (const notification of notifications) assert.equal("id" in notification, false);
});

Deno.test("server.fetch() refuses batches and runs none of their methods (M-ERR-002, B035)", async () => {
  const { server, ran } = createServer();
  const one = request("tools/call", { name: "echo" });
  for (const batch of [[one, { ...one, id: 2 }], [], [[]]]) {
    refused(await post(server, JSON.stringify(batch)), -32600, 400, null);
  }
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() refuses a response, which nothing waits for", async () => {
  assert.equal((await post(bare, { jsonrpc: "2.0", id: 1, result: {} })).status, 400);
});

Deno.test("server.fetch() treats the last of two equal keys as the value that its headers must name (B037)", async () => {
  const { server, ran } = createServer();
  const text = JSON.stringify(request("tools/call", { name: "echo" })).replace('"name":"echo"', '"name":"echo","name":"throw"');
  const headers = { "mcp-method": "tools/call", "mcp-name": "echo" };
  refused(await post(server, text, headers), -32020, 400);
  const look = JSON.stringify(request("tools/call", { name: "echo", Name: "throw" }));
  assert.equal((await post(server, look, headers)).status, 200);
  assert.deepEqual(ran, ["echo"]);
});

Deno.test("server.fetch() takes capabilities and identity from each request alone (M-BASE-025, M-META-013)", async () => {
  const { server, contexts } = createServer();
  await callTool(server, "echo", {}, metaOfClient(ALL_CAPABILITIES));
  await callTool(server, "echo", {}, { ...metaOfClient({}), "io.modelcontextprotocol/clientInfo": undefined });
  assert.deepEqual(contexts.map(({ client }) => client.capabilities), [ALL_CAPABILITIES, {}]);
  assert.deepEqual(contexts.map(({ client }) => client.info?.name), ["wire", undefined]);
});

Deno.test("server.fetch() passes reserved keys of _meta that it does not know untouched (M-META-001)", async () => {
  const odd = { "io.modelcontextprotocol/unheard": [1, { a: null }], "com.mcp/x": true };
  const { result } = await callTool(createServer().server, "say_meta", {}, metaWith(odd));
  assert.deepEqual(result.structuredContent.meta, metaWith(odd));
});

Deno.test("server.fetch() reads UTF-8 whose characters are split at every byte (M-BASE-040)", async () => {
  const { server } = createServer();
  const value = request("tools/call", { name: "say_meta" }, metaWith({ "com.example/text": "é→漢字🦊" }));
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  const { result } = await readReply(await server.fetch(new Request(httpRequest(value), { body })));
  assert.equal(result.structuredContent.meta["com.example/text"], "é→漢字🦊");
});

Deno.test("server.fetch() writes UTF-8 and refuses a body that is none (M-BASE-040)", async () => {
  const { server } = createServer();
  const value = request("tools/call", { name: "say_meta" }, metaWith({ "com.example/text": "🦊" }));
  const response = await server.fetch(httpRequest(value));
  assert.match(new TextDecoder("utf-8", { fatal: true }).decode(await response.arrayBuffer()), /🦊/);
  refused(await post(server, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])), -32700, 400, null);
});
