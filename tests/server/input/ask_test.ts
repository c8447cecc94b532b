/** Tests of `server/input/ask.ts`. */
import assert from "node:assert/strict";
import * as z from "zod";
import { ask, inputRequired, stateOf } from "../../../server/input/ask.ts";
import { isInputRequired } from "../../../server/input/is_input_required.ts";

Deno.test("ask.form writes a flat schema from fields, and from a Standard Schema", () => {
  const fields = ask.form("Which city?", { city: { type: "string", required: true }, days: { type: "integer" } });
  assert.equal(fields.method, "elicitation/create");
  assert.deepEqual(fields.params, {
    mode: "form",
    message: "Which city?",
    requestedSchema: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city"],
    },
  });
  const { requestedSchema } = ask.form("?", z.object({ city: z.string() })).params as { readonly requestedSchema: object };
  assert.equal(Object.hasOwn(requestedSchema, "$schema"), false);
});

Deno.test("ask.form refuses fields that are not flat", () => {
  for (const field of [{ type: "object", properties: {} }, { type: "null" }]) {
    assert.throws(() => ask.form("?", { city: field as never }), /^TypeError: form\.city: Expected a string, number/);
  }
  assert.throws(() => ask.form("?", z.object({ at: z.object({ x: z.number() }) })), /^TypeError: form\.at: /);
});

Deno.test("ask.url, sampling and roots write their requests", () => {
  assert.deepEqual(ask.url("Visit", new URL("https://example.com/x")), {
    method: "elicitation/create",
    params: { mode: "url", message: "Visit", url: "https://example.com/x" },
  });
  const params = { messages: [], maxTokens: 5 };
  assert.deepEqual(ask.sampling(params), { method: "sampling/createMessage", params });
  assert.deepEqual(ask.roots(), { method: "roots/list" });
});

Deno.test("inputRequired holds questions or a state, which is not seen (M-MRTR-017)", () => {
  const question = ask.roots();
  const asked = inputRequired({ r: question }, { state: { step: 1 } });
  assert.deepEqual(JSON.parse(JSON.stringify(asked)), {
    resultType: "input_required",
    inputRequests: { r: { method: "roots/list" } },
  });
  assert.deepEqual(stateOf(asked), { step: 1 });
  assert.deepEqual({ ...inputRequired({}, { state: 0 }) }, { resultType: "input_required" });
  assert.throws(() => inputRequired({}), /^TypeError: inputRequired: Expected a question or a state$/);
});

Deno.test("isInputRequired knows the result by its type", () => {
  assert.ok(isInputRequired({ resultType: "input_required", inputRequests: {} }));
  for (const value of [undefined, null, "input_required", { resultType: "complete" }, []]) {
    assert.equal(isInputRequired(value), false);
  }
});
