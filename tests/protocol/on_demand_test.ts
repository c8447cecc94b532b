/** Tests of `protocol/on_demand.ts`. */
import assert from "node:assert/strict";
import { onDemand } from "../../protocol/on_demand.ts";

Deno.test("onDemand loads once, for everybody who waits", async () => {
  let loads = 0;
  const part = onDemand(() => Promise.resolve({ number: ++loads }));
  assert.deepEqual([part.loaded, part.loading], [undefined, undefined]);
  assert.equal(part.load(), part.load());
  assert.equal(part.loading, part.load());
  const loaded = await part.load();
  assert.deepEqual([part.loaded, loads], [loaded, 1]);
});

Deno.test("onDemand keeps no failure: the next use loads again", async () => {
  let loads = 0;
  const part = onDemand(() => ++loads === 1 ? Promise.reject(new Error("offline")) : Promise.resolve(loads));
  await assert.rejects(part.load(), /offline/);
  assert.deepEqual([part.loaded, part.loading], [undefined, undefined]);
  assert.equal(await part.load(), 2);
});
