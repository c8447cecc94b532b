/** Says which test shows which case and which limit; with `--write` it writes `tests/cases.md`. */

import { resolveLimits } from "../protocol/limits.ts";
import { readTree } from "./check_imports.ts";
import { ROOT } from "./command.ts";
import { print, printError } from "./print.ts";
import { isTestFile, testNames } from "./test_names.ts";

/** One case: a fault that an implementation of the protocol may have, told as what is right. */
export interface Case {
  /** `B` and three digits. */
  readonly id: string;
  /** What it concerns. */
  readonly area: string;
  /** What is right. */
  readonly sentence: string;
}

/** A test that names cases. */
export interface Naming {
  /** Its file. */
  readonly path: string;
  /** Its name; `…` stands for what is filled in. */
  readonly name: string;
}

/** The area of authorization, whose cases may still lack a test. */
const PENDING = "oauth";

const ID = /\bB\d{3}\b/g;

/** Reads lines of id, area and sentence. Throws a `TypeError` that names the first line that is none. */
export function parseCases(table: string): Case[] {
  const found = new Map<string, Case>();
  for (const line of table.trim().split("\n")) {
    const [id = "", area = "", sentence = "", more] = line.split("\t");
    const known = /^B\d{3}$/.test(id) && /^[a-z-]+$/.test(area) && sentence !== "" && more === undefined;
    if (!known || found.has(id)) throw new TypeError(`Cannot read the case: "${line}"`);
    found.set(id, { id, area, sentence });
  }
  return [...found.values()];
}

/** The bounds that a name has in view: `limit pages`, or a name that nothing else bears, such as `pageSize`. */
function limitsIn(name: string): readonly string[] {
  const own = (limit: string): RegExp => /[A-Z]/.test(limit) ? new RegExp(`\\b${limit}\\b`) : new RegExp(`\\blimit ${limit}\\b`);
  return LIMITS.filter((limit) => own(limit).test(name));
}

const LIMITS: readonly string[] = Object.keys(resolveLimits(undefined));

/** The tests that name a case by its id, or a limit, in the order of their files. */
export function readNamings(files: ReadonlyMap<string, string>): Map<string, Naming[]> {
  const found = new Map<string, Naming[]>();
  for (const [path, text] of [...files].sort(([one], [other]) => one < other ? -1 : 1)) {
    if (!isTestFile(path)) continue;
    for (const name of testNames(text)) {
      for (const id of new Set([...name.match(ID) ?? [], ...limitsIn(name)])) {
        found.set(id, [...(found.get(id) ?? []), { path, name }]);
      }
    }
  }
  return found;
}

/** Writes the tables. */
export function casesTable(cases: readonly Case[], namings: ReadonlyMap<string, readonly Naming[]>): string {
  const shown = (id: string): string => {
    const tests = (namings.get(id) ?? []).map(({ path, name }) => `\`${path.slice("tests/".length)}\`: ${cell(name)}`);
    return tests.length === 0 ? "not yet" : tests.join("<br>");
  };
  const rows = cases.map(({ id, area, sentence }) => `| ${id} | ${area} | ${cell(sentence)} | ${shown(id)} |`);
  return `# Faults that implementations are known for, and the tests that show what is right

Written by \`deno task cases --write\` from \`tests/cases.tsv\` and the names of the tests.

| case | area | what is right | shown by |
| ---- | ---- | ------------- | -------- |
${rows.join("\n")}

# Limits, and the tests at their edge

| limit | shown by |
| ----- | -------- |
${LIMITS.map((limit) => `| ${limit} | ${shown(limit)} |`).join("\n")}
`;
}

/** Everything that is wrong: cases and limits without a test, and ids that are none. */
export function caseProblems(cases: readonly Case[], namings: ReadonlyMap<string, readonly Naming[]>): string[] {
  const known = new Set(cases.map(({ id }) => id));
  return [
    ...cases.filter(({ id, area }) => area !== PENDING && !namings.has(id)).map(({ id }) => `No test names ${id}`),
    ...LIMITS.filter((limit) => !namings.has(limit)).map((limit) => `No test names the limit ${limit}`),
    ...[...namings].filter(([id]) => !known.has(id) && !LIMITS.includes(id)).map(([id, [first]]) =>
      `Unknown case ${id} in ${first?.path}`
    ),
  ];
}

/** The table as it should be, and as it is. */
export function readCases(): { readonly wanted: string; readonly found: string; readonly problems: readonly string[] } {
  const cases = parseCases(Deno.readTextFileSync(`${ROOT}/tests/cases.tsv`));
  const namings = readNamings(new Map(readTree(ROOT)));
  let found = "";
  try {
    found = Deno.readTextFileSync(TABLE);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return { wanted: casesTable(cases, namings), found, problems: caseProblems(cases, namings) };
}

const TABLE = `${ROOT}/tests/cases.md`;

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

if (import.meta.main) {
  const { wanted, found, problems } = readCases();
  for (const problem of problems) printError(problem);
  if (Deno.args.includes("--write")) Deno.writeTextFileSync(TABLE, wanted);
  else if (wanted !== found) printError("tests/cases.md is not what the tests say: run deno task cases --write");
  print(`${wanted.split("\n| B").length - 1} cases, ${wanted.split("| not yet |").length - 1} without a test`);
  if (problems.length > 0 || (wanted !== found && !Deno.args.includes("--write"))) Deno.exit(1);
}
