/** Tests of `transports/read_fault.ts`. */
import assert from "node:assert/strict";
import { parseMessage } from "../../protocol/json_rpc.ts";
import { answeredId, httpReadFault, readFault } from "../../transports/read_fault.ts";

const BOUNDS = { jsonDepth: 4, jsonElements: 8 };

function faultOf(text: string) {
  const read = parseMessage(text, BOUNDS);
  assert.ok(!read.ok);
  return readFault("Reading a message", text, read.error, BOUNDS);
}

Deno.test("readFault names the bound that a text breaks, and its value", () => {
  const deep = faultOf('{"a":[[[[1]]]]}');
  assert.deepEqual([deep.reason, deep.data], ["limit", { limit: "jsonDepth", value: 4 }]);
  const many = faultOf(`[${"0,".repeat(8)}0]`);
  assert.deepEqual([many.reason, many.data], ["limit", { limit: "jsonElements", value: 8 }]);
});

Deno.test("httpReadFault quotes nothing of an answer, which may repeat the credentials of its request", () => {
  const text = '{"jsonrpc":"2.0","token":"marked-secret-0123456789"';
  const read = parseMessage(text, BOUNDS);
  assert.ok(!read.ok);
  const fault = httpReadFault("Reading the answer", read.error, BOUNDS);
  assert.deepEqual([fault.reason, fault.data], ["not_mcp", undefined]);
  assert.equal(fault.message, `Reading the answer: ${read.error.message}`);
});

Deno.test("readFault gives an excerpt of what breaks no bound, a number out of range included", () => {
  for (const text of ["not JSON", '{"a":1e400}', "[]"]) {
    const fault = faultOf(text);
    assert.deepEqual([fault.reason, fault.data], ["not_mcp", { excerpt: text }]);
  }
});

Deno.test("readFault trusts what was found when the text was read, and does not read it again", () => {
  const error = { code: -32600, message: "Invalid request: nested deeper than 4 levels (limit jsonDepth)" };
  assert.equal(readFault("Reading a message", "not JSON", error, BOUNDS).reason, "limit");
});

Deno.test("answeredId gives the id of what may have been an answer, and none of what was meant as something else", () => {
  const error = { code: -32600, message: "x" };
  for (const kind of ["response", undefined] as const) assert.equal(answeredId({ id: 1, kind, error }), 1);
  for (const kind of ["request", "notification"] as const) assert.equal(answeredId({ id: 1, kind, error }), undefined);
  assert.equal(answeredId({ id: undefined, kind: "response", error }), undefined);
});
