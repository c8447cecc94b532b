/** Tests of `protocol/is_multiple_of.ts`. */
import assert from "node:assert/strict";
import { isMultipleOf } from "../../protocol/is_multiple_of.ts";
import { createRandom } from "../../scripts/fuzz/random.ts";

Deno.test("isMultipleOf() counts in decimals, however large and small", () => {
  const multiples = [[0, 3], [-6, 3], [19.99, 0.01], [-0.3, 0.1], [0.0075, 0.0001], [1e21, 1], [1e308, 0.5], [5e-324, 5e-324]];
  for (const [value = 0, divisor = 1] of multiples) assert.equal(isMultipleOf(value, divisor), true, `${value} of ${divisor}`);
  const others = [[7, 3], [19.995, 0.01], [0.35, 0.1], [1e21, 3], [1e308, 0.123456789], [1.5e-8, 1e-8], [5e-324, 1], [
    Infinity,
    1,
  ]];
  for (const [value = 0, divisor = 1] of others) assert.equal(isMultipleOf(value, divisor), false, `${value} of ${divisor}`);
});

Deno.test("isMultipleOf() agrees with what the decimals say, for prices and parts of them", () => {
  for (let index = 0; index < 2_000; index++) {
    const random = createRandom(11, index);
    const cents = random.below(10_000_000);
    const places = random.below(6);
    const value = Number(`${cents}e-${places}`);
    assert.equal(isMultipleOf(value, Number(`1e-${places}`)), true, String(value));
    assert.equal(isMultipleOf(value, Number(`3e-${places}`)), cents % 3 === 0, String(value));
  }
});
