/** Tests of `transports/read_answer_event.ts`. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import type { Rarely } from "../../protocol/rarely.ts";
import { readAnswerEvent } from "../../transports/read_answer_event.ts";
import { StreamCursor } from "../../transports/stream_cursor.ts";
import { request } from "./support.ts";

const LIMITS = resolveLimits(undefined);

function reader() {
  const errors: unknown[] = [];
  const cursor = new StreamCursor(LIMITS);
  const onStray: Rarely = (fault) => errors.push((fault("") as Error).message);
  const options = { where: "http://a/", limits: LIMITS, onStray };
  const read = (data: object | string, id?: string) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    const event = { data: text, ...(id === undefined ? {} : { id }) };
    return readAnswerEvent(request(1), event, cursor, options);
  };
  return { read, errors };
}

const jsonrpc = "2.0";

Deno.test("readAnswerEvent gives messages and the answer, and nothing for what is neither", () => {
  const { read, errors } = reader();
  const note = { jsonrpc, method: "notifications/x" };
  assert.deepEqual(read(note), note);
  assert.equal(read(""), undefined);
  assert.deepEqual(read({ jsonrpc, id: 1, result: {} }), { jsonrpc, id: 1, result: {} });
  assert.deepEqual(errors, []);
  assert.equal(read({ jsonrpc, id: 2, result: {} }), undefined);
  assert.equal(read("{"), undefined);
  assert.equal(errors.length, 2);
});

Deno.test("readAnswerEvent gives no message twice, and its own answer always", () => {
  const { read } = reader();
  const note = { jsonrpc, method: "notifications/x" };
  assert.deepEqual([read(note, "a"), read(note, "a")], [note, undefined]);
  assert.ok(read({ jsonrpc, id: 1, result: {} }, "a") !== undefined);
});

Deno.test("readAnswerEvent throws for a broken answer, and reports a broken request that has the same id", () => {
  const { read, errors } = reader();
  assert.equal(read({ jsonrpc, id: 1, method: "roots/list", params: [] }), undefined);
  assert.equal(errors.length, 1);
  assert.throws(() => read({ jsonrpc, id: 1, result: 5 }), /result that is an object/);
});
