/** Tests of `transports/rare_report.ts`. */
import assert from "node:assert/strict";
import { RareReport } from "../../transports/rare_report.ts";

Deno.test("RareReport tells of the first faults one by one, and then each time that their number has doubled", () => {
  const told: string[] = [];
  const report = new RareReport((text) => void told.push(String(text)));
  for (let n = 0; n < 40_000; n++) report.tell((soFar) => `bad${soFar}`);
  assert.deepEqual(told.slice(0, 16), Array(16).fill("bad"));
  assert.deepEqual(told.slice(16, 18), ["bad (32 of them so far)", "bad (64 of them so far)"]);
  assert.equal(told.length, 27);
  new RareReport(undefined).tell(() => assert.ok(true));
});
