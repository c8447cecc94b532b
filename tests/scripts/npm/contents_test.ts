import assert from "node:assert/strict";
import { contentFaults } from "../../../scripts/npm/contents.ts";

const MANIFEST = {
  name: "@a/b",
  exports: { ".": { types: "./mod.d.ts", default: "./mod.js" }, "./package.json": "./package.json" },
  dependencies: { ajv: "^8" },
};

function faults(changes: Readonly<Record<string, string | undefined>>): string[] {
  const files = {
    "LICENSE": "",
    "README.md": "",
    "mod.d.ts": 'export * from "./part.js";',
    "mod.js": 'export * from "./part.js"; const load = () => import("ajv/dist/2020.js");',
    "package.json": JSON.stringify(MANIFEST),
    "part.d.ts": "export {};",
    "part.js": "export {};",
    ...changes,
  };
  const present = Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return contentFaults(new Map(present), ["/home/me/"]);
}

Deno.test("contentFaults() finds nothing wrong with a whole package", () => assert.deepEqual(faults({}), []));

Deno.test("contentFaults() names each thing that is wrong", async (t) => {
  const wrong: readonly [Readonly<Record<string, string | undefined>>, string][] = [
    [{ "LICENSE": undefined }, "LICENSE: is not there"],
    [{ "part.js": undefined }, "mod.js: imports ./part.js, which is not there"],
    [{ "part.d.ts": undefined }, "mod.d.ts: imports ./part.js, which is not there"],
    [{ "mod.d.ts": undefined }, './mod.d.ts: the export "." names it, and it is not there'],
    [{ "part.js": 'import "jose";' }, "part.js: imports jose, which is no dependency"],
    [{ "part.d.ts": 'import type { A } from "zod/v4";' }, "part.d.ts: imports zod/v4, which is no dependency"],
    [{ "part.js": 'import "node:fs";' }, "part.js: imports node:fs of Node"],
    [{ "mod.js": 'export * from "./part.js";' }, "package.json: depends on ajv, which nothing imports"],
    [{ "part.js": "//# sourceMappingURL=part.js.map" }, "part.js: has a source map"],
    [{ "part.js": "const at = '/home/me/x';" }, "part.js: names /home/me/"],
    [{ "lone.ts": "" }, "lone.ts: is a source that no door reaches"],
    [{ "part_test.js": "" }, "part_test.js: does not belong into a package"],
    [{ "tests/part.js": "" }, "tests/part.js: does not belong into a package"],
    [{ "deno.lock": "{}" }, "deno.lock: does not belong into a package"],
    [{ "part.js.map": "{}" }, "part.js.map: does not belong into a package"],
  ];
  for (const [changes, fault] of wrong) await t.step(fault, () => assert.deepEqual(faults(changes), [fault]));
});
