import assert from "node:assert/strict";
import { SkillCache } from "../../../client/extensions/skill_cache.ts";

const file = (size: number): { bytes: Uint8Array<ArrayBuffer>; mimeType: undefined } => ({
  bytes: new Uint8Array(size),
  mimeType: undefined,
});

Deno.test("SkillCache drops what was not used for the longest time when it is full", () => {
  const cache = new SkillCache(3100);
  for (const uri of ["a", "b", "c"]) cache.set(uri, "d", file(1000));
  assert.ok(cache.get("a", "d"));
  cache.set("e", "d", file(1000));
  assert.deepEqual(["a", "b", "c", "e"].filter((uri) => cache.get(uri, "d") !== undefined), ["a", "c", "e"]);
});

Deno.test("SkillCache tells files apart by URI and digest, and counts one that is set again once", () => {
  const cache = new SkillCache(2100);
  for (let time = 0; time < 5; time++) cache.set("a", "d", file(1000));
  cache.set("b", "d", file(1000));
  assert.ok(cache.get("a", "d"));
  assert.equal(cache.get("a", "other"), undefined);
  assert.equal(cache.get('a","d', ""), undefined);
});

Deno.test("SkillCache keeps nothing that is larger than all of it, and no endless number of empty files", () => {
  const cache = new SkillCache(1000);
  cache.set("small", "d", file(10));
  cache.set("large", "d", file(1000));
  assert.ok(cache.get("small", "d"));
  assert.equal(cache.get("large", "d"), undefined);
  for (let at = 0; at < 1000; at++) cache.set(`empty ${at}`, "d", file(0));
  assert.equal(cache.get("small", "d"), undefined);
  assert.equal(cache.get("empty 0", "d"), undefined);
  assert.ok(cache.get("empty 999", "d"));
});
