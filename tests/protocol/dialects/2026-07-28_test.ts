/** Tests of the dialect of revision 2026-07-28: methods, what is read, and codes. */
import assert from "node:assert/strict";
import type { RequestIn, ResultIn } from "../../../protocol/dialect.ts";
import { dialect20260728 as dialect } from "../../../protocol/dialects/2026-07-28.ts";
import { ERROR_CODES } from "../../../protocol/errors.ts";
import type { JsonObject, JsonValue } from "../../../protocol/json.ts";
import { META } from "../../../protocol/meta.ts";

const NONE: ReadonlySet<string> = new Set();
const REQUESTS = [
  "server/discover",
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "completion/complete",
  "subscriptions/listen",
];
const GONE = [
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
  "tasks/get",
  "tasks/list",
];

function readMeta(more: JsonObject): RequestIn {
  const read = dialect.readRequest({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
    params: { _meta: { [META.protocolVersion]: "2026-07-28", [META.clientCapabilities]: {}, ...more } },
  });
  assert.ok(read.ok, read.ok ? "" : read.error.message);
  return read.value;
}

function refusedMeta(more: JsonObject): void {
  const read = dialect.readRequest({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
    params: { _meta: { [META.protocolVersion]: "2026-07-28", [META.clientCapabilities]: {}, ...more } },
  });
  assert.ok(!read.ok, `accepted ${JSON.stringify(more)}`);
  assert.equal(read.error.code, -32602);
}

function readResult(method: string, result: JsonObject, extensions = NONE): ResultIn {
  const read = dialect.readResult(method, result, extensions);
  assert.ok(read.ok, read.ok ? "" : read.error.message);
  return read.value;
}

function refusedResult(method: string, result: JsonObject, extensions = NONE): string {
  const read = dialect.readResult(method, result, extensions);
  assert.ok(!read.ok, `accepted ${JSON.stringify(result)}`);
  return read.error.message;
}

Deno.test("the dialect is modern, and its clients cancel by closing the stream", () => {
  assert.deepEqual([dialect.version, dialect.era, dialect.cancelBy], ["2026-07-28", "modern", "closing-the-stream"]);
});

Deno.test("hasRequest knows the ten requests of a client and none of a server (M-BASE-021)", () => {
  for (const method of REQUESTS) {
    assert.equal(dialect.hasRequest(method, "client"), true, method);
    assert.equal(dialect.hasRequest(method, "server"), false, method);
  }
  for (const method of ["elicitation/create", "sampling/createMessage", "roots/list", "ping"]) {
    assert.equal(dialect.hasRequest(method, "server"), false, method);
  }
});

Deno.test("hasRequest knows nothing of methods that the revision removed, or of names of built-ins (B038)", () => {
  for (const method of [...GONE, "__proto__", "constructor", "", "Tools/List"]) {
    assert.equal(dialect.hasRequest(method, "client"), false);
  }
});

Deno.test("hasNotification knows what each side may send (M-ELIC-025, M-ROOT-019)", () => {
  assert.equal(dialect.hasNotification("notifications/cancelled", "client"), true);
  for (const method of ["notifications/initialized", "notifications/roots/list_changed", "notifications/progress"]) {
    assert.equal(dialect.hasNotification(method, "client"), false, method);
  }
  for (
    const name of [
      "cancelled",
      "progress",
      "message",
      "tools/list_changed",
      "prompts/list_changed",
      "resources/list_changed",
      "resources/updated",
      "subscriptions/acknowledged",
    ]
  ) assert.equal(dialect.hasNotification(`notifications/${name}`, "server"), true, name);
  assert.equal(dialect.hasNotification("notifications/elicitation/complete", "server"), false);
});

Deno.test("mayAskForInput allows three methods and no other (M-MRTR-004)", () => {
  const asking = REQUESTS.filter((method) => dialect.mayAskForInput(method));
  assert.deepEqual(asking, ["tools/call", "prompts/get", "resources/read"]);
});

Deno.test("readRequest reads what a client says about itself and wants", () => {
  const request = readMeta({
    [META.clientInfo]: { name: "c", version: "1" },
    [META.clientCapabilities]: { elicitation: { form: {} } },
    [META.logLevel]: "warning",
    progressToken: "t",
  });
  assert.deepEqual(request.clientInfo, { name: "c", version: "1" });
  assert.deepEqual(request.clientCapabilities, { elicitation: { form: {} } });
  assert.deepEqual([request.logLevel, request.progressToken, request.id, request.method], ["warning", "t", 1, "tools/list"]);
});

Deno.test("readRequest wants neither clientInfo, progress token nor log level (M-DISC-002)", () => {
  const { clientInfo, progressToken, logLevel } = readMeta({});
  assert.deepEqual([clientInfo, progressToken, logLevel], [undefined, undefined, undefined]);
});

Deno.test("readRequest refuses a clientInfo without name and version (M-BASE-039)", () => {
  for (const info of [null, "c", {}, { name: "c" }, { version: "1" }, { name: 1, version: "1" }, []]) {
    refusedMeta({ [META.clientInfo]: info });
  }
});

Deno.test("readRequest accepts strings and integers as progress token and refuses everything else (M-PROG-002)", () => {
  for (const token of ["", "t", 0, -1, 7]) assert.equal(readMeta({ progressToken: token }).progressToken, token);
  for (const token of [1.5, null, {}, [], true, 2 ** 53]) refusedMeta({ progressToken: token });
});

Deno.test("readRequest accepts the eight log levels and no other (M-LOG-010)", () => {
  for (const level of ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]) {
    assert.equal(readMeta({ [META.logLevel]: level }).logLevel, level);
  }
  for (const level of ["Debug", "warn", "trace", "", null, 3, {}]) refusedMeta({ [META.logLevel]: level });
});

Deno.test("readRequest keeps reserved keys of _meta that it does not know, whatever they hold (M-META-001)", () => {
  const odd: JsonValue = [1, { a: null }];
  assert.deepEqual(readMeta({ "io.modelcontextprotocol/unheard": odd }).meta["io.modelcontextprotocol/unheard"], odd);
});

Deno.test("readRequest tolerates capabilities that it does not know (M-DISC-010)", () => {
  assert.deepEqual(readMeta({ [META.clientCapabilities]: { x: {}, y: 1 } }).clientCapabilities, { x: {}, y: 1 });
});

Deno.test("readResult reads a complete result, also without resultType as older servers send it", () => {
  for (const result of [{ resultType: "complete", tools: [] }, { tools: [] }]) {
    assert.deepEqual(readResult("tools/list", result), { type: "complete", result });
  }
});

Deno.test("readResult refuses an unknown resultType (M-BASE-012, M-BASE-013)", () => {
  for (const resultType of ["banana", "Complete", "", null, 1, {}]) refusedResult("tools/call", { resultType });
});

Deno.test("readResult accepts the type of an extension only when it was agreed on (M-BASE-012)", () => {
  assert.equal(readResult("tools/call", { resultType: "task" }, new Set(["task"])).type, "extension");
  refusedResult("tools/call", { resultType: "task" }, new Set(["other"]));
});

Deno.test("readResult accepts input_required in answer to the three methods that may ask, and to no other (M-MRTR-004)", () => {
  for (const method of REQUESTS) {
    const result = { resultType: "input_required", requestState: "s" };
    if (dialect.mayAskForInput(method)) assert.equal(readResult(method, result).type, "input_required");
    else refusedResult(method, result);
  }
});

Deno.test("readResult wants inputRequests, requestState or both (M-MRTR-017)", () => {
  const roots = { a: { method: "roots/list" } };
  assert.equal(readResult("tools/call", { resultType: "input_required", inputRequests: roots }).type, "input_required");
  assert.equal(readResult("tools/call", { resultType: "input_required", requestState: "" }).type, "input_required");
  refusedResult("tools/call", { resultType: "input_required" });
});

Deno.test("readResult accepts bare input requests of the three kinds (M-MRTR-001, M-MRTR-007)", () => {
  const requests = {
    form: { method: "elicitation/create", params: { message: "?", requestedSchema: { type: "object", properties: {} } } },
    model: { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } },
    roots: { method: "roots/list" },
  };
  const read = readResult("tools/call", { resultType: "input_required", inputRequests: requests, requestState: "s" });
  assert.ok(read.type === "input_required");
  assert.deepEqual([read.requests, read.requestState], [requests, "s"]);
});

Deno.test("readResult refuses input requests of other methods and shapes (M-MRTR-007)", () => {
  for (
    const request of [
      { method: "tools/call", params: {} },
      { method: "ping" },
      { method: "elicitation/create" },
      { method: "sampling/createMessage", params: [] },
      { method: "roots/list", params: 1 },
      {},
      null,
      [],
      "roots/list",
    ] as JsonValue[]
  ) refusedResult("tools/call", { resultType: "input_required", inputRequests: { a: request } });
});

Deno.test("readResult refuses a requestState that is no text, and inputRequests that are no object", () => {
  for (const requestState of [1, null, {}, []]) refusedResult("tools/call", { resultType: "input_required", requestState });
  for (const inputRequests of [[], null, "a", 1]) {
    refusedResult("tools/call", { resultType: "input_required", inputRequests, requestState: "s" });
  }
});

Deno.test("errorCode has -32602 for an absent resource, and the table's code for every other reason (M-RES-017, M-ERR-012)", () => {
  assert.equal(dialect.errorCode("resource_not_found"), -32602);
  for (const [reason, code] of Object.entries(ERROR_CODES)) {
    assert.equal(dialect.errorCode(reason as keyof typeof ERROR_CODES), code);
  }
});

Deno.test("allowsErrorCode keeps -32000 to -32019 from being sent (M-ERR-007, M-ERR-012)", () => {
  for (let code = -32019; code <= -32000; code++) assert.equal(dialect.allowsErrorCode(code), false, String(code));
});

Deno.test("allowsErrorCode allows three codes of -32020 to -32099 and no other (M-ERR-010, M-ERR-013)", () => {
  const allowed = Array.from({ length: 80 }, (_, n) => -32020 - n).filter((code) => dialect.allowsErrorCode(code));
  assert.deepEqual(allowed, [-32020, -32021, -32022]);
});

Deno.test("allowsErrorCode allows JSON-RPC's own codes and those of applications, integers only (M-BASE-017)", () => {
  for (const code of [-32700, -32600, -32601, -32602, -32603, -31999, -1, 0, 1, 42, -32769]) {
    assert.equal(dialect.allowsErrorCode(code), true);
  }
  for (const code of [1.5, NaN, Infinity, 2 ** 53]) assert.equal(dialect.allowsErrorCode(code), false);
});

Deno.test("httpStatus is 404 for an unknown method, 400 for what is refused by the envelope, and 200 otherwise (M-HTTP-028, M-HTTP-029, M-META-016, M-HDR-054)", () => {
  assert.equal(dialect.httpStatus(-32601), 404);
  for (const code of [-32700, -32600, -32020, -32021, -32022]) assert.equal(dialect.httpStatus(code), 400);
  for (const code of [-32602, -32603, 1]) assert.equal(dialect.httpStatus(code), 200);
});
