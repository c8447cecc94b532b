/** Tests of the search for equal items. */
import assert from "node:assert/strict";
import { hasDuplicates, surveyLists } from "../../protocol/unique_items.ts";
import { createRandom } from "./random.ts";

Deno.test("hasDuplicates compares as JSON does", () => {
  for (
    const items of [
      [1, "1"],
      [null, "null"],
      [true, 1],
      [[1], { 0: 1 }],
      [[1, 2], [2, 1]],
      [{ a: 1 }, { a: "1" }],
      [[[]], []],
      [],
    ]
  ) {
    assert.equal(hasDuplicates(items), false, JSON.stringify(items));
  }
  for (const items of [[1, 1.0], ["a", "a"], [{ a: 1, b: 2 }, { b: 2, a: 1 }], [[1, [2]], [1, [2]]], [null, null], [{}, {}]]) {
    assert.equal(hasDuplicates(items), true, JSON.stringify(items));
  }
});

Deno.test("hasDuplicates agrees with a comparison of each with each, for random lists", () => {
  const random = createRandom(23);
  const value = (depth: number): unknown => {
    const kind = random.below(depth > 2 ? 3 : 5);
    if (kind === 3) return Array.from({ length: random.below(3) }, () => value(depth + 1));
    if (kind === 4) {
      return Object.fromEntries(Array.from({ length: random.below(3) }, () => [random.pick(["a", "b:", ","]), value(depth + 1)]));
    }
    return random.pick([0, 1, "0", "a,", ":", null, true]);
  };
  const equal = (a: unknown, b: unknown): boolean => {
    try {
      assert.deepStrictEqual(a, b);
      return true;
    } catch {
      return false;
    }
  };
  for (let round = 0; round < 500; round++) {
    const items = Array.from({ length: 1 + random.below(5) }, () => value(0));
    const expected = items.some((one, index) => items.slice(index + 1).some((other) => equal(one, other)));
    assert.equal(hasDuplicates(items), expected, JSON.stringify(items));
  }
});

Deno.test("surveyLists looks at lists of any depth", () => {
  assert.deepEqual(surveyLists({ a: [1, 2], b: { c: [[3, 3]] } }), { duplicates: true, squares: 4 + 1 + 4 });
  assert.deepEqual(surveyLists({ a: [1, 2, [1]] }), { duplicates: false, squares: 9 + 1 });
});
