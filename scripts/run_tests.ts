/** Runs the tests and says at the end how many passed and failed. */

import { plainText, ROOT, runDeno } from "./command.ts";
import { print } from "./print.ts";

/** How many tests ran, and how they ended; the steps of a test are not counted. */
export interface TestCount {
  readonly passed: number;
  readonly failed: number;
}

/** Everything is allowed: the tests start programs and read `/proc`, which no narrower flag permits. */
export const PERMISSIONS: readonly string[] = ["--allow-all"];

/** Reads the closing line of `deno test`; without one (a file that does not compile, a crash) one failure is counted. */
export function readTestCount(output: string, code: number): TestCount {
  let count: TestCount | undefined;
  for (const line of plainText(output).split("\n")) {
    const match = /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed/.exec(line);
    if (match) count = { passed: Number(match[1]), failed: Number(match[2]) };
  }
  if (count === undefined) {
    const empty = code === 0 && /No test modules found/.test(output);
    return { passed: 0, failed: empty ? 0 : 1 };
  }
  return code !== 0 && count.failed === 0 ? { passed: count.passed, failed: 1 } : count;
}

/** Splits the arguments of the task into paths (what lies in `tests/` or exists on disk) and flags for `deno test`. */
export function splitArguments(args: readonly string[]): { paths: string[]; flags: string[] } {
  const paths: string[] = [];
  const flags: string[] = [];
  for (const arg of args) (!arg.startsWith("-") && (arg.startsWith("tests/") || exists(arg)) ? paths : flags).push(arg);
  return { paths, flags };
}

/** Runs `deno test` with the arguments of the task, passes its output on, and counts. */
export async function runTests(args: readonly string[]): Promise<TestCount & { readonly code: number }> {
  const { paths, flags } = splitArguments(args);
  const chosen = paths.length > 0 ? paths : ["tests/"];
  const system = chosen.some((path) => path.includes("tests/system"));
  if (system && !chosen.some((path) => hasTests(path))) return { passed: 0, failed: 0, code: 0 };
  const ignore = system ? [] : ["--ignore=tests/system"];
  const command = ["test", ...PERMISSIONS, "--parallel", "--permit-no-files", ...ignore, ...flags, ...chosen];
  const { code, output } = await runDeno(command, { forward: true });
  const count = readTestCount(output, code);
  return { ...count, code: code !== 0 ? code : count.failed > 0 ? 1 : 0 };
}

function exists(path: string): boolean {
  try {
    Deno.statSync(`${ROOT}/${path}`);
    return true;
  } catch {
    return false;
  }
}

function hasTests(path: string): boolean {
  try {
    if (Deno.statSync(`${ROOT}/${path}`).isFile) return true;
    return [...Deno.readDirSync(`${ROOT}/${path}`)].some((entry) =>
      entry.isDirectory ? hasTests(`${path}/${entry.name}`) : entry.name.endsWith("_test.ts")
    );
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const { passed, failed, code } = await runTests(Deno.args);
  print(`${passed} passed, ${failed} failed`);
  Deno.exit(code);
}
