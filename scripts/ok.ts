/** The one gate: every check in turn, with its time; stops at the first that fails. */

import { ROOT, runDeno } from "./command.ts";
import { printCoverage } from "./coverage.ts";
import { print } from "./print.ts";
import { runTests } from "./run_tests.ts";
import { readDoors } from "./surface.ts";

interface Step {
  readonly name: string;
  /** Resolves with whether it went well, and what to say of it. */
  run(): Promise<{ readonly ok: boolean; readonly note?: string }>;
}

const PROFILE = "coverage/profile";

const STEPS: readonly Step[] = [
  deno("fmt", ["fmt", "--check"]),
  deno("lint", ["lint"]),
  deno("check", ["check", "."]),
  deno("imports", ["run", "--allow-read", "scripts/check_imports.ts"]),
  { name: "doc lint", run: lintDoors },
  deno("doc tests", ["run", "-A", "scripts/check_docs.ts"]),
  { name: "tests", run: testWithCoverage },
  { name: "coverage", run: () => printCoverage(PROFILE) },
  deno("publish", ["publish", "--dry-run", "--allow-dirty"]),
];

/** A step that is one call of Deno; what it wrote is shown only when it fails. */
function deno(name: string, args: readonly string[]): Step {
  return {
    name,
    async run() {
      const { code, output } = await runDeno(args);
      if (code !== 0) print(output);
      return { ok: code === 0 };
    },
  };
}

/** Each door by itself, so that it exports every type that its own signatures mention. */
async function lintDoors(): Promise<{ ok: boolean }> {
  for (const file of Object.values(await readDoors())) {
    const { ok } = await deno("doc lint", ["doc", "--lint", file]).run();
    if (!ok) return { ok };
  }
  return { ok: true };
}

async function testWithCoverage(): Promise<{ ok: boolean; note: string }> {
  await Deno.remove(`${ROOT}/coverage`, { recursive: true }).catch(() => {});
  const { passed, failed, code } = await runTests([`--coverage=${PROFILE}`, "--coverage-raw-data-only", "--reporter=dot"]);
  return { ok: code === 0, note: `${passed} passed, ${failed} failed` };
}

if (import.meta.main) {
  for (const step of STEPS) {
    const started = performance.now();
    const { ok, note } = await step.run();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(`${ok ? "ok    " : "FAILED"} ${step.name} (${seconds} s)${note ? `: ${note}` : ""}`);
    if (!ok) {
      print(`Stopped: the step "${step.name}" failed; what it found stands above`);
      Deno.exit(1);
    }
  }
  print("Every step passed");
}
