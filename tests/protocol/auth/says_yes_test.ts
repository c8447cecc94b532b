/** Tests of answers to whether something is allowed. */
import assert from "node:assert/strict";
import { saysYes } from "../../../protocol/auth/says_yes.ts";

Deno.test("saysYes takes nothing for a yes but true", () => {
  for (const answer of [undefined, null, false, 0, 1, "true", {}, [], Promise.resolve(true)]) {
    assert.equal(saysYes(answer), false);
  }
  assert.equal(saysYes(true), true);
});

Deno.test("saysYes lets no rejected promise end the process", async () => {
  assert.equal(saysYes(Promise.reject(new Error("Asked elsewhere"))), false);
  // An unhandled rejection would fail this test.
  await new Promise((resolve) => setTimeout(resolve, 0));
});
