/** Tests of the wire: `_meta`, versions and discovery (areas META, VER and DISC). */
import assert from "node:assert/strict";
import { SUPPORTED_VERSIONS } from "../../../protocol/dialects/mod.ts";
import { ask, defineServer, inputRequired, prompt, resource, tool } from "../../../server/mod.ts";
import { call, callTool, metaOfClient, metaWith, post, refused, request } from "../wire.ts";
import type { Json } from "../wire.ts";

const asking = (questions: Json) => () => inputRequired(questions);

const server = defineServer({
  name: "meta",
  version: "2",
  title: "Meta",
  instructions: "Be kind",
  tools: [
    tool({ name: "form", handler: asking({ a: ask.form("?", { b: { type: "string" } }) }) }),
    tool({ name: "url", handler: asking({ a: ask.url("?", "https://example.com") }) }),
    tool({
      name: "both",
      handler: asking({ a: ask.form("?", { b: { type: "string" } }), b: ask.url("?", "https://example.com") }),
    }),
    tool({ name: "sample", handler: asking({ a: ask.sampling({ messages: [], maxTokens: 1 }) }) }),
    tool({ name: "roots", handler: asking({ a: ask.roots() }) }),
    tool({
      name: "late",
      handler: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return inputRequired({ a: ask.roots() });
      },
    }),
  ],
  resources: [resource({ uri: "a:b", name: "b", read: () => "x" })],
  prompts: [prompt({ name: "p", render: () => "x" })],
  cache: { discover: { ttlMs: 60_000, cacheScope: "public" } },
});

const METHODS: [string, Json][] = [
  ["server/discover", {}],
  ["tools/list", {}],
  ["tools/call", { name: "form" }],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "a:b" }],
  ["prompts/list", {}],
  ["prompts/get", { name: "p" }],
  ["subscriptions/listen", { notifications: {} }],
];

Deno.test("server.fetch() refuses requests without params or _meta with -32602 and 400, lists and discovery too (M-META-010, M-META-011, M-META-023)", async () => {
  for (const [method, params] of METHODS) {
    const headers = { "mcp-name": params.name ?? params.uri };
    refused(await post(server, { jsonrpc: "2.0", id: 1, method, params }, headers), -32602, 400);
    refused(await post(server, { jsonrpc: "2.0", id: 1, method }, { "mcp-name": "form" }), -32602, 400);
  }
});

Deno.test("server.fetch() refuses a request whose _meta lacks the version with -32602 and 400 (M-META-010, M-META-011)", async () => {
  const meta = metaWith({ "io.modelcontextprotocol/protocolVersion": undefined });
  for (const [method, params] of METHODS) refused(await call(server, method, params, meta), -32602, 400);
});

Deno.test("server.fetch() refuses a request whose _meta lacks the capabilities with -32602 and 400 (M-META-010, M-META-011)", async () => {
  const meta = metaWith({ "io.modelcontextprotocol/clientCapabilities": undefined });
  for (const [method, params] of METHODS) refused(await call(server, method, params, meta), -32602, 400);
});

Deno.test("server.fetch() answers a tool that needs an undeclared capability with -32021 and 400 (M-META-013, M-META-014, M-META-016)", async () => {
  for (const name of ["form", "url", "sample", "roots"]) refused(await callTool(server, name), -32021, 400);
});

Deno.test("server.fetch() answers -32021 with 400 also when the need shows late (M-META-016)", async () => {
  refused(await callTool(server, "late"), -32021, 400);
});

Deno.test("server.fetch() names what is missing as an object of capabilities (M-META-015)", async () => {
  const missing = async (name: string, capabilities: Json): Promise<Json> =>
    refused(await callTool(server, name, {}, metaOfClient(capabilities)), -32021, 400).data;
  assert.deepEqual(await missing("form", {}), { requiredCapabilities: { elicitation: { form: {} } } });
  assert.deepEqual(await missing("url", { elicitation: { form: {} } }), { requiredCapabilities: { elicitation: { url: {} } } });
  assert.deepEqual(await missing("both", {}), { requiredCapabilities: { elicitation: { form: {}, url: {} } } });
  assert.deepEqual(await missing("sample", { roots: {} }), { requiredCapabilities: { sampling: {} } });
  assert.deepEqual(await missing("roots", { sampling: {} }), { requiredCapabilities: { roots: {} } });
});

Deno.test("server.fetch() asks once the capability is declared (M-META-014)", async () => {
  const { result } = await callTool(server, "roots", {}, metaOfClient({ roots: {} }));
  assert.equal(result.resultType, "input_required");
});

Deno.test("server.fetch() answers versions that it does not serve with -32022 and 400, known and unknown ones (M-VER-001, M-HTTP-028)", async () => {
  for (const version of ["1900-01-01", "2025-11-25", "2025-06-18", "2099-01-01", "latest"]) {
    for (const [method, params] of METHODS) {
      refused(await call(server, method, params, metaWith({ "io.modelcontextprotocol/protocolVersion": version })), -32022, 400);
    }
  }
});

Deno.test("server.fetch() lists the served versions and repeats the refused one (M-VER-002, M-VER-003)", async () => {
  const reply = await call(server, "tools/list", {}, metaWith({ "io.modelcontextprotocol/protocolVersion": "1900-01-01" }));
  assert.deepEqual(reply.error.data, { supported: SUPPORTED_VERSIONS, requested: "1900-01-01" });
});

Deno.test("server.fetch() answers discovery on a version that is not served with -32022 (M-DISC-009)", async () => {
  refused(
    await call(server, "server/discover", {}, metaWith({ "io.modelcontextprotocol/protocolVersion": "1900-01-01" })),
    -32022,
    400,
  );
});

Deno.test("server.fetch() serves a modern request at first, without a handshake (M-VER-022)", async () => {
  const fresh = defineServer({ name: "fresh", version: "1", tools: [tool({ name: "t", handler: () => "x" })] });
  assert.equal((await callTool(fresh, "t")).result.content[0].text, "x");
});

Deno.test("server.fetch() of a server without handshake revisions refuses initialize with an error that names the versions", async () => {
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } };
  const modern = server.with({ versions: ["2026-07-28"] });
  const { error, status } = await post(modern, initialize, { "mcp-method": undefined, "mcp-protocol-version": undefined });
  assert.deepEqual([status, error.data], [400, { supported: ["2026-07-28"] }]);
});

Deno.test("server.fetch() answers discovery whose params hold nothing but _meta (M-DISC-001, M-DISC-002)", async () => {
  const { result } = await post(server, { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: metaWith() } });
  assert.equal(result.instructions, "Be kind");
  assert.deepEqual(result._meta["io.modelcontextprotocol/serverInfo"], { name: "meta", version: "2", title: "Meta" });
});

Deno.test("server.fetch() answers discovery with versions, capabilities and caching hints (M-DISC-003, M-DISC-004, M-DISC-005)", async () => {
  const { result } = await call(server, "server/discover");
  assert.deepEqual(result.supportedVersions, SUPPORTED_VERSIONS);
  assert.deepEqual([result.ttlMs, result.cacheScope], [60_000, "public"]);
  const bare = (await call(defineServer({ name: "bare", version: "1" }), "server/discover")).result;
  assert.equal(Object.getPrototypeOf(bare.capabilities), Object.prototype);
  assert.deepEqual([bare.ttlMs, bare.cacheScope], [0, "private"]);
});

Deno.test("server.fetch() declares each feature that is there, and none that is not (M-BASE-032, M-TOOL-005, M-RES-001, M-PROMPT-001, M-COMP-001)", async () => {
  const declared = async (parts: Json): Promise<string[]> =>
    Object.keys((await call(defineServer({ name: "a", version: "1", ...parts }), "server/discover")).result.capabilities)
      .filter((name) => name !== "logging");
  const completing = prompt({ name: "c", arguments: { a: {} }, complete: { a: () => [] }, render: () => "x" });
  assert.deepEqual(await declared({}), []);
  assert.deepEqual(await declared({ tools: [] }), ["tools"]);
  assert.deepEqual(await declared({ resources: [resource({ uri: "a:b", name: "b", read: () => "x" })] }), ["resources"]);
  assert.deepEqual(await declared({ prompts: [prompt({ name: "p", render: () => "x" })] }), ["prompts"]);
  assert.deepEqual(await declared({ prompts: [completing] }), ["prompts", "completions"]);
});

Deno.test("server.fetch() tolerates capabilities of the client that it does not know (M-DISC-010)", async () => {
  const capabilities = { x: {}, roots: { listChanged: true }, extensions: { "com.example/a": {} } };
  assert.equal((await call(server, "tools/list", {}, metaOfClient(capabilities))).status, 200);
});

Deno.test("tool() refuses keys of _meta that break the rules or are the protocol's (M-META-002, M-META-003, M-META-005, M-META-006)", () => {
  const withKey = (key: string) => () => tool({ name: "t", meta: { [key]: 1 }, handler: () => "x" });
  for (const key of ["com..example/x", "1a/x", "a-/x", "com.mcp.tools/x", "com.example/-x", ""]) {
    assert.throws(withKey(key), /^TypeError: tools\.t\.meta/);
  }
  for (const key of ["com.example/x", "com.example/", "com.example.mcp/x", "x"]) assert.doesNotThrow(withKey(key));
});

Deno.test("server.fetch() names the server in every complete result and in every question", async () => {
  for (const [method, params] of METHODS.filter(([method]) => method !== "subscriptions/listen")) {
    const meta = metaOfClient({ elicitation: {} });
    const { result } = await post(server, request(method, params, meta));
    assert.equal(result._meta["io.modelcontextprotocol/serverInfo"].name, "meta", method);
  }
});
