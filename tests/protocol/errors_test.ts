/** Tests of the errors and of the table of codes. */
import assert from "node:assert/strict";
import {
  AuthorizationError,
  ERROR_CODES,
  InputRequiredError,
  isMcpError,
  ProtocolError,
  ToolError,
  TransportError,
} from "../../protocol/errors.ts";

Deno.test("ERROR_CODES holds the five codes of JSON-RPC (M-ERR-001, M-ERR-002, M-ERR-003, M-ERR-005, M-ERR-006)", () => {
  const { parse_error, invalid_request, method_not_found, invalid_params, internal_error } = ERROR_CODES;
  assert.deepEqual(
    [parse_error, invalid_request, method_not_found, invalid_params, internal_error],
    [-32700, -32600, -32601, -32602, -32603],
  );
});

Deno.test("ERROR_CODES holds the three codes of MCP and no other one between -32099 and -32000 (M-ERR-007, M-ERR-010)", () => {
  const reserved = Object.entries(ERROR_CODES).filter(([, code]) => code <= -32000 && code >= -32099);
  assert.deepEqual(Object.fromEntries(reserved), {
    header_mismatch: -32020,
    missing_capability: -32021,
    unsupported_version: -32022,
  });
});

Deno.test("ERROR_CODES holds integers only, and none twice (M-BASE-017)", () => {
  const codes = Object.values(ERROR_CODES);
  assert.ok(codes.every(Number.isInteger));
  assert.equal(new Set(codes).size, codes.length);
});

Deno.test("ProtocolError holds code, message, data and cause", () => {
  const cause = new Error("inner");
  const error = new ProtocolError(-31000, "Out of paper", { data: { tray: 2 }, cause });
  assert.deepEqual([error.name, error.kind, error.code, error.message], ["ProtocolError", "protocol", -31000, "Out of paper"]);
  assert.deepEqual(error.data, { tray: 2 });
  assert.equal(error.cause, cause);
  assert.equal(error.reason, undefined);
});

Deno.test("ProtocolError without data and cause has neither", () => {
  const error = new ProtocolError(1, "x");
  assert.equal(error.data, undefined);
  assert.equal(Object.hasOwn(error, "cause"), false);
});

Deno.test("ProtocolError.invalidParams has the code -32602 (M-ERR-005)", () => {
  assert.equal(ProtocolError.invalidParams("x").code, -32602);
});

Deno.test("ProtocolError.resourceNotFound names the URI in data and leaves the code to the revision (M-ERR-012)", () => {
  const error = ProtocolError.resourceNotFound("file:///a");
  assert.equal(error.code, -32602);
  assert.equal(error.reason, "resource_not_found");
  assert.deepEqual(error.data, { uri: "file:///a" });
});

Deno.test("TransportError has -32001 for a timeout and -32000 for every other reason", () => {
  assert.equal(new TransportError("timeout", "x").code, -32001);
  for (const reason of ["closed", "unreachable", "limit", "session_lost", "server_exited", "not_mcp"] as const) {
    const error = new TransportError(reason, "x", { data: { a: 1 } });
    assert.deepEqual([error.code, error.reason, error.kind, error.data], [-32000, reason, "transport", { a: 1 }]);
  }
});

Deno.test("AuthorizationError holds where authorization failed, with an empty trace by default", () => {
  const error = new AuthorizationError("insufficient_scope", "x", { status: 403, challenge: { scope: "a b" } });
  assert.deepEqual([error.reason, error.status, error.challenge, error.trace], ["insufficient_scope", 403, { scope: "a b" }, []]);
});

Deno.test("ToolError holds data for the structured content", () => {
  const error = new ToolError("No such package", { data: { name: "x" } });
  assert.deepEqual([error.kind, error.message, error.data], ["tool", "No such package", { name: "x" }]);
});

Deno.test("InputRequiredError holds the questions and goes on with the answers that it is given", async () => {
  const requests = { a: { method: "roots/list" } } as const;
  const error = new InputRequiredError("no_handler", "x", {
    requests,
    requestState: "s",
    resume: (responses) => Promise.resolve(Object.keys(responses)),
  });
  assert.deepEqual([error.reason, error.requests, error.requestState], ["no_handler", requests, "s"]);
  assert.deepEqual(await error.resume({ a: { roots: [] } }), ["a"]);
});

Deno.test("isMcpError recognises each error of the package, also one of a second copy of it", () => {
  const foreign = Object.assign(new Error("x"), { kind: "protocol" });
  for (
    const error of [
      new ProtocolError(1, ""),
      new TransportError("closed", ""),
      new ToolError(""),
      new AuthorizationError("denied", ""),
      foreign,
    ]
  ) assert.equal(isMcpError(error), true);
});

Deno.test("isMcpError refuses other errors and values that only look like one", () => {
  for (
    const value of [new Error("x"), Object.assign(new Error(""), { kind: "constructor" }), { kind: "protocol" }, null, undefined]
  ) {
    assert.equal(isMcpError(value), false);
  }
});
