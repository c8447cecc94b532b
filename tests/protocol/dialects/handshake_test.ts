/** Tests of what the dialects with a handshake have in common: catalogues, requests, greetings, results and codes. */
import assert from "node:assert/strict";
import type { Dialect, Handshake, RequestOut } from "../../../protocol/dialect.ts";
import { dialect20250618, dialect20251125 } from "../../loaded_dialects.ts";
import type { JsonObject, JsonValue } from "../../../protocol/json.ts";
import { META } from "../../../protocol/meta.ts";

const BOTH: readonly (Dialect & { readonly handshake: Handshake })[] = [dialect20251125, dialect20250618];

const out = (more: Partial<RequestOut> = {}): RequestOut => ({
  id: 1,
  method: "tools/call",
  params: { name: "a" },
  clientInfo: { name: "c", version: "1" },
  clientCapabilities: { roots: {} },
  progressToken: undefined,
  logLevel: "info",
  meta: undefined,
  inputResponses: { a: { action: "decline" } },
  requestState: "s",
  mirrored: [{ header: "mcp-param-a", spelled: "A", path: ["a"] }],
  ...more,
});

Deno.test("hasRequest and hasNotification know the methods of both sides, and none of other revisions", () => {
  for (const dialect of BOTH) {
    for (const method of ["initialize", "resources/subscribe", "resources/unsubscribe", "logging/setLevel", "tools/call"]) {
      assert.ok(dialect.hasRequest(method, "client") && !dialect.hasRequest(method, "server"), method);
    }
    for (const method of ["sampling/createMessage", "roots/list", "elicitation/create"]) {
      assert.ok(dialect.hasRequest(method, "server") && !dialect.hasRequest(method, "client"), method);
    }
    assert.ok(dialect.hasRequest("ping", "client") && dialect.hasRequest("ping", "server"));
    for (const method of ["server/discover", "subscriptions/listen", "tasks/get", "constructor", "__proto__", ""]) {
      assert.ok(!dialect.hasRequest(method, "client") && !dialect.hasRequest(method, "server"), method);
    }
    for (const method of ["notifications/cancelled", "notifications/progress"]) {
      assert.ok(dialect.hasNotification(method, "client") && dialect.hasNotification(method, "server"), method);
    }
    for (const method of ["notifications/initialized", "notifications/roots/list_changed"]) {
      assert.ok(dialect.hasNotification(method, "client") && !dialect.hasNotification(method, "server"), method);
    }
    assert.ok(!dialect.hasNotification("notifications/subscriptions/acknowledged", "server"));
    assert.ok(
      !dialect.answersWithStream("tools/call") && dialect.mayAskForInput("tools/call") && !dialect.mayAskForInput("ping"),
    );
  }
  const done = "notifications/elicitation/complete";
  assert.deepEqual(BOTH.map((dialect) => dialect.hasNotification(done, "server")), [true, false]);
});

Deno.test("the dialects differ in how they poll, and in how they report arguments that do not fit (L-TOOL-008)", () => {
  assert.deepEqual(BOTH.map(({ handshake }) => handshake.polls), [true, false]);
  assert.deepEqual(BOTH.map(({ argumentFaults }) => argumentFaults), ["tool_result", "protocol_error"]);
  assert.deepEqual(BOTH.map(({ cancelBy, era }) => [cancelBy, era]), [["notification", "legacy"], ["notification", "legacy"]]);
});

Deno.test("writeRequest names the revision in one header, and says nothing of the client in the body (L-HDR-001, L-HDR-002)", () => {
  for (const dialect of BOTH) {
    const { message, headers } = dialect.writeRequest(out());
    assert.deepEqual(headers, [["MCP-Protocol-Version", dialect.version]]);
    assert.deepEqual(message, { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "a" } });
    assert.deepEqual(dialect.sessionHeaders, headers);
    assert.deepEqual(dialect.notificationHeaders("notifications/initialized"), headers);
  }
});

Deno.test("writeRequest keeps the caller's _meta and the progress token, without keys of later revisions", () => {
  for (const dialect of BOTH) {
    const meta = { traceparent: "t", [META.logLevel]: "info", [META.protocolVersion]: "x" };
    const { message } = dialect.writeRequest(out({ params: {}, meta, progressToken: 0 }));
    assert.deepEqual(message.params, { _meta: { traceparent: "t", progressToken: 0 } });
    assert.equal(Object.hasOwn(dialect.writeRequest(out({ params: {} })).message, "params"), false);
  }
});

Deno.test("readRequest takes the client from the handshake, and the progress token from _meta", () => {
  const known = { clientInfo: { name: "c", version: "1" }, clientCapabilities: { roots: {} }, logLevel: "error" } as const;
  for (const dialect of BOTH) {
    const message = {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "a", _meta: { progressToken: "p" } },
    } as const;
    const read = dialect.readRequest(message, known);
    assert.deepEqual(read.ok && read.value, {
      id: 2,
      method: "tools/call",
      params: message.params,
      meta: { progressToken: "p" },
      progressToken: "p",
      ...known,
    });
    const bare = dialect.readRequest({ jsonrpc: "2.0", id: 2, method: "ping" });
    assert.ok(bare.ok);
    assert.deepEqual([bare.value.params, bare.value.meta, bare.value.clientCapabilities], [{}, {}, {}]);
    assert.deepEqual([bare.value.clientInfo, bare.value.logLevel, bare.value.progressToken], [undefined, undefined, undefined]);
  }
});

Deno.test("readRequest refuses a _meta that is no object and odd progress tokens with -32602", () => {
  const odd: readonly JsonValue[] = [null, [], "x", { progressToken: null }, { progressToken: 1.5 }, { progressToken: {} }];
  for (const dialect of BOTH) {
    for (const _meta of odd) {
      const read = dialect.readRequest({ jsonrpc: "2.0", id: 2, method: "ping", params: { _meta } });
      assert.equal(!read.ok && read.error.code, -32602, JSON.stringify(_meta));
    }
  }
});

Deno.test("writeResult adds nothing, and leaves out what later revisions add (L-BASE-008)", () => {
  for (const dialect of BOTH) {
    const frame = dialect.frame({ name: "s", version: "1" });
    assert.deepEqual(frame, { meta: {} });
    const cache = { ttlMs: 1, cacheScope: "public" } as const;
    assert.deepEqual(dialect.writeResult("tools/list", { tools: [] }, frame, cache), { tools: [] });
    const later = { resultType: "complete", contents: [], ttlMs: 1, cacheScope: "public", _meta: { [META.serverInfo]: {} } };
    assert.deepEqual(dialect.writeResult("resources/read", later, frame), { contents: [] });
    const own = { contents: [], _meta: { "a/b": 1, [META.serverInfo]: {} } };
    assert.deepEqual(dialect.writeResult("resources/read", own, frame), { contents: [], _meta: { "a/b": 1 } });
    assert.deepEqual(dialect.writeResult("com.example/x", { resultType: "complete", ttlMs: 5 }, frame), { ttlMs: 5 });
  }
});

Deno.test("readResult takes every result for complete, whatever it holds", () => {
  for (const dialect of BOTH) {
    for (const result of [{}, { resultType: "input_required", requestState: "s" }, { resultType: 7 }]) {
      assert.deepEqual(dialect.readResult("tools/call", result, new Set()), { ok: true, value: { type: "complete", result } });
    }
  }
});

Deno.test("errorCode and allowsErrorCode know the codes of the time (L-RES-003, L-ERR-001)", () => {
  for (const dialect of BOTH) {
    assert.equal(dialect.errorCode("resource_not_found"), -32002);
    assert.equal(dialect.errorCode("method_not_found"), -32601);
    assert.equal(dialect.errorCode("unsupported_version"), -32602);
    const reasons = ["missing_capability", "header_mismatch", "unsupported_version", "invalid_params"] as const;
    for (const reason of reasons) assert.ok(dialect.allowsErrorCode(dialect.errorCode(reason)), reason);
    for (const code of [-32042, -32002, -32000, -32019, -32602, -1, 1]) assert.ok(dialect.allowsErrorCode(code), String(code));
    for (const code of [-32020, -32021, -32022, 1.5, NaN]) assert.ok(!dialect.allowsErrorCode(code), String(code));
  }
});

Deno.test("httpStatus is 200 for every error of a request that was taken", () => {
  for (const dialect of BOTH) {
    assert.deepEqual([-32700, -32600].map(dialect.httpStatus), [400, 400]);
    assert.deepEqual([-32601, -32602, -32603, -32002, -32042, 1].map(dialect.httpStatus), [200, 200, 200, 200, 200, 200]);
  }
});

Deno.test("writeHello proposes the revision without a header, and readHello reads it (L-LIFE-002)", () => {
  for (const { handshake, version } of BOTH) {
    const hello = { clientInfo: { name: "c", version: "1" }, clientCapabilities: { roots: { listChanged: true } } };
    const { message, headers } = handshake.writeHello("i", hello);
    assert.deepEqual(headers, []);
    assert.deepEqual(handshake.readHello(message.params as JsonObject), { ok: true, value: { version, ...hello } });
  }
});

Deno.test("readHello refuses params that lack their keys with -32602", () => {
  const whole = { protocolVersion: "x", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  const odd: readonly JsonObject[] = [
    {},
    { ...whole, protocolVersion: 1 },
    { ...whole, capabilities: [] },
    { ...whole, capabilities: undefined },
    { ...whole, clientInfo: undefined },
    { ...whole, clientInfo: { name: "c" } },
    { ...whole, clientInfo: { name: 1, version: "1" } },
  ];
  for (const { handshake } of BOTH) {
    assert.ok(handshake.readHello(whole).ok);
    for (const params of odd) {
      const read = handshake.readHello(params);
      assert.equal(!read.ok && read.error.code, -32602, JSON.stringify(params));
    }
  }
});

Deno.test("writeWelcome declares only what the connection can keep, and readWelcome reads it (L-LIFE-003, L-LIFE-020)", () => {
  const serverInfo = { name: "s", version: "1" };
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true },
    logging: {},
    extensions: { "a/b": {} },
    tasks: {},
  };
  for (const { handshake, version } of BOTH) {
    const lasting = handshake.writeWelcome({ serverInfo, capabilities, instructions: "Use it", lasting: true });
    assert.deepEqual(lasting, {
      protocolVersion: version,
      serverInfo,
      capabilities: { logging: {}, tools: { listChanged: true }, resources: { subscribe: true } },
      instructions: "Use it",
    });
    const single = handshake.writeWelcome({ serverInfo, capabilities, instructions: undefined, lasting: false });
    assert.deepEqual(single, { protocolVersion: version, serverInfo, capabilities: { logging: {}, tools: {}, resources: {} } });
    assert.deepEqual(handshake.readWelcome(single), {
      ok: true,
      value: { version, serverInfo, capabilities: { logging: {}, tools: {}, resources: {} }, instructions: undefined },
    });
  }
});

Deno.test("readWelcome wants a version, and takes the rest as far as it makes sense", () => {
  for (const { handshake } of BOTH) {
    for (const result of [{}, { protocolVersion: 1 }, { protocolVersion: "x", capabilities: [] }]) {
      assert.ok(!handshake.readWelcome(result).ok, JSON.stringify(result));
    }
    const read = handshake.readWelcome({ protocolVersion: "x", serverInfo: { name: "s" }, instructions: 1, more: true });
    assert.deepEqual(read, {
      ok: true,
      value: { version: "x", serverInfo: undefined, capabilities: {}, instructions: undefined },
    });
  }
});

Deno.test("writeHello declares elicitation and sampling as the revision has them (L-ELIC-001, L-SAMP-001, L-ROOT-001)", () => {
  const declare = (clientCapabilities: JsonObject): readonly JsonValue[] =>
    BOTH.map(({ handshake }) => {
      const { message } = handshake.writeHello(1, { clientInfo: { name: "c", version: "1" }, clientCapabilities });
      return (message.params as JsonObject).capabilities as JsonObject;
    });
  assert.deepEqual(declare({ elicitation: { form: {}, url: {} } }), [{ elicitation: { form: {}, url: {} } }, {
    elicitation: {},
  }]);
  assert.deepEqual(declare({ elicitation: {} }), [{ elicitation: {} }, { elicitation: {} }]);
  assert.deepEqual(declare({ elicitation: { url: {} } }), [{ elicitation: { url: {} } }, {}]);
  assert.deepEqual(declare({ sampling: { tools: {}, context: {} } }), [{ sampling: { tools: {}, context: {} } }, {
    sampling: {},
  }]);
  const roots = { roots: { listChanged: true } };
  assert.deepEqual(declare({ ...roots, extensions: { "a/b": {} } }), [roots, roots]);
});

Deno.test("writeChange names no subscription", () => {
  for (const dialect of BOTH) {
    for (const write of [dialect.writeChange, dialect.handshake.writeChange]) {
      const list = write("notifications/tools/list_changed", {}, 1);
      assert.deepEqual(list, { jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      const updated = write("notifications/resources/updated", { uri: "a:b", _meta: { [META.subscriptionId]: 1 } }, 1);
      assert.deepEqual(updated.params, { uri: "a:b" });
    }
    assert.equal(dialect.writeStreamCancelled(1), undefined);
  }
});
