/** Tests of JSON-RPC messages: bounds on what is read, property tests, and what is written. */
import assert from "node:assert/strict";
import {
  boundsFault,
  errorResponse,
  httpStatusOf,
  messageText,
  parseMessage,
  prepareResult,
  readMessage,
  resultResponse,
  withHttpStatus,
} from "../../protocol/json_rpc.ts";
import type { ReadMessage } from "../../protocol/json_rpc.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import { createRandom } from "./random.ts";

const BOUNDS = resolveLimits(undefined);
const parse = (text: string): ReadMessage => parseMessage(text, BOUNDS);

function refused(read: ReadMessage): { readonly message: string } {
  assert.ok(!read.ok, "accepted");
  assert.equal(read.error.code, -32600);
  return read.error;
}

const request = (id: unknown, more: object = {}): object => ({ jsonrpc: "2.0", id, method: "tools/list", ...more });

/** A text with as many brackets around each other as are asked for. */
const nested = (depth: number): string => `{"a":`.repeat(depth - 1) + "{}" + "}".repeat(depth - 1);

Deno.test("boundsFault lets the nesting at the limit pass and refuses one level more (B040)", () => {
  for (const jsonDepth of [1, 2, 64]) {
    const bounds = { jsonDepth, jsonElements: 1000 };
    assert.equal(boundsFault(JSON.parse(nested(jsonDepth)), bounds), undefined);
    assert.match(boundsFault(JSON.parse(nested(jsonDepth + 1)), bounds) ?? "", new RegExp(`deeper than ${jsonDepth} levels`));
    assert.equal(boundsFault(JSON.parse("[".repeat(jsonDepth) + "]".repeat(jsonDepth)), bounds), undefined);
    assert.match(boundsFault(JSON.parse("[".repeat(jsonDepth + 1) + "]".repeat(jsonDepth + 1)), bounds) ?? "", /limit jsonDepth/);
  }
});

Deno.test("boundsFault lets the number of elements at the limit pass and refuses one more", () => {
  const bounds = { jsonDepth: 10, jsonElements: 6 };
  assert.equal(boundsFault([1, 2, 3, 4, 5, 6], bounds), undefined);
  assert.match(boundsFault([1, 2, 3, 4, 5, 6, 7], bounds) ?? "", /more than 6 JSON elements \(limit jsonElements\)/);
  assert.equal(boundsFault({ a: 1, b: [2, 3], c: { d: 4 } }, bounds), undefined);
  assert.match(boundsFault({ a: 1, b: [2, 3], c: { d: 4, e: 5 } }, bounds) ?? "", /limit jsonElements/);
});

Deno.test("boundsFault counts nothing for values without members", () => {
  for (const value of [null, 1, "a".repeat(1000), true]) {
    assert.equal(boundsFault(value, { jsonDepth: 1, jsonElements: 1 }), undefined);
  }
});

Deno.test("parseMessage lets a message at the depth limit pass and refuses one level more with -32600 (B040)", () => {
  const text = (depth: number): string => `{"jsonrpc":"2.0","id":1,"method":"a","params":${nested(depth)}}`;
  assert.ok(parseMessage(text(63), BOUNDS).ok);
  assert.match(refused(parseMessage(text(64), BOUNDS)).message, /nested deeper than 64 levels/);
});

Deno.test("parseMessage lets a message at the limit of elements pass and refuses one more with -32600", () => {
  const bounds = { jsonDepth: 64, jsonElements: 1000 };
  const text = (length: number): string => JSON.stringify(request(1, { params: { a: Array(length).fill(0) } }));
  // Four members of the message, one of its params.
  assert.ok(parseMessage(text(995), bounds).ok);
  assert.match(refused(parseMessage(text(996), bounds)).message, /more than 1000 JSON elements/);
});

Deno.test("parseMessage refuses nesting of 100,000 levels and does not overflow the stack (B040)", () => {
  const text = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`;
  assert.equal(parse(text).ok, false);
});

Deno.test("parseMessage never throws on random text, and answers with the two codes that exist for it (M-ERR-001, M-ERR-002)", () => {
  const random = createRandom(2026);
  const parts = [
    "{",
    "}",
    "[",
    "]",
    '"jsonrpc":"2.0"',
    '"id":',
    '"method":"a"',
    ",",
    ":",
    "null",
    "1",
    '"x"',
    '"params":',
    '"result":{}',
    "1.5",
  ];
  for (let round = 0; round < 5000; round++) {
    const text = random.below(2) === 0
      ? random.text(30)
      : Array.from({ length: random.below(14) }, () => random.pick(parts)).join("");
    const read = parse(text);
    if (!read.ok) assert.ok(read.error.code === -32700 || read.error.code === -32600);
  }
});

Deno.test("parseMessage never throws on strings of arbitrary bytes", () => {
  const random = createRandom(80);
  for (let round = 0; round < 2000; round++) {
    const bytes = Uint8Array.from({ length: random.below(40) }, () => random.below(256));
    assert.equal(parse(new TextDecoder("latin1").decode(bytes)).ok, false);
  }
});

Deno.test("readMessage never throws on random values, and accepts only what it can write again", () => {
  const random = createRandom(3);
  const values: unknown[] = [null, 0, 1.5, "a", "2.0", [], {}, true, -3, 2 ** 53];
  for (let round = 0; round < 5000; round++) {
    const value: Record<string, unknown> = {};
    for (const key of ["jsonrpc", "id", "method", "params", "result", "error"]) {
      if (random.below(2) === 0) value[key] = key === "jsonrpc" && random.below(4) > 0 ? "2.0" : random.pick(values);
    }
    const read = readMessage(value);
    const isCall = Object.hasOwn(value, "method");
    if (read.ok && !(isCall && Object.hasOwn(value, "result"))) assert.ok(readMessage(JSON.parse(messageText(read.message))).ok);
  }
});

Deno.test("resultResponse and errorResponse echo the id with its type (M-BASE-007, M-BASE-015)", () => {
  for (const id of ["7", 7, "", 0, -3]) {
    assert.deepEqual(JSON.parse(messageText(resultResponse(id, {}))), { jsonrpc: "2.0", id, result: {} });
    assert.deepEqual(JSON.parse(messageText(errorResponse(id, -1, "x"))), {
      jsonrpc: "2.0",
      id,
      error: { code: -1, message: "x" },
    });
  }
});

Deno.test("errorResponse leaves id out when none could be read (M-SCHEMA-018)", () => {
  assert.equal(messageText(errorResponse(undefined, -32700, "x")), '{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}');
});

Deno.test("errorResponse has data only when it is given, null included (M-BASE-016)", () => {
  assert.equal("error" in errorResponse(1, 1, "x") && "data" in (errorResponse(1, 1, "x") as { error: object }).error, false);
  assert.deepEqual((errorResponse(1, 1, "x", null) as { error: object }).error, { code: 1, message: "x", data: null });
});

Deno.test("messageText writes one line whatever the text holds", () => {
  const text = messageText(resultResponse("a\nb\u2028", { text: "1\n2\r\n3\u2028" }));
  assert.equal(/[\n\r]/.test(text), false);
  assert.deepEqual(JSON.parse(text), { jsonrpc: "2.0", id: "a\nb\u2028", result: { text: "1\n2\r\n3\u2028" } });
});

Deno.test("messageText writes lone surrogates as escapes, so that the bytes are UTF-8 (B041)", () => {
  const text = messageText(resultResponse("\ud83d", { text: "x\ud83dy" }));
  const bytes = new TextEncoder().encode(text);
  assert.deepEqual(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)), {
    jsonrpc: "2.0",
    id: "\ud83d",
    result: { text: "x\ud83dy" },
  });
});

Deno.test("prepareResult freezes a copy whose prepared text is what would be written anyhow", () => {
  const result = { resultType: "complete", tools: [{ name: "a" }], nextCursor: undefined };
  const prepared = prepareResult(result);
  assert.ok(Object.isFrozen(prepared));
  assert.equal(messageText(resultResponse(1, prepared)), messageText(resultResponse(1, result)));
  assert.deepEqual({ ...prepared }, result);
});

Deno.test("prepareResult hides its text from JSON and from the keys", () => {
  const prepared = prepareResult({ a: 1 });
  assert.deepEqual(Object.keys(prepared), ["a"]);
  assert.equal(JSON.stringify(prepared), '{"a":1}');
});

Deno.test("withHttpStatus notes a status that httpStatusOf reads and that is not written", () => {
  const response = withHttpStatus(errorResponse(1, -32601, "x"), 404);
  assert.equal(httpStatusOf(response), 404);
  assert.equal(messageText(response), '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}');
  assert.equal(httpStatusOf(resultResponse(1, {})), 200);
});
