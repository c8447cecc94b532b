/** Tests of `transports/byte_length.ts`. */
import assert from "node:assert/strict";
import { isLonger } from "../../transports/byte_length.ts";
import { createRandom } from "../protocol/random.ts";

Deno.test("isLonger counts bytes of UTF-8", () => {
  assert.deepEqual([isLonger("abc", 3), isLonger("abcd", 3)], [false, true]);
  assert.deepEqual([isLonger("\u4e2d", 3), isLonger("\u4e2d", 2)], [false, true]);
  assert.deepEqual([isLonger("", 0), isLonger("🦊", 4), isLonger("🦊", 3)], [false, false, true]);
});

Deno.test("isLonger agrees with the encoder on random text", () => {
  const random = createRandom(7);
  for (let round = 0; round < 500; round++) {
    const text = random.text(20);
    const limit = random.below(60);
    assert.equal(isLonger(text, limit), new TextEncoder().encode(text).length > limit);
  }
});
