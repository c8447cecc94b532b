import assert from "node:assert/strict";
import { readTree } from "../scripts/check_imports.ts";
import { readTokens } from "../scripts/source_tokens.ts";
import { EXTENSION_CHECKLISTS } from "./extension_checklists.ts";

/** The lines that the names of tests begin with, as `tasks 01`; a name may give several: `skills 17 and 18 …`. */
function namedLines(text: string, into: Set<string> = new Set()): Set<string> {
  const tokens = readTokens(text);
  for (const [at, { kind, text: name }] of tokens.entries()) {
    if (kind !== "string" && kind !== "template") continue;
    const before = tokens[at - 1]?.text;
    // The first argument of whatever makes tests of it, or the name in its options.
    if (before !== "(" && !(before === ":" && tokens[at - 2]?.text === "name")) continue;
    const [, extension = "", numbers = ""] = /^(tasks|skills|apps) ((?:\d\d(?:, | and )?)+) \S/.exec(name) ?? [];
    for (const [number] of numbers.matchAll(/\d\d/g)) into.add(`${extension} ${number}`);
  }
  return into;
}

function allNamed(): Set<string> {
  const named = new Set<string>();
  const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
  for (const [path, text] of readTree(root)) {
    if (/^tests\/.*_test\.ts$/.test(path) && path !== "tests/extension_checklists_test.ts") namedLines(text, named);
  }
  return named;
}

Deno.test("each line of the extensions' checklists is named by a test, or it is said why none can show it", () => {
  const named = allNamed();
  const missing: string[] = [];
  const both: string[] = [];
  for (const [extension, { lines, unshown }] of Object.entries(EXTENSION_CHECKLISTS)) {
    for (const [at, line] of lines.entries()) {
      const id = `${extension} ${String(at + 1).padStart(2, "0")}`;
      const isNamed = named.delete(id);
      const isUnshown = Object.hasOwn(unshown, at + 1);
      if (!isNamed && !isUnshown) missing.push(`${id} ${line}`);
      if (isNamed && isUnshown) both.push(id);
    }
  }
  assert.deepEqual(missing, []);
  assert.deepEqual(both, []);
  assert.deepEqual([...named], [], "lines that no checklist has");
});

Deno.test("the checklists have their lines, and few of them are without a test", () => {
  const counts = Object.entries(EXTENSION_CHECKLISTS).map(([name, { lines }]) => [name, lines.length]);
  assert.deepEqual(counts, [["tasks", 20], ["skills", 22], ["apps", 18]]);
  const unshown = Object.values(EXTENSION_CHECKLISTS).flatMap(({ lines, unshown }) =>
    Object.entries(unshown).map(([line, reason]) => {
      assert.ok(Number(line) >= 1 && Number(line) <= lines.length && reason.length > 20, `${line}: ${reason}`);
      return line;
    })
  );
  assert.ok(unshown.length <= 10);
});

Deno.test("the lines that names begin with are found, one or several, and nothing else is", () => {
  const source = [
    'Deno.test("tasks 01 a fact", f); Deno.test(`skills 11 and 12 a fact: ${x}`, f);',
    'each("apps 03, 04 and 05 a fact", f); Deno.test({ name: "apps 06 a fact" });',
    'Deno.test("a fact of tasks 07", f); Deno.test("tasks 8 a fact", f); Deno.test("tasks 09", f); const x = "tasks 10 a fact";',
    '// Deno.test("tasks 11 a fact", f)',
  ].join("\n");
  assert.deepEqual([...namedLines(source)], ["tasks 01", "skills 11", "skills 12", "apps 03", "apps 04", "apps 05", "apps 06"]);
});
