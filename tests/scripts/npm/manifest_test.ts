import assert from "node:assert/strict";
import { completeManifest } from "../../../scripts/npm/manifest.ts";

const PACKED = {
  name: "@a/b",
  version: "1.2.3",
  type: "module",
  license: "MIT",
  main: "./mod.js",
  types: "./mod.d.ts",
  exports: { ".": { types: "./mod.d.ts", import: "./mod.js", default: "./mod.js" } },
  dependencies: { z: "^1", a: "^2" },
};

Deno.test("completeManifest() adds what deno pack leaves out, and sorts the dependencies", () => {
  const manifest = completeManifest(PACKED, "https://example.com/a/b");
  assert.equal(manifest["name"], "@a/b");
  assert.equal(manifest["version"], "1.2.3");
  assert.equal(manifest["sideEffects"], false);
  assert.deepEqual(manifest["engines"], { node: ">=20.16.0" });
  for (const key of ["description", "keywords", "repository", "license", "type"]) assert.ok(manifest[key], key);
  const exports = { ".": { types: "./mod.d.ts", default: "./mod.js" }, "./package.json": "./package.json" };
  assert.deepEqual(manifest["exports"], exports);
  assert.deepEqual(Object.keys(manifest["dependencies"] as object), ["a", "z"]);
});

Deno.test("completeManifest() names no repository that nobody has named", () => {
  for (const key of ["homepage", "bugs", "repository"]) assert.ok(!(key in completeManifest(PACKED)), key);
});

Deno.test("completeManifest() refuses an export without types", () => {
  const exports = { ".": { import: "./mod.js", default: "./mod.js" } };
  assert.throws(() => completeManifest({ ...PACKED, exports }), /The export "\." has no types/);
});
