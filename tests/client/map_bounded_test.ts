import assert from "node:assert/strict";
import { mapBounded } from "../../client/map_bounded.ts";

Deno.test("mapBounded works on so many at once and keeps the order", async () => {
  let running = 0;
  let most = 0;
  const results = await mapBounded([5, 1, 3, 2, 4], 2, async (item) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, item));
    running--;
    return item * 2;
  });
  assert.deepEqual(results, [10, 2, 6, 4, 8]);
  assert.equal(most, 2);
});

Deno.test("mapBounded begins nothing after a failure, and rejects with it", async () => {
  const begun: number[] = [];
  const work = mapBounded([1, 2, 3, 4], 1, (item) => {
    begun.push(item);
    return item === 2 ? Promise.reject(new Error("two")) : Promise.resolve(item);
  });
  await assert.rejects(work, { message: "two" });
  assert.deepEqual(begun, [1, 2]);
});

Deno.test("mapBounded stops when it is told to", async () => {
  let stop = false;
  const results = await mapBounded([1, 2, 3], 1, (item) => {
    stop = item === 2;
    return Promise.resolve(item);
  }, () => stop);
  assert.deepEqual(results, [1, 2]);
});
