/** Judges one scenario by what the suite recorded, more strictly than the suite does. */

/** What one run of a scenario left: its exit status, its output and the text of `checks.json`. */
export interface Run {
  readonly code: number;
  readonly timedOut: boolean;
  readonly output: string;
  readonly checks: string | undefined;
}

/** The judgement: passed when `reasons` is empty. */
export interface Verdict {
  readonly checks: number;
  readonly reasons: readonly string[];
}

interface Check {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly errorMessage?: unknown;
}

/**
 * Judges a run. A warning is a failure, and so is a scenario without a successful check of its own: the suite itself lets one pass
 * whose checks were all skipped or that recorded none, and adds `wire-schema-*` to every scenario.
 */
export function judge({ code, timedOut, output, checks: text }: Run): Verdict {
  const reasons: string[] = [];
  if (timedOut) reasons.push("Ran over its time");
  const checks = readChecks(text);
  if (checks === undefined) return { checks: 0, reasons: [...reasons, `Recorded no checks (exit ${code}): ${lastLine(output)}`] };
  for (const { id, status, errorMessage } of checks) {
    if (status !== "FAILURE" && status !== "WARNING") continue;
    const message = typeof errorMessage === "string" ? `: ${errorMessage.split("\n")[0]?.slice(0, 300)}` : "";
    reasons.push(`${status === "WARNING" ? "Warning" : "Failure"} ${id}${message}`);
  }
  const own = checks.filter(({ id, status }) => status === "SUCCESS" && !String(id).startsWith("wire-schema-"));
  if (own.length === 0 && reasons.length === 0) reasons.push("No check of its own succeeded");
  if (code !== 0 && reasons.length === 0) {
    const why = /CLIENT (?:TIMED OUT|EXITED WITH ERROR.*)/.exec(output)?.[0] ?? lastLine(output);
    reasons.push(`Exit status ${code}: ${why}`);
  }
  return { checks: checks.length, reasons };
}

function readChecks(text: string | undefined): Check[] | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
