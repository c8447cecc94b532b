/** Tests of the classification of requests: the order of checks, and code, status and data of each refusal. */
import assert from "node:assert/strict";
import { classify } from "../../protocol/classification.ts";
import type { Classified, KnowsMethod } from "../../protocol/classification.ts";
import type { Dialect } from "../../protocol/dialect.ts";
import { dialect20260728 } from "../../protocol/dialects/2026-07-28.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { META } from "../../protocol/meta.ts";
import type { JsonRpcRequest } from "../../protocol/types.ts";

const VERSION = "2026-07-28";
const SERVED: readonly Dialect[] = [dialect20260728];
const metaWith = (more: JsonObject = {}): JsonObject => ({
  [META.protocolVersion]: VERSION,
  [META.clientCapabilities]: {},
  ...more,
});

function message(method: string, params: JsonObject = {}, meta: JsonValue | undefined = metaWith()): JsonRpcRequest {
  return { jsonrpc: "2.0", id: 1, method, params: meta === undefined ? params : { ...params, _meta: meta } };
}

interface Options {
  readonly headers?: Record<string, string> | undefined;
  readonly served?: readonly Dialect[];
  readonly knows?: KnowsMethod;
}

function run(request: JsonRpcRequest, { headers, served = SERVED, knows = () => true }: Options = {}): Classified {
  return classify(request, headers === undefined ? undefined : new Headers(headers), served, knows);
}

function refusal(classified: Classified): { code: number; status: number; message: string; data: unknown } {
  assert.ok("error" in classified, "accepted");
  const { code, message, data } = classified.error;
  return { code, status: classified.status, message, data };
}

const HEADERS = { "mcp-protocol-version": VERSION, "mcp-method": "tools/list" };

Deno.test("classify accepts a complete request and says in which dialect it is spoken", () => {
  const classified = run(message("tools/list", { cursor: "c" }), { headers: HEADERS });
  assert.ok(classified.ok);
  assert.equal(classified.dialect.version, VERSION);
  assert.equal(classified.request.params.cursor, "c");
  assert.deepEqual(classified.request.clientCapabilities, {});
});

Deno.test("classify wants no headers where the carrier has none", () => {
  assert.ok(run(message("tools/call", { name: "a" })).ok);
});

Deno.test("classify refuses a request without the version header with -32020 and 400 (M-HDR-005, M-HDR-054, M-HDR-055, M-HDR-056)", () => {
  const { code, status, message: sentence } = refusal(run(message("tools/list"), { headers: { "mcp-method": "tools/list" } }));
  assert.deepEqual([code, status, sentence], [-32020, 400, "Header MCP-Protocol-Version is missing"]);
});

Deno.test("classify refuses a request without Mcp-Method with -32020 and 400 (M-HDR-054, M-HDR-055, M-HDR-056)", () => {
  const { code, status } = refusal(run(message("tools/list"), { headers: { "mcp-protocol-version": VERSION } }));
  assert.deepEqual([code, status], [-32020, 400]);
});

Deno.test("classify refuses named methods without Mcp-Name, and no others (M-HDR-056)", () => {
  for (
    const [method, params] of [["tools/call", { name: "a" }], ["prompts/get", { name: "a" }], ["resources/read", {
      uri: "a:b",
    }]] as const
  ) {
    const headers = { "mcp-protocol-version": VERSION, "mcp-method": method };
    assert.equal(refusal(run(message(method, params), { headers })).code, -32020);
    const value = "name" in params ? params.name : params.uri;
    assert.ok(run(message(method, params), { headers: { ...headers, "mcp-name": value } }).ok);
  }
  for (const method of ["server/discover", "completion/complete", "subscriptions/listen", "resources/templates/list"]) {
    assert.ok(run(message(method), { headers: { ...HEADERS, "mcp-method": method } }).ok);
  }
});

Deno.test("classify refuses a version header that differs from the body with -32020 (M-HDR-003, M-HDR-054, M-HDR-055)", () => {
  const { code, status } = refusal(run(message("tools/list"), { headers: { ...HEADERS, "mcp-protocol-version": "2025-11-25" } }));
  assert.deepEqual([code, status], [-32020, 400]);
});

Deno.test("classify compares the method with regard to case (M-HDR-051, M-HDR-052, B080)", () => {
  for (const method of ["Tools/List", "tools/call", "", "=?base64?dG9vbHMvbGlzdA==?="]) {
    assert.equal(refusal(run(message("tools/list"), { headers: { ...HEADERS, "mcp-method": method } })).code, -32020);
  }
});

Deno.test("classify compares Mcp-Name with the member that the method names (M-HDR-052, B080)", () => {
  const headers = { "mcp-protocol-version": VERSION, "mcp-method": "resources/read", "mcp-name": "x" };
  const { code, message: sentence } = refusal(run(message("resources/read", { uri: "a:b", name: "x" }), { headers }));
  assert.deepEqual([code, sentence], [-32020, "Header Mcp-Name differs from params.uri of the body"]);
  assert.ok(run(message("resources/read", { uri: "a:b", name: "x" }), { headers: { ...headers, "mcp-name": "a:b" } }).ok);
});

Deno.test("classify refuses Mcp-Name when the body has no such text (M-HDR-052)", () => {
  const headers = { "mcp-protocol-version": VERSION, "mcp-method": "tools/call", "mcp-name": "1" };
  for (const name of [1, null, ["1"], undefined]) {
    assert.equal(refusal(run(message("tools/call", { name }), { headers })).code, -32020);
  }
});

Deno.test("classify refuses a request without params or without _meta with -32602 and 400 (M-META-010, M-META-011, M-META-023)", () => {
  const bare: JsonRpcRequest = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  for (
    const request of [bare, { ...bare, params: {} }, { ...bare, params: { _meta: null } }, { ...bare, params: { _meta: [] } }]
  ) {
    for (const headers of [undefined, HEADERS]) {
      const { code, status } = refusal(run(request, { headers }));
      assert.deepEqual([code, status], [-32602, 400]);
    }
  }
});

Deno.test("classify refuses a missing or odd protocolVersion in _meta with -32602 (M-META-010)", () => {
  for (const version of [undefined, null, 20260728, ["2026-07-28"], {}]) {
    assert.equal(refusal(run(message("tools/list", {}, metaWith({ [META.protocolVersion]: version })))).code, -32602);
  }
});

Deno.test("classify refuses missing or odd clientCapabilities in _meta with -32602 (M-META-010)", () => {
  for (const capabilities of [undefined, null, [], "x", true]) {
    assert.equal(refusal(run(message("tools/list", {}, metaWith({ [META.clientCapabilities]: capabilities })))).code, -32602);
  }
});

Deno.test("classify answers a version that is not served with -32022, the versions and the one that was asked for (M-VER-001, M-VER-002, M-VER-003)", () => {
  for (const version of ["1900-01-01", "2025-11-25", "", "2026-07-28 "]) {
    const { code, status, data } = refusal(run(message("tools/list", {}, metaWith({ [META.protocolVersion]: version }))));
    assert.deepEqual([code, status, data], [-32022, 400, { supported: [VERSION], requested: version }]);
  }
});

Deno.test("classify lists every served version, newest first (M-VER-002)", () => {
  const later: Dialect = { ...dialect20260728, version: "2099-01-01" };
  const request = message("tools/list", {}, metaWith({ [META.protocolVersion]: "1" }));
  assert.deepEqual(refusal(run(request, { served: [later, dialect20260728] })).data, {
    supported: ["2099-01-01", VERSION],
    requested: "1",
  });
});

Deno.test("classify finds the dialect of an older version that is served too", () => {
  const later: Dialect = { ...dialect20260728, version: "2099-01-01" };
  const classified = run(message("tools/list"), { served: [later, dialect20260728] });
  assert.ok(classified.ok && classified.dialect === dialect20260728);
});

Deno.test("classify answers an unknown method with -32601 and 404 (M-ERR-003, M-HTTP-029)", () => {
  const { code, status } = refusal(run(message("x/y"), { knows: () => false }));
  assert.deepEqual([code, status], [-32601, 404]);
});

Deno.test("classify asks for methods by their exact names, those of built-ins included (B038)", () => {
  const asked: string[] = [];
  for (const method of ["__proto__", "constructor", ""]) {
    refusal(run(message(method), {
      knows: (_dialect, name) => {
        asked.push(name);
        return false;
      },
    }));
  }
  assert.deepEqual(asked, ["__proto__", "constructor", ""]);
});

Deno.test("classify cuts a long method in the sentence", () => {
  const { message: sentence } = refusal(run(message("x".repeat(10_000)), { knows: () => false }));
  assert.ok(sentence.length < 200);
});

Deno.test("classify looks at missing headers before _meta, at _meta before the values of headers, and at the version before the method", () => {
  const bare: JsonRpcRequest = { jsonrpc: "2.0", id: 1, method: "x/y" };
  const wrong = { "mcp-protocol-version": VERSION, "mcp-method": "other" };
  assert.equal(refusal(run(bare, { headers: {}, knows: () => false })).code, -32020);
  assert.equal(refusal(run(bare, { headers: wrong, knows: () => false })).code, -32602);
  assert.equal(refusal(run(message("x/y"), { headers: wrong, knows: () => false })).code, -32020);
  const old = message("x/y", {}, metaWith({ [META.protocolVersion]: "1" }));
  assert.equal(refusal(run(old, { knows: () => false })).code, -32022);
});

Deno.test("classify tells a client that begins with initialize which versions are served", () => {
  const initialize: JsonRpcRequest = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } },
  };
  for (const headers of [undefined, {}]) {
    assert.deepEqual(refusal(run(initialize, { headers })).data, { supported: [VERSION] });
  }
  const { code, data } = refusal(run(initialize, { headers: { "mcp-protocol-version": "2025-11-25" } }));
  assert.deepEqual([code, data], [-32022, { supported: [VERSION], requested: "2025-11-25" }]);
});

Deno.test("classify answers a version that is not served with -32022 whatever else is missing (M-VER-001, M-VER-002, M-VER-003)", () => {
  const later = metaWith({ [META.protocolVersion]: "2027-01-01" });
  const unsupported = (classified: Classified): void => {
    const { code, data } = refusal(classified);
    assert.deepEqual([code, data], [-32022, { supported: [VERSION], requested: "2027-01-01" }]);
  };
  const headers = { "mcp-protocol-version": "2027-01-01" };
  unsupported(run(message("tools/call", { name: "a" }, later), { headers }));
  unsupported(run(message("tools/list", {}, { [META.protocolVersion]: "2027-01-01" }), { headers }));
  unsupported(run({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { headers }));
  unsupported(run(message("tools/list", {}, { [META.protocolVersion]: "2027-01-01" })));
  assert.equal(refusal(run(message("tools/list"), { headers: { ...headers, "mcp-method": "tools/list" } })).code, -32020);
});

Deno.test("classify never repeats a header's value in its sentence", () => {
  const headers = { "mcp-protocol-version": VERSION, "mcp-method": "tools/call", "mcp-name": "secret" };
  assert.equal(refusal(run(message("tools/call", { name: "other" }), { headers })).message.includes("secret"), false);
});
