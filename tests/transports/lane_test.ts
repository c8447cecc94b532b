/** Tests of `transports/lane.ts`. */
import assert from "node:assert/strict";
import { Lane } from "../../transports/lane.ts";

Deno.test("Lane gives values at either end, as an array does", () => {
  const lane = new Lane<number>();
  const model: number[] = [];
  let seed = 1;
  for (let n = 0; n < 2000; n++) {
    seed = (seed * 48271) % 2147483647;
    if (seed % 5 < 3) {
      lane.push(n);
      model.push(n);
    } else if (seed % 5 === 3) assert.equal(lane.shift(), model.shift());
    else assert.equal(lane.pop(), model.pop());
    assert.deepEqual([lane.size, lane.first], [model.length, model[0]]);
  }
  while (model.length > 0) assert.equal(lane.shift(), model.shift());
  assert.deepEqual([lane.shift(), lane.pop(), lane.size], [undefined, undefined, 0]);
});
