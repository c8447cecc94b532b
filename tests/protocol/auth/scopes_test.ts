import assert from "node:assert/strict";
import { coversScopes, readScopes, uniteScopes } from "../../../protocol/auth/scopes.ts";

Deno.test("readScopes keeps the order, drops repetitions and what is no scope", () => {
  assert.deepEqual(readScopes("b a  b"), ["b", "a"]);
  assert.deepEqual(readScopes(' a"b c\\d é \u0000 e '), ["e"]);
  assert.deepEqual(readScopes(""), []);
  assert.deepEqual(readScopes(undefined), []);
});

Deno.test("uniteScopes joins sets that share nothing, in order, each once (M-AUTH-108)", () => {
  assert.deepEqual(uniteScopes(["a", "b"], [], ["c", "a"]), ["a", "b", "c"]);
  assert.deepEqual(uniteScopes(), []);
});

Deno.test("coversScopes compares names alone (M-AUTH-050)", () => {
  assert.ok(coversScopes(["a", "b"], ["b"]));
  assert.ok(coversScopes([], []));
  assert.ok(!coversScopes(["a"], ["A"]));
  assert.ok(!coversScopes(["admin"], ["read"]));
});
