/** Tests of `protocol/on_demand.ts`. */
import assert from "node:assert/strict";
import { onDemand } from "../../protocol/on_demand.ts";

Deno.test("onDemand loads once, for everybody who waits", async () => {
  let loads = 0;
  const part = onDemand(() => Promise.resolve({ number: ++loads }));
  assert.equal(part.loaded, undefined);
  assert.equal(part.load(), part.load());
  const loaded = await part.load();
  assert.deepEqual([part.loaded, loads], [loaded, 1]);
});

Deno.test("onDemand keeps no failure: the next use loads again", async () => {
  let loads = 0;
  const part = onDemand(() => ++loads === 1 ? Promise.reject(new Error("offline")) : Promise.resolve(loads));
  await assert.rejects(part.load(), /offline/);
  assert.equal(part.loaded, undefined);
  assert.equal(await part.load(), 2);
});
