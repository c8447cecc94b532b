/** Tests of JSON-RPC messages: what is read, and what is refused with which code and id. */
import assert from "node:assert/strict";
import { isNotification, isRequest, isResponse, messageText, parseMessage, readMessage } from "../../protocol/json_rpc.ts";
import type { ReadMessage } from "../../protocol/json_rpc.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";

const BOUNDS = resolveLimits(undefined);
const parse = (text: string): ReadMessage => parseMessage(text, BOUNDS);

function accepted(value: unknown): JsonRpcMessage {
  const read = readMessage(value);
  assert.ok(read.ok, read.ok ? "" : `${read.error.message} for ${JSON.stringify(value)}`);
  return read.message;
}

function refused(read: ReadMessage, code = -32600): { readonly id: unknown; readonly message: string } {
  assert.ok(!read.ok, "accepted");
  assert.equal(read.error.code, code);
  return { id: read.id, message: read.error.message };
}

const request = (id: unknown, more: object = {}): object => ({ jsonrpc: "2.0", id, method: "tools/list", ...more });

Deno.test("parseMessage answers text that is no JSON with -32700 and without an id (M-ERR-001, M-SCHEMA-018, B032)", () => {
  for (
    const text of [
      "",
      "{",
      "}",
      '{"jsonrpc":"2.0","id":1,"method":"a"',
      "undefined",
      "NaN",
      "{'a':1}",
      "[1,]",
      "\u0000",
      '{"id":01}',
    ]
  ) {
    assert.equal(refused(parse(text), -32700).id, undefined);
  }
});

Deno.test("parseMessage answers JSON that is no message with -32600 (M-ERR-002, M-BASE-003, B032)", () => {
  for (const text of ["{}", "1", '"a"', "true", '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1}', '{"method":"a"}']) {
    refused(parse(text));
  }
});

Deno.test("parseMessage names null, arrays and other types that are no object (B035)", () => {
  assert.match(refused(parse("null")).message, /received null$/);
  assert.match(refused(parse("[]")).message, /received an array \(batches are not part of MCP\)$/);
  assert.match(refused(parse("7")).message, /received a number$/);
});

Deno.test("parseMessage refuses batches of every shape and gives no id back (B035)", () => {
  const one = JSON.stringify(request(1));
  for (const text of [`[${one}]`, `[${one},${one}]`, "[[]]", "[{}]"]) assert.equal(refused(parse(text)).id, undefined);
});

Deno.test("parseMessage keeps the readable id of a message that is refused (M-BASE-015, B032)", () => {
  assert.equal(refused(parse('{"jsonrpc":"2.0","id":4,"method":7}')).id, 4);
  assert.equal(refused(parse('{"jsonrpc":"1.0","id":4,"method":"tools/list"}')).id, 4);
  assert.equal(refused(parse('{"id":4,"method":"tools/list"}')).id, 4);
  assert.equal(refused(parse('{"jsonrpc":"2.0","id":"a","method":"tools/list","params":[]}')).id, "a");
  assert.equal(refused(parse('{"jsonrpc":"2.0","id":""}')).id, "");
});

Deno.test("parseMessage keeps the readable id of a message that breaks a bound (M-BASE-015, B040)", () => {
  const deep = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":${'{"a":'.repeat(100)}1${"}".repeat(100)}}}`;
  assert.equal(refused(parse(deep)).id, 7);
});

Deno.test("readMessage demands jsonrpc 2.0 as an own string (M-BASE-003, M-ERR-002)", () => {
  for (const jsonrpc of ["1.0", "2", 2, 2.0, null, undefined, "2.0 ", ["2.0"]]) {
    assert.match(refused(readMessage({ jsonrpc, id: 1, method: "a" })).message, /jsonrpc must be "2\.0"/);
  }
  refused(readMessage(Object.create({ jsonrpc: "2.0", id: 1, method: "a" })));
});

Deno.test("readMessage accepts every string and safe integer as id (M-BASE-004, B033)", () => {
  for (const id of ["", "0", "1", "01", "a", "ä🦊", "null", 0, 1, -3, 2 ** 53 - 1, -(2 ** 53 - 1)]) {
    const message = accepted(request(id));
    assert.ok(isRequest(message));
    assert.equal(message.id, id);
  }
});

Deno.test("readMessage refuses null as id (M-BASE-005, B033)", () => {
  assert.match(refused(readMessage(request(null))).message, /id must be a string or an integer, received null/);
});

Deno.test("readMessage refuses ids that are neither string nor integer, and takes none of them for a notification (M-BASE-004, B033)", () => {
  for (const id of [1.5, true, false, {}, [], [1], -0.5]) {
    const { id: given, message } = refused(readMessage(request(id)));
    assert.equal(given, undefined);
    assert.match(message, /id must be a string or an integer/);
  }
});

Deno.test("parseMessage refuses integers that JSON can not keep as id (M-BASE-004, B041)", () => {
  for (const id of ["9007199254740992", "9007199254740993", "-9007199254740992", "1e400"]) {
    assert.equal(refused(parse(`{"jsonrpc":"2.0","id":${id},"method":"a"}`)).id, undefined);
  }
});

Deno.test("parseMessage takes the spellings 1.0 and 1e2 for the integers that they are (M-BASE-004)", () => {
  for (const [text, id] of [["1.0", 1], ["1e2", 100], ["-0", -0]] as const) {
    const read = parse(`{"jsonrpc":"2.0","id":${text},"method":"a"}`);
    assert.ok(read.ok && isRequest(read.message) && Object.is(read.message.id, id));
  }
});

Deno.test("readMessage accepts params that are an object, or absent", () => {
  for (const params of [{}, { a: 1 }, { _meta: null }, undefined]) accepted(request(1, { params }));
});

Deno.test("readMessage refuses params of every other type, with the id (M-ERR-002, M-BASE-015)", () => {
  for (const params of [null, [], [1], "a", "", 0, 1, true, false]) {
    const { id, message } = refused(readMessage(request("x", { params })));
    assert.equal(id, "x");
    assert.match(message, /params must be an object/);
  }
});

Deno.test("readMessage refuses methods that are no string (M-ERR-002)", () => {
  for (const method of [7, null, true, {}, [], ["tools/list"], undefined]) {
    assert.match(refused(readMessage({ jsonrpc: "2.0", id: 1, method })).message, /method must be a string/);
  }
});

Deno.test("readMessage accepts the empty method and names of built-ins; whether they exist is asked later (B038)", () => {
  for (const method of ["", "__proto__", "constructor", "a\u0000b"]) accepted({ jsonrpc: "2.0", id: 1, method });
});

Deno.test("readMessage refuses a notification with broken params without an id", () => {
  assert.equal(refused(readMessage({ jsonrpc: "2.0", method: "notifications/cancelled", params: [] })).id, undefined);
});

Deno.test("readMessage tells requests, notifications and responses apart (M-BASE-003, M-BASE-020)", () => {
  const kinds = (value: unknown): boolean[] => {
    const message = accepted(value);
    return [isRequest(message), isNotification(message), isResponse(message)];
  };
  assert.deepEqual(kinds({ jsonrpc: "2.0", id: 0, method: "a" }), [true, false, false]);
  assert.deepEqual(kinds({ jsonrpc: "2.0", method: "a" }), [false, true, false]);
  assert.deepEqual(kinds({ jsonrpc: "2.0", id: 0, result: {} }), [false, false, true]);
  assert.deepEqual(kinds({ jsonrpc: "2.0", error: { code: 1, message: "" } }), [false, false, true]);
});

Deno.test("parseMessage matches member names exactly (B037)", () => {
  const text =
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","Method":"tools/call","method\\u0000":"x","param\\u017f":{"name":"rm"},"params":{"a":1}}';
  const read = parse(text);
  assert.ok(read.ok && isRequest(read.message));
  assert.equal(read.message.method, "tools/list");
  assert.deepEqual(read.message.params, { a: 1 });
});

Deno.test("parseMessage reads only one of two equal keys, the last one, for id and method alike (B037)", () => {
  const read = parse('{"jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"b"}');
  assert.ok(read.ok && isRequest(read.message));
  assert.deepEqual([read.message.id, read.message.method], [2, "b"]);
});

Deno.test("parseMessage keeps __proto__ as an own key and pollutes nothing (B038)", () => {
  const read = parse('{"jsonrpc":"2.0","id":1,"method":"a","params":{"__proto__":{"polluted":true}},"__proto__":{"id":5}}');
  assert.ok(read.ok && isRequest(read.message));
  assert.equal(read.message.id, 1);
  assert.ok(Object.hasOwn(read.message.params ?? {}, "__proto__"));
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

Deno.test("readMessage does not take a method or an id from a prototype (B038)", () => {
  refused(parse('{"jsonrpc":"2.0","__proto__":{"method":"a","id":1}}'));
  assert.ok(isNotification(accepted(JSON.parse('{"jsonrpc":"2.0","method":"a","__proto__":{"id":1}}'))));
});

Deno.test("readMessage accepts results that are objects, under any legal id (M-BASE-008)", () => {
  for (const id of ["", 0, -3, "a"]) accepted({ jsonrpc: "2.0", id, result: {} });
});

Deno.test("readMessage refuses a response with neither result nor error, and one with both (M-BASE-008)", () => {
  refused(readMessage({ jsonrpc: "2.0", id: 1 }));
  refused(readMessage({ jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } }));
  refused(readMessage({ jsonrpc: "2.0", id: 1, result: {}, error: null }));
});

Deno.test("readMessage refuses results that are no objects (M-BASE-008)", () => {
  for (const result of [null, [], "a", 1, true, undefined]) {
    assert.equal(refused(readMessage({ jsonrpc: "2.0", id: 1, result })).id, 1);
  }
});

Deno.test("readMessage refuses a result without a legal id", () => {
  for (const id of [undefined, null, 1.5, {}, true]) refused(readMessage({ jsonrpc: "2.0", id, result: {} }));
});

Deno.test("readMessage refuses errors whose code is no integer (M-BASE-017)", () => {
  for (const code of [1.5, "x", "-32600", null, undefined, NaN, true, {}]) {
    assert.match(refused(readMessage({ jsonrpc: "2.0", id: 1, error: { code, message: "x" } })).message, /integer code/);
  }
});

Deno.test("readMessage refuses errors without a message, and errors that are no objects (M-BASE-016)", () => {
  for (const error of [{ code: 1 }, { code: 1, message: null }, { code: 1, message: 7 }, null, [], "x", 1, true]) {
    refused(readMessage({ jsonrpc: "2.0", id: 1, error }));
  }
});

Deno.test("readMessage accepts an error without an id and one whose id is null (M-SCHEMA-018)", () => {
  const error = { code: -32700, message: "Parse error" };
  assert.deepEqual(accepted({ jsonrpc: "2.0", error }), { jsonrpc: "2.0", error });
  assert.deepEqual(accepted({ jsonrpc: "2.0", id: null, error }), { jsonrpc: "2.0", error });
  for (const id of [1.5, {}, true]) refused(readMessage({ jsonrpc: "2.0", id, error }));
});

Deno.test("readMessage keeps members that it does not know", () => {
  const value = request(1, { extra: [1], params: { a: { b: null } } });
  assert.equal(accepted(value), value);
});

Deno.test("messageText writes a request that has a result of its own as it is", () => {
  for (const result of [null, 1, {}, []]) {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x", result });
    const read = parseMessage(text, { jsonDepth: 8, jsonElements: 100 });
    assert.ok(read.ok);
    assert.equal(messageText(read.message), text);
  }
});

Deno.test("readMessage tells what a broken message was meant to be, as its members show", () => {
  const meant = (value: unknown): unknown => {
    const read = readMessage(value);
    return read.ok ? "accepted" : read.kind;
  };
  const jsonrpc = "2.0";
  for (const value of [{ jsonrpc, id: 1, method: 7 }, { jsonrpc, id: null, method: "a" }, { id: 1, method: "a" }]) {
    assert.equal(meant(value), "request");
  }
  for (const value of [{ jsonrpc, method: 7 }, { jsonrpc, method: "a", params: [] }, { method: "a" }]) {
    assert.equal(meant(value), "notification");
  }
  for (
    const value of [{ jsonrpc, id: 1, result: 1 }, { jsonrpc, id: 1, error: {} }, { jsonrpc, id: 1, result: {}, error: {} }, {
      id: 1,
      result: {},
    }]
  ) {
    assert.equal(meant(value), "response");
  }
  for (const value of [{ jsonrpc, id: 1 }, {}, [], null, 1]) assert.equal(meant(value), undefined);
  const deep = parseMessage(`{"jsonrpc":"2.0","id":1,"method":"a","params":${"[".repeat(100)}${"]".repeat(100)}}`, BOUNDS);
  assert.ok(!deep.ok && deep.kind === "request");
});
