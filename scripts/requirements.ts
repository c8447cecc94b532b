/** Says which requirements of the specification a test names, and which it does not. */

import { parseArgs } from "node:util";
import { type Requirement, requirements } from "../tests/requirements.ts";
import { readTree } from "./check_imports.ts";
import { ROOT } from "./command.ts";
import { print, printError } from "./print.ts";
import { isTestFile, testNames } from "./test_names.ts";

/** The ids that tests name, each with the names of these tests. */
export type NamedRequirements = Map<string, string[]>;

/** What is there and what is missing. */
export interface Coverage {
  readonly covered: readonly string[];
  readonly uncovered: readonly string[];
  /** Ids that a test names and the ledger does not have, with the test's name. */
  readonly unknown: readonly string[];
}

const ID = /\b[ML]-[A-Z-]+-\d{3}\b/g;

/** The ids in the names of the tests in the text of one file. */
export function readNames(text: string, into: NamedRequirements = new Map()): NamedRequirements {
  for (const name of testNames(text)) {
    for (const [id] of name.matchAll(ID)) into.set(id, [...(into.get(id) ?? []), name]);
  }
  return into;
}

/** Whether `requirement` is one that this revision of the SDK has to prove: 2026-07-28, no host application, no authorization. */
function isDue({ id, level, role, revisions }: Requirement): boolean {
  return level.startsWith("MUST") && role !== "host-app" && revisions.includes("2026-07-28") && !id.startsWith("M-AUTH-");
}

/** Compares what tests name with the ledger. */
export function compareCoverage(ledger: ReadonlyMap<string, Requirement>, named: NamedRequirements): Coverage {
  const due = [...ledger.values()].filter(isDue).map(({ id }) => id);
  return {
    covered: due.filter((id) => named.has(id)),
    uncovered: due.filter((id) => !named.has(id)),
    unknown: [...named].filter(([id]) => !ledger.has(id)).map(([id, names]) => `${id} in "${names[0]}"`),
  };
}

/** The ids that the tests below `root` name. */
export function readTests(root: string): NamedRequirements {
  const named: NamedRequirements = new Map();
  for (const [path, text] of readTree(root)) {
    if (isTestFile(path)) readNames(text, named);
  }
  return named;
}

if (import.meta.main) {
  const { values } = parseArgs({ args: Deno.args, options: { min: { type: "string" } } });
  const { covered, uncovered, unknown } = compareCoverage(requirements(), readTests(ROOT));
  print(`2026-07-28: ${covered.length} of ${covered.length + uncovered.length} MUST and MUST NOT named by a test`);
  if (uncovered.length > 0) print(`not named:\n${uncovered.map((id) => `  ${id}`).join("\n")}`);
  for (const one of unknown) printError(`Unknown requirement: ${one}`);
  const min = Number(values.min ?? 0);
  if (covered.length < min) printError(`Too few requirements are named by a test: ${covered.length}, the least is ${min}`);
  if (unknown.length > 0 || covered.length < min) Deno.exit(1);
}
