/** Tests of the dialect of revision 2026-07-28: what is written. */
import assert from "node:assert/strict";
import type { RequestOut } from "../../../protocol/dialect.ts";
import { dialect20260728 as dialect } from "../../../protocol/dialects/2026-07-28.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import { META } from "../../../protocol/meta.ts";

const FRAME = dialect.frame({ name: "s", version: "1" });
const SERVER_INFO = { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } };
const CACHEABLE = [
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
];
const OTHERS = ["tools/call", "prompts/get", "completion/complete", "subscriptions/listen"];

const out = (more: Partial<RequestOut>): RequestOut => ({
  id: 1,
  method: "tools/list",
  params: {},
  clientInfo: { name: "c", version: "1" },
  clientCapabilities: {},
  progressToken: undefined,
  logLevel: undefined,
  meta: undefined,
  inputResponses: undefined,
  requestState: undefined,
  mirrored: [],
  ...more,
});

Deno.test("writeRequest puts version, client and capabilities into _meta of every request, without params too (M-META-023)", () => {
  const { message } = dialect.writeRequest(out({}));
  assert.deepEqual(message, {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
    params: {
      _meta: {
        [META.protocolVersion]: "2026-07-28",
        [META.clientInfo]: { name: "c", version: "1" },
        [META.clientCapabilities]: {},
      },
    },
  });
});

Deno.test("writeRequest writes headers that equal the body (M-HDR-001, M-HDR-002, M-HDR-006)", () => {
  for (const method of [...CACHEABLE, ...OTHERS]) {
    const { headers, message } = dialect.writeRequest(out({ method }));
    const byName = new Map(headers);
    assert.equal(byName.get("MCP-Protocol-Version"), (message.params?._meta as JsonObject)[META.protocolVersion]);
    assert.equal(byName.get("Mcp-Method"), method);
  }
});

Deno.test("writeRequest writes Mcp-Name from name and uri (M-HDR-007, M-HDR-008, M-HDR-009)", () => {
  const name = (method: string, params: JsonObject): string | undefined =>
    new Map(dialect.writeRequest(out({ method, params })).headers).get("Mcp-Name");
  assert.equal(name("tools/call", { name: "t", uri: "x" }), "t");
  assert.equal(name("prompts/get", { name: "p" }), "p");
  assert.equal(name("resources/read", { uri: "a:b", name: "x" }), "a:b");
  assert.equal(name("tools/list", { name: "t" }), undefined);
  assert.equal(name("completion/complete", { name: "t", uri: "a:b" }), undefined);
});

Deno.test("writeRequest encodes names that are not safe ASCII (M-HDR-010)", () => {
  const { headers } = dialect.writeRequest(out({ method: "tools/call", params: { name: "ツール" } }));
  assert.equal(new Map(headers).get("Mcp-Name"), "=?base64?44OE44O844Or?=");
});

Deno.test("writeRequest mirrors the marked arguments (M-HDR-013)", () => {
  const mirrored = [{ header: "mcp-param-region", spelled: "Region", path: ["o", "r"] }];
  const params = { name: "t", arguments: { o: { r: "us-west1" } } };
  assert.equal(
    new Map(dialect.writeRequest(out({ method: "tools/call", params, mirrored })).headers).get("Mcp-Param-Region"),
    "us-west1",
  );
});

Deno.test("writeRequest adds token, level, own _meta, answers and state only when they are given", () => {
  const { message } = dialect.writeRequest(out({
    method: "tools/call",
    params: { name: "t" },
    progressToken: 0,
    logLevel: "info",
    meta: { "com.example/a": 1, [META.protocolVersion]: "1900-01-01" },
    inputResponses: { a: { action: "decline" } },
    requestState: "",
  }));
  const params = message.params as JsonObject;
  const meta = params._meta as JsonObject;
  assert.deepEqual([meta.progressToken, meta[META.logLevel], meta["com.example/a"]], [0, "info", 1]);
  assert.equal(meta[META.protocolVersion], "2026-07-28");
  assert.deepEqual([params.inputResponses, params.requestState], [{ a: { action: "decline" } }, ""]);
});

Deno.test("writeRequest writes what readRequest, missingHeader and headerMismatch accept", () => {
  for (
    const [method, params] of [["tools/call", { name: " ä " }], ["resources/read", { uri: "a:b" }], ["tools/list", {}]] as const
  ) {
    const { message, headers } = dialect.writeRequest(out({ method, params }));
    const byName = new Headers(headers as [string, string][]);
    const standard = {
      version: byName.get("mcp-protocol-version"),
      method: byName.get("mcp-method"),
      name: byName.get("mcp-name"),
    };
    assert.equal(dialect.missingHeader(message, standard), undefined);
    assert.ok(dialect.readRequest(message).ok);
    assert.equal(dialect.headerMismatch(message, standard), undefined);
  }
});

Deno.test("writeResult gives every result a resultType and the server's name (M-BASE-010)", () => {
  for (const method of [...CACHEABLE, ...OTHERS]) {
    const result = dialect.writeResult(method, { a: 1 }, FRAME);
    assert.deepEqual([result.resultType, result._meta, result.a], ["complete", SERVER_INFO, 1]);
  }
});

Deno.test("writeResult keeps a result's own _meta beside the server's name", () => {
  assert.deepEqual(dialect.writeResult("tools/call", { _meta: { "com.example/a": 1 } }, FRAME)._meta, {
    ...SERVER_INFO,
    "com.example/a": 1,
  });
});

Deno.test("writeResult gives the six cacheable results a ttlMs and a cacheScope, and no other (M-CACHE-001, M-DISC-005)", () => {
  for (const method of CACHEABLE) {
    const { ttlMs, cacheScope } = dialect.writeResult(method, {}, FRAME);
    assert.deepEqual([ttlMs, cacheScope], [0, "private"], method);
  }
  for (const method of OTHERS) {
    const result = dialect.writeResult(method, {}, FRAME, { ttlMs: 5 });
    assert.deepEqual(["ttlMs" in result, "cacheScope" in result], [false, false], method);
  }
});

Deno.test("writeResult lets the hint of the result win over the one that is given along", () => {
  const hint = { ttlMs: 5, cacheScope: "public" } as const;
  assert.deepEqual(
    dialect.writeResult("resources/read", { ttlMs: 9 }, FRAME, hint),
    { resultType: "complete", ttlMs: 9, cacheScope: "public", _meta: SERVER_INFO },
  );
});

Deno.test("writeInputRequired writes questions, state or both, and no caching hint (M-MRTR-017, M-MRTR-036)", () => {
  const requests = { a: { method: "roots/list" } } as const;
  assert.deepEqual(dialect.writeInputRequired(requests, "s", FRAME), {
    resultType: "input_required",
    inputRequests: requests,
    requestState: "s",
    _meta: SERVER_INFO,
  });
  assert.equal("requestState" in dialect.writeInputRequired(requests, undefined, FRAME), false);
  assert.equal("inputRequests" in dialect.writeInputRequired(undefined, "s", FRAME), false);
});

Deno.test("writeDiscover writes versions, capabilities and instructions (M-DISC-003, M-DISC-004, M-DISC-005)", () => {
  const facts = { supportedVersions: ["2026-07-28"], capabilities: {}, instructions: undefined };
  assert.deepEqual(dialect.writeDiscover(facts, FRAME, { ttlMs: 1, cacheScope: "public" }), {
    resultType: "complete",
    ttlMs: 1,
    cacheScope: "public",
    supportedVersions: ["2026-07-28"],
    capabilities: {},
    _meta: SERVER_INFO,
  });
  assert.equal(dialect.writeDiscover({ ...facts, instructions: "Be kind" }, FRAME).instructions, "Be kind");
});

Deno.test("writeProgress, writeLog and writeChange write notifications, which have no id (M-BASE-020)", () => {
  const written = [
    dialect.writeProgress("t", { progress: 1 }),
    dialect.writeLog("info", null, undefined),
    dialect.writeChange("notifications/tools/list_changed", {}, 1),
  ];
  for (const notification of written) assert.equal("id" in notification, false);
});

Deno.test("writeProgress names the token with its type (M-PROG-008)", () => {
  assert.deepEqual(dialect.writeProgress(7, { progress: 1, total: 2, message: "m" }).params, {
    progressToken: 7,
    progress: 1,
    total: 2,
    message: "m",
  });
});

Deno.test("writeLog has level and data, and a logger only when it is named (M-LOG-011)", () => {
  assert.deepEqual(dialect.writeLog("error", [1], undefined).params, { level: "error", data: [1] });
  assert.deepEqual(dialect.writeLog("error", null, "db").params, { level: "error", logger: "db", data: null });
});

Deno.test("writeChange puts the listen request's id into _meta, with its type (M-SUB-008, M-SUB-009)", () => {
  for (const id of [1, "1", "", 0]) {
    const { params } = dialect.writeChange("notifications/resources/updated", { uri: "a:b", _meta: { "com.example/a": 1 } }, id);
    assert.deepEqual(params, { uri: "a:b", _meta: { "com.example/a": 1, [META.subscriptionId]: id } });
  }
});

Deno.test("writeStreamEnd is a complete result with the listen request's id in _meta (M-SUB-014)", () => {
  const result = dialect.writeStreamEnd("l", FRAME);
  assert.equal(result.resultType, "complete");
  assert.equal((result._meta as JsonObject)[META.subscriptionId], "l");
});
