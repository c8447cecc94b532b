/** Tests that each bound has a test at its edge. */
import assert from "node:assert/strict";
import { resolveLimits } from "../protocol/limits.ts";
import { EDGE_TESTS } from "./edge_tests.ts";
import type { EdgeTest } from "./edge_tests.ts";

const FOLDER = new URL(".", import.meta.url);

async function textOf(file: string): Promise<string> {
  return await Deno.readTextFile(new URL(file, FOLDER));
}

/** Does the file have a test with these words in its title? */
function hasTitle(source: string, words: string): boolean {
  const titles = [...source.matchAll(/(?:Deno\.test\(|^ {2}name:\s*)(["`])(.*?)\1/gms)].map(([, , title]) => title ?? "");
  return titles.some((title) => title.includes(words));
}

Deno.test("each bound that can be set names its tests at the edge, and each of them is there", async () => {
  const rows = EDGE_TESTS as { readonly [limit: string]: { readonly [where: string]: EdgeTest } };
  assert.deepEqual(Object.keys(resolveLimits(undefined)).sort(), Object.keys(rows).sort());
  for (const [limit, places] of Object.entries(rows)) {
    assert.ok(Object.keys(places).length > 0, limit);
    for (const [where, [file, title, row]] of Object.entries(places)) {
      const source = await textOf(file);
      assert.ok(hasTitle(source, title), `${limit}, ${where}: ${file} has no test "${title}"`);
      assert.ok(source.includes(row ?? limit), `${limit}, ${where}: ${file} does not set it`);
    }
  }
});

Deno.test("hasTitle finds words of titles alone", () => {
  assert.ok(hasTitle('Deno.test("at the limit x, it works", () => {', "limit x"));
  assert.ok(hasTitle("Deno.test({\n  name: `limit x`,", "limit x"));
  assert.ok(!hasTitle("// limit x", "limit x"));
});
