/** Tests of `protocol/dialects/input_required.ts`. */
import assert from "node:assert/strict";
import { readInputRequired } from "../../../protocol/dialects/input_required.ts";
import type { JsonObject } from "../../../protocol/json.ts";

Deno.test("readInputRequired takes questions, a state, or both", () => {
  const requests = { a: { method: "roots/list" }, b: { method: "elicitation/create", params: {} } };
  const cases: JsonObject[] = [{ inputRequests: requests, requestState: "s" }, { inputRequests: requests }, {
    requestState: "s",
  }];
  for (const result of cases) {
    assert.deepEqual(readInputRequired(result), {
      ok: true,
      value: { type: "input_required", requests: result.inputRequests ?? {}, requestState: result.requestState, result },
    });
  }
});

Deno.test("readInputRequired refuses what asks for nothing, or for what nobody knows", () => {
  const cases: readonly (readonly [JsonObject, RegExp])[] = [
    [{}, /inputRequests or requestState is required/],
    [{ requestState: 1 }, /requestState must be a string/],
    [{ inputRequests: [] }, /must map keys/],
    [{ inputRequests: { a: { method: "tools/call", params: {} } } }, /must map keys/],
    [{ inputRequests: { a: { method: "elicitation/create" } } }, /must map keys/],
    [{ inputRequests: { a: { method: "roots/list", params: 1 } } }, /must map keys/],
  ];
  for (const [result, sentence] of cases) {
    const read = readInputRequired(result);
    assert.ok(!read.ok && sentence.test(read.error.message), JSON.stringify(result));
    assert.equal(read.error.code, -32600);
  }
});
