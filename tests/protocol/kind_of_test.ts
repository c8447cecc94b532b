/** Tests of the names of kinds. */
import assert from "node:assert/strict";
import { kindOf } from "../../protocol/kind_of.ts";

Deno.test("kindOf names every kind of value with its article, and never the value", () => {
  const kinds: readonly (readonly [unknown, string])[] = [
    [null, "null"],
    [undefined, "undefined"],
    [[], "a list"],
    [{}, "an object"],
    ["secret", "a string"],
    [7, "a number"],
    [NaN, "a number that is not finite"],
    [true, "a boolean"],
    [7n, "a bigint"],
    [() => 7, "a function"],
  ];
  for (const [value, kind] of kinds) assert.equal(kindOf(value), kind);
});
