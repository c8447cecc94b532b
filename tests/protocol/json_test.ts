/** Tests of the questions that are asked of JSON values. */
import assert from "node:assert/strict";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/json.ts";

Deno.test("isJsonObject accepts objects, those without a prototype included", () => {
  for (const value of [{}, { a: 1 }, Object.create(null), JSON.parse('{"__proto__":null}')]) {
    assert.equal(isJsonObject(value), true);
  }
});

Deno.test("isJsonObject refuses null, arrays and everything that is no object", () => {
  for (const value of [null, [], [{}], "", "{}", 0, NaN, true, undefined, () => 1, Symbol("a")]) {
    assert.equal(isJsonObject(value), false);
  }
});

Deno.test("ownMember reads own members, those with the names of built-ins included (B038)", () => {
  const object = JSON.parse('{"__proto__":1,"constructor":2,"toString":3,"hasOwnProperty":4,"":5}') as JsonObject;
  assert.deepEqual(["__proto__", "constructor", "toString", "hasOwnProperty", ""].map((key) => ownMember(object, key)), [
    1,
    2,
    3,
    4,
    5,
  ]);
});

Deno.test("ownMember never reaches the prototype (B038)", () => {
  for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]) {
    assert.equal(ownMember({}, key), undefined);
  }
});

Deno.test("ownMember tells null from an absent member", () => {
  assert.equal(ownMember({ a: null }, "a"), null);
  assert.equal(ownMember({ a: null }, "b"), undefined);
});
