/** Tests of `protocol/rarely.ts`. */
import assert from "node:assert/strict";
import { rarely } from "../../protocol/rarely.ts";

Deno.test("rarely tells of the first faults one by one, and then each time that their number has doubled", () => {
  const told: unknown[] = [];
  const tell = rarely((fault) => void told.push(fault));
  for (let n = 0; n < 40_000; n++) tell((soFar) => `bad${soFar}`);
  assert.deepEqual(told.slice(0, 16), Array(16).fill("bad"));
  assert.deepEqual(told.slice(16, 18), ["bad (32 of them so far)", "bad (64 of them so far)"]);
  assert.equal(told.length, 27);
});
