/** Measures how long a fresh process takes to its first answer, beyond an empty program. */
import config from "../../deno.json" with { type: "json" };
import { bundleProgram } from "../bundle_program.ts";
import { endedChildrenSeconds } from "./child.ts";
import type { Options } from "./options.ts";
import { median, type PartResult, type Row } from "./report.ts";

/** One program with its arguments. */
interface Start {
  readonly what: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly most?: number;
}

/** The programs after `deno bundle`. */
const OURS_BUNDLED = "start_ours.js";
const OFFICIAL_BUNDLED = "start_official.js";

const STARTS: readonly Start[] = [
  { what: "ours, first tools/list", file: "start_ours.ts", args: ["tools/list"], most: 60 },
  { what: "ours, first tools/call", file: "start_ours.ts", args: ["tools/call"], most: 180 },
  { what: "ours, first tools/call with the interpreter", file: "start_ours.ts", args: ["tools/call", "interpreter"], most: 90 },
  { what: "ours, bundled, first tools/list", file: OURS_BUNDLED, args: ["tools/list"] },
  { what: "ours, bundled, first tools/call", file: OURS_BUNDLED, args: ["tools/call"] },
  { what: "ours, bundled, first tools/call with the interpreter", file: OURS_BUNDLED, args: ["tools/call", "interpreter"] },
  { what: "official, bundled, first tools/list", file: OFFICIAL_BUNDLED, args: ["tools/list"] },
  { what: "official, bundled, first tools/call", file: OFFICIAL_BUNDLED, args: ["tools/call"] },
  { what: "official, first tools/list", file: "start_official.ts", args: ["tools/list"] },
  { what: "official, first tools/call", file: "start_official.ts", args: ["tools/call"] },
];

/** The packages that the programs need. */
const PACKAGES = ["ajv", "@cfworker/json-schema", "@modelcontextprotocol/server"] as const;

/** What a start took beyond an empty program, in milliseconds. */
interface More {
  readonly wall: number;
  readonly cpu: number;
}

/** First answers of fresh processes, as the median of the differences to an empty program started just before. */
export async function startPart(options: Options): Promise<PartResult> {
  const starts = STARTS.filter(({ what }) => !(options.ours && what.startsWith("official")));
  const all = starts.map((): More[] => []);
  const project = await writeProject();
  for (const name of ["start_ours.ts", ...options.ours ? [] : ["start_official.ts"]]) {
    await bundleProgram(programs(name), bundled(), project);
  }
  for (const { file, args } of starts) await run(project, file, args);
  for (let round = 0; round < options.rounds; round++) {
    for (const [index, { file, args }] of starts.entries()) {
      const empty = await run(project, "empty.ts", []);
      const { wall, cpu } = await run(project, file, args);
      all[index]?.push({ wall: wall - empty.wall, cpu: cpu - empty.cpu });
    }
  }
  const rows = starts.flatMap(({ what, most }, index): Row[] => [
    {
      what: `fresh process, ${what}: more than an empty program`,
      value: median((all[index] ?? []).map(({ wall }) => wall)),
      unit: "ms",
      ...(most === undefined ? {} : { target: { at: "most", value: most } }),
    },
    {
      what: `fresh process, ${what}: CPU more than an empty program`,
      value: median((all[index] ?? []).map(({ cpu }) => cpu)),
      unit: "ms",
    },
  ]);
  return { samples: new Map(), rows };
}

/** A project that depends on this package alone: the packages that are only developed with take Deno milliseconds to look up. */
async function writeProject(): Promise<string> {
  const root = new URL("../../", import.meta.url);
  const imports = {
    ...Object.fromEntries(PACKAGES.map((name) => [name, config.imports[name]])),
    "@causeway/mcp/server": new URL(config.exports["./server"], root).href,
  };
  const file = new URL("dist/start/deno.json", root);
  await Deno.mkdir(new URL(".", file), { recursive: true });
  await Deno.writeTextFile(file, JSON.stringify({ imports }));
  return file.pathname;
}

/** Milliseconds from the start of a process to its end, and those that it used. */
async function run(project: string, file: string, given: readonly string[]): Promise<More> {
  const program = file.endsWith(".js") ? bundled(file) : programs(file);
  const args = ["run", "-A", "--cached-only", "--no-lock", "--config", project, program, ...given];
  const cpu = endedChildrenSeconds();
  const started = performance.now();
  const { success } = await new Deno.Command(Deno.execPath(), { args, stdout: "inherit", stderr: "inherit" }).output();
  if (!success) throw new Error(`${file} ${given.join(" ")}: ended with an error`);
  return { wall: performance.now() - started, cpu: (endedChildrenSeconds() - cpu) * 1_000 };
}

/** The path of a program of the bench. */
function programs(file: string): string {
  return new URL(`./programs/${file}`, import.meta.url).pathname;
}

/** The path of a bundled one. */
function bundled(file: string = ""): string {
  return new URL(`../../dist/start/bundled/${file}`, import.meta.url).pathname;
}
