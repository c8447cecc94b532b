/** Tests of `transports/is_shareable.ts`. */
import assert from "node:assert/strict";
import { frozenCopy } from "../../protocol/frozen_copy.ts";
import { isShareable } from "../../transports/is_shareable.ts";

Deno.test("isShareable takes JSON that is frozen at every depth, and says so again", () => {
  const value = frozenCopy({ name: "x", list: [1, null, { deep: true }], none: {} });
  assert.equal(isShareable(value), true);
  assert.equal(isShareable(value), true);
});

Deno.test("isShareable refuses what can still change, at any depth (B088)", () => {
  for (const value of [{}, [], Object.freeze({ list: [] }), Object.freeze([Object.freeze({ deep: {} })])]) {
    assert.equal(isShareable(value), false);
  }
  let read = 0;
  assert.equal(
    isShareable(Object.freeze({
      get at() {
        return read++;
      },
    })),
    false,
  );
  assert.equal(read, 0);
});

Deno.test("isShareable refuses what JSON text would not give as it is", () => {
  const hidden = Object.defineProperty({}, "x", { value: 1 });
  const odd = [{ a: undefined }, { a: NaN }, { a: -0 }, { a: 1n }, { a: () => 1 }, { [Symbol("a")]: 1 }, hidden, new Date(0), [
    ,
  ]];
  for (const value of odd) assert.equal(isShareable(Object.freeze(value)), false);
});
