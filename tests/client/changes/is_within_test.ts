/** Tests of `client/changes/is_within.ts`. */
import assert from "node:assert/strict";
import { isWithin } from "../../../client/changes/is_within.ts";

Deno.test("isWithin takes a URI itself and what begins at one of its borders", () => {
  for (const uri of ["file:///a", "file:///a/b", "file:///a?b", "file:///a#b"]) assert.ok(isWithin(uri, "file:///a"), uri);
  for (const parent of ["file:///a/", "file:///"]) assert.ok(isWithin("file:///a/b", parent), parent);
  assert.ok(isWithin("a:1?x=1", "a:1?"));
  assert.ok(isWithin("a:1", "a:"));
});

Deno.test("isWithin takes no URI that only begins with the same characters", () => {
  for (const uri of ["file:///ab", "file:///a%2Fb", "file:///", "file:///b", ""]) assert.ok(!isWithin(uri, "file:///a"), uri);
  assert.ok(!isWithin("file:///a", ""));
  assert.ok(!isWithin("http://a:80", "http://a"));
  assert.ok(isWithin("", ""));
});
