/** Tests of `scripts/cases.ts`. */
import assert from "node:assert/strict";
import { caseProblems, casesTable, parseCases, readCases, readNamings } from "../../scripts/cases.ts";

const CASES = parseCases("B001\tsse\tOne thing\nB002\toauth\tAnother thing\n");

const FILES = new Map([
  ["tests/b_test.ts", '// B009\nconst id = "B008"; Deno.test({ name: "three (B001)", fn() {} });'],
  ["tests/a_test.ts", 'Deno.test("one | two (B001, B001)", f); for (const x of [1]) Deno.test(`four ${x} (B007)`, () => {});'],
  ["tests/scripts/cases_test.ts", 'Deno.test("B006", f);'],
  ["tests/helper.ts", 'Deno.test("B005", f);'],
]);

Deno.test("readNamings finds ids in the names of tests only, those behind what is filled in included", () => {
  const namings = readNamings(FILES);
  assert.deepEqual([...namings.keys()].sort(), ["B001", "B007"]);
  assert.deepEqual(namings.get("B001")?.map(({ path }) => path), ["tests/a_test.ts", "tests/b_test.ts"]);
  assert.deepEqual(namings.get("B007"), [{ path: "tests/a_test.ts", name: "four … (B007)" }]);
});

Deno.test("casesTable has a row for each case, with its tests", () => {
  const rows = casesTable(CASES, readNamings(FILES)).split("\n").filter((line) => line.startsWith("| B"));
  assert.deepEqual(rows, [
    "| B001 | sse | One thing | `a_test.ts`: one \\| two (B001, B001)<br>`b_test.ts`: three (B001) |",
    "| B002 | oauth | Another thing | not yet |",
  ]);
});

Deno.test("caseProblems names cases and limits without a test, and ids that are none", () => {
  const problems = (namings: ReturnType<typeof readNamings>) =>
    caseProblems(CASES, namings).filter((one) => !one.includes(" the limit "));
  assert.deepEqual(problems(readNamings(FILES)), ["Unknown case B007 in tests/a_test.ts"]);
  assert.deepEqual(problems(new Map()), ["No test names B001"]);
  const limits = new Map([["tests/l_test.ts", 'Deno.test("pages and pageSize, frame and the limit frame", f);']]);
  const named = readNamings(limits);
  assert.deepEqual([...named.keys()].sort(), ["frame", "pageSize"]);
  const lacking = caseProblems([], named);
  assert.ok(lacking.includes("No test names the limit pages") && !lacking.includes("No test names the limit frame"));
});

Deno.test("parseCases refuses lines that are none, and ids that come twice", () => {
  for (const table of ["B1\tsse\tx", "B001\tsse", "B001\tsse\tx\ty", "B001\tsse\tx\nB001\tsse\tx"]) {
    assert.throws(() => parseCases(table), /^TypeError: Cannot read the case: "B/);
  }
});

Deno.test("tests/cases.md is what the names of the tests say, and no case lacks a test", () => {
  const { wanted, found, problems } = readCases();
  assert.deepEqual(problems, []);
  assert.ok(wanted === found, "tests/cases.md is not what the tests say: run deno task cases --write");
});
