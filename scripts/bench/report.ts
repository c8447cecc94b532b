/** Turns measurements into rows with a target, and rows into text. */

/** One round of one contender. */
export interface Sample {
  /** Processor microseconds per request. */
  readonly cpu: number;
  /** Requests a second. */
  readonly rate: number;
}

/** The rounds of each contender, by name; the same index is the same round. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

/** One line of the outcome. */
export interface Row {
  /** What was measured. */
  readonly what: string;
  /** The median over the rounds. */
  readonly value: number;
  /** "×", "µs", "ms". */
  readonly unit: string;
  /** What must be reached: at most, or at least, this value. Absent where nothing is asked. */
  readonly target?: { readonly at: "most" | "least"; readonly value: number };
}

/** What one part of the bench found. */
export interface PartResult {
  readonly samples: Samples;
  readonly rows: readonly Row[];
}

/** Two contenders, one divided by the other. */
export interface Comparison {
  readonly what: string;
  readonly a: string;
  readonly b: string;
  readonly of: keyof Sample;
  readonly target?: Row["target"];
}

/** The rows of those comparisons of which both contenders took part. */
export function compare(samples: Samples, comparisons: readonly Comparison[]): readonly Row[] {
  return comparisons.filter(({ a, b }) => samples.has(a) && samples.has(b)).map(({ what, a, b, of, target }) => ({
    what: `${what}: ${of === "cpu" ? "CPU" : "requests/s"}`,
    value: ratio(samples, a, b, of),
    unit: "×",
    ...(target === undefined ? {} : { target }),
  }));
}

/** The median of `a / b` over the rounds, so that a slow moment of the machine meets both. */
export function ratio(samples: Samples, a: string, b: string, of: keyof Sample): number {
  const below = rounds(samples, b);
  return median(rounds(samples, a).map((sample, round) => sample[of] / (below[round]?.[of] ?? NaN)));
}

/** The median over the rounds of one contender. */
export function middle(samples: Samples, name: string, of: keyof Sample): number {
  return median(rounds(samples, name).map((sample) => sample[of]));
}

/** The middle value; the mean of the two in the middle when their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? NaN)) / 2;
}

/** Whether a row reaches its target; undefined where there is none. */
export function reached({ value, target }: Row): boolean | undefined {
  if (target === undefined) return undefined;
  return target.at === "most" ? value <= target.value : value >= target.value;
}

/** The rounds' medians, and the rows with their targets, as two tables. */
export function formatReport(results: readonly PartResult[]): string {
  const names = results.flatMap(({ samples }) =>
    [...samples.keys()].map((name) => [name, digits(middle(samples, name, "cpu")), digits(middle(samples, name, "rate"))])
  );
  const rows = results.flatMap((result) => result.rows).map((row) => [
    row.what,
    `${digits(row.value)} ${row.unit}`,
    row.target === undefined ? "" : `${row.target.at === "most" ? "≤" : "≥"} ${row.target.value}`,
    reached(row) === undefined ? "" : reached(row) ? "reached" : "NOT REACHED",
  ]);
  return [
    table(["contender", "CPU µs/request", "requests/s"], names),
    table(["what", "median", "target", ""], rows),
  ].join("\n\n");
}

/** The same as a JSON text. */
export function jsonReport(results: readonly PartResult[], facts: object): string {
  const samples = Object.fromEntries(results.flatMap((result) => [...result.samples]));
  const rows = results.flatMap((result) => result.rows).map((row) => ({ ...row, reached: reached(row) ?? null }));
  return `${JSON.stringify({ ...facts, rows, samples }, null, 2)}\n`;
}

function rounds(samples: Samples, name: string): readonly Sample[] {
  const found = samples.get(name);
  if (found === undefined) throw new Error(`Report: no measurement of ${name}`);
  return found;
}

function digits(value: number): string {
  return value >= 1_000 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)).join("  ")
      .trimEnd();
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}
