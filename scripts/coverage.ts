/** How many lines of the package the tests reached, and the least that is enough. */

import { ROOT, runDeno } from "./command.ts";
import { print } from "./print.ts";

/** The least share of lines, in per cent, over `protocol/`, `server/`, `client/` and `transports/` together. */
const LEAST_COVERAGE = 90;

/** The lines of one file. */
export interface FileCoverage {
  readonly path: string;
  readonly lines: number;
  readonly hit: number;
}

/** Reads an lcov report; a file that was reported twice counts once. */
export function readLcov(text: string): FileCoverage[] {
  const files = new Map<string, Map<number, number>>();
  let lines = new Map<number, number>();
  for (const row of text.split("\n")) {
    if (row.startsWith("SF:")) {
      const path = row.slice(3);
      lines = files.get(path) ?? new Map();
      files.set(path, lines);
    } else if (row.startsWith("DA:")) {
      const [line = 0, count = 0] = row.slice(3).split(",").map(Number);
      lines.set(line, (lines.get(line) ?? 0) + count);
    }
  }
  return [...files].map(([path, found]) => ({
    path,
    lines: found.size,
    hit: [...found.values()].filter((count) => count > 0).length,
  }));
}

/** The share of lines that were reached, in per cent. */
export function percent(files: readonly FileCoverage[]): number {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  return lines === 0 ? 0 : 100 * files.reduce((sum, file) => sum + file.hit, 0) / lines;
}

/** Prints the files below the threshold and the totals of a raw profile; resolves with whether it is enough. */
export async function printCoverage(profile: string): Promise<{ ok: boolean; note: string }> {
  const include = `--include=^file://${ROOT}/(protocol|server|client|transports|testing)/`;
  const report = `${ROOT}/coverage/lcov.info`;
  const { code, output } = await runDeno(["coverage", "--lcov", `--output=${report}`, include, profile]);
  if (code !== 0) {
    print(output);
    return { ok: false, note: "no report" };
  }
  const files = readLcov(await Deno.readTextFile(report)).map((file) => ({ ...file, path: file.path.replace(`${ROOT}/`, "") }));
  const below = files.filter((file) => percent([file]) < LEAST_COVERAGE).sort((a, b) => percent([a]) - percent([b]));
  for (const file of below) print(`  ${percent([file]).toFixed(1).padStart(5)} % ${file.path}`);
  for (const folder of ["protocol", "server", "client", "transports", "testing"]) {
    const part = files.filter(({ path }) => path.startsWith(`${folder}/`));
    print(`  ${percent(part).toFixed(1).padStart(5)} % ${folder}/ (${part.length} files)`);
  }
  const total = percent(files);
  return { ok: total >= LEAST_COVERAGE, note: `${total.toFixed(1)} % of lines, the least is ${LEAST_COVERAGE} %` };
}
