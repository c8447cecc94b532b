/** Tests of `server/quiet.ts`. */
import assert from "node:assert/strict";
import { quiet } from "../../server/quiet.ts";

Deno.test("quiet gives the same promise, whose rejection ends nothing when nobody waits for it", async () => {
  const failing = Promise.reject(new Error("unheard"));
  assert.equal(quiet(failing), failing);
  await new Promise((resolve) => setTimeout(resolve, 0));
  await assert.rejects(failing, { message: "unheard" });
  assert.equal(await quiet(Promise.resolve(1)), 1);
});
