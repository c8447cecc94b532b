/**
 * Writes the tables of README that come from measurements: `deno task tables --write`.
 *
 * `deno task conformance` makes `dist/conformance.json`, `deno task bench` makes `dist/bench.json`. A table without its file
 * stays as it is. Without `--write`, the status is 1 when a table is another one than its file would make.
 */

import { middle, type Sample, type Samples } from "./bench/report.ts";
import { ROOT } from "./command.ts";
import { type Count, type LegFigures, readFigures } from "./conformance/figures.ts";
import { print } from "./print.ts";

/** What `deno task bench` writes, as far as it is read here. */
export interface BenchFile {
  readonly deno: string;
  readonly cores: number;
  readonly rounds: number;
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
  readonly rows: readonly { readonly what: string; readonly value: number }[];
}

/** The table of conformance: newest revision first, the server before the client. */
export function conformanceTable(figures: readonly LegFigures[]): string {
  const rows = [...figures]
    .sort((a, b) => a.leg === b.leg ? b.wire.localeCompare(a.wire) : b.leg.localeCompare(a.leg))
    .map(({ leg, wire, scored, unscored }) => `| ${leg} | ${wire} | ${count(scored)} | ${count(unscored)} |`);
  return ["| end | revision | scored | beside them |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** Whether a file holds everything that the table of speed shows; a run of single parts does not. */
export function isWhole({ samples, rows }: BenchFile): boolean {
  return COMPARED.every(({ ours, beside }) => Object.hasOwn(samples, ours) && Object.hasOwn(samples, beside)) &&
    ROWS.every(({ ours, beside }) => [ours, beside].every((name) => rows.some(({ what }) => what === name)));
}

/** The table of speed, and what was measured. */
export function speedTable({ deno, cores, rounds, samples, rows: values }: BenchFile): string {
  const measured: Samples = new Map(Object.entries(samples));
  const cpu = (name: string): string => `${number(middle(measured, name, "cpu"))} µs`;
  const rate = (name: string): string => number(middle(measured, name, "rate"));
  const time = (name: string): string => `${number(1e6 / middle(measured, name, "rate"))} µs`;
  const rows = COMPARED.map(({ what, ours, beside, label, as }) => {
    const show = as === "cpu" ? cpu : as === "time" ? time : rate;
    return `| ${what} | ${show(ours)} | ${label} ${show(beside)} |`;
  });
  const value = (name: string, unit: string): string =>
    `${number(values.find(({ what }) => what === name)?.value ?? NaN)} ${unit}`;
  const more = ROWS.map(({ what, ours, beside, unit }) =>
    `| ${what} | ${value(ours, unit)} | ${OFFICIAL} ${value(beside, unit)} |`
  );
  return [
    `Medians of ${rounds} interleaved rounds on ${cores} shared cores, Deno ${deno}. On such a machine rates move by a fifth, and the`,
    "processor time of the first row, of two servers under load at the same time, by some hundredths.",
    "",
    "| what | this package | beside it |",
    "| --- | --- | --- |",
    ...rows,
    ...more,
  ].join("\n");
}

/** The text with another part between the comments `<!-- name: begin … -->` and `<!-- name: end -->`. */
export function withPart(text: string, name: string, part: string): string {
  const lines = text.split("\n");
  const begin = lines.findIndex((line) => line.startsWith(`<!-- ${name}: begin`));
  const end = lines.indexOf(`<!-- ${name}: end -->`, begin);
  if (begin < 0 || end < 0) throw new Error(`Cannot write a table: README has no place named ${name}`);
  return [...lines.slice(0, begin + 1), "", part, "", ...lines.slice(end)].join("\n");
}

interface Compared {
  readonly what: string;
  readonly ours: string;
  readonly beside: string;
  readonly label: string;
  readonly as: "cpu" | "rate" | "time";
}

const OFFICIAL = "official";

const COMPARED: readonly Compared[] = [
  {
    what: "`tools/call` over HTTP: processor time",
    ours: "ours, tools: 1 (beside bare handler)",
    beside: "bare handler (beside ours, tools: 1)",
    label: "bare handler",
    as: "cpu",
  },
  ...[1, 50, 1_000].map((tools): Compared => ({
    what: `the echo with ${tools === 1 ? "1 tool" : `${tools.toLocaleString("en")} tools`}: requests per second`,
    ours: `ours, tools: ${tools}`,
    beside: `official, tools: ${tools}`,
    label: OFFICIAL,
    as: "rate",
  })),
  {
    what: "with 50 tools whose schemas the official server makes once",
    ours: "ours, tools: 50",
    beside: "official with shared schemas, tools: 50",
    label: OFFICIAL,
    as: "rate",
  },
  {
    what: "`tools/list` of 50 tools: requests per second",
    ours: "ours, list of 50 (beside prepared list of 50)",
    beside: "prepared list of 50 (beside ours, list of 50)",
    label: "prepared text",
    as: "rate",
  },
  { what: "`callTool` in process", ours: "ours in process", beside: "official in process", label: OFFICIAL, as: "time" },
  {
    what: "round trips over stdio per second",
    ours: "ours over stdio",
    beside: "official over stdio",
    label: OFFICIAL,
    as: "rate",
  },
];

/** Figures that no load is needed for. */
const ROWS = [
  start("a fresh process to its first `tools/list`", "first tools/list"),
  start("to its first `tools/call`", "first tools/call"),
  start("the same, [bundled](docs/deploy.md#deno)", "bundled, first tools/call"),
  size("a bundle with the server, without what checks schemas: what it loads at its start", "server", "loaded at the start"),
  size("the same: all of it", "server", "all of it"),
  size("a bundle with the client: what it loads at its start", "client", "loaded at the start"),
  size("the same: all of it", "client", "all of it"),
];

/** A first answer, more than an empty program takes. */
function start(what: string, first: string) {
  const named = (whose: string): string => `fresh process, ${whose}, ${first}: more than an empty program`;
  return { what, ours: named("ours"), beside: named(OFFICIAL), unit: "ms" } as const;
}

function size(what: string, name: string, part: "loaded at the start" | "all of it") {
  const rest = `${part}, minified, gzip`;
  return { what: `${what}, gzip`, ours: `door ./${name}, ${rest}`, beside: `official ${name}, ${rest}`, unit: "kB" } as const;
}

function count({ passed, of }: Count): string {
  return of === 0 ? "none" : `${passed} of ${of}`;
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 10 ? 1 : 2);
}

async function main(): Promise<number> {
  const readme = await Deno.readTextFile(`${ROOT}/README.md`);
  let text = readme;
  const figures = await readFigures(`${ROOT}/dist/conformance.json`);
  if (figures.length > 0) text = withPart(text, "conformance", conformanceTable(figures));
  else print("No dist/conformance.json: `deno task conformance` makes it");
  const found = await Deno.readTextFile(`${ROOT}/dist/bench.json`).catch(() => undefined);
  const bench = found === undefined ? undefined : JSON.parse(found) as BenchFile;
  if (bench !== undefined && isWhole(bench)) text = withPart(text, "speed", speedTable(bench));
  else print(`${bench === undefined ? "No" : "Only a part in"} dist/bench.json: \`deno task bench\` makes it`);
  text = await formatted(text);
  if (text === readme) {
    print("The tables of README are current");
    return 0;
  }
  if (!Deno.args.includes("--write")) {
    print("The tables of README are not current: run this again with --write");
    return 1;
  }
  await Deno.writeTextFile(`${ROOT}/README.md`, text);
  print("README.md is written");
  return 0;
}

/** Aligned as `deno fmt` has it, so that the next format changes nothing. */
async function formatted(text: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext=md", "-"],
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { code, stdout } = await child.output();
  if (code !== 0) throw new Error("Cannot format README.md");
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) Deno.exit(await main());
