/** Measures how long a fresh process takes to its first answer, beyond an empty program. */
import { endedChildrenSeconds } from "./child.ts";
import type { Options } from "./options.ts";
import { median, type PartResult, type Row } from "./report.ts";

/** One program with its argument. */
interface Start {
  readonly what: string;
  readonly file: string;
  readonly method: string;
  readonly most?: number;
}

const STARTS: readonly Start[] = [
  { what: "ours, first tools/list", file: "start_ours.ts", method: "tools/list", most: 60 },
  { what: "ours, first tools/call", file: "start_ours.ts", method: "tools/call", most: 180 },
  { what: "official, first tools/list", file: "start_official.ts", method: "tools/list" },
  { what: "official, first tools/call", file: "start_official.ts", method: "tools/call" },
];

/** What a start took beyond an empty program, in milliseconds. */
interface More {
  readonly wall: number;
  readonly cpu: number;
}

/** First answers of fresh processes, as the median of the differences to an empty program started just before. */
export async function startPart(options: Options): Promise<PartResult> {
  const starts = STARTS.filter(({ what }) => !(options.ours && what.startsWith("official")));
  const all = starts.map((): More[] => []);
  for (const { file, method } of starts) await run(file, method);
  for (let round = 0; round < options.rounds; round++) {
    for (const [index, { file, method }] of starts.entries()) {
      const empty = await run("empty.ts", "");
      const { wall, cpu } = await run(file, method);
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

/** Milliseconds from the start of a process to its end, and those that it used. */
async function run(file: string, method: string): Promise<More> {
  const program = new URL(`./programs/${file}`, import.meta.url).pathname;
  const args = ["run", "-A", "--cached-only", program, method];
  const cpu = endedChildrenSeconds();
  const started = performance.now();
  const { success } = await new Deno.Command(Deno.execPath(), { args, stdout: "inherit", stderr: "inherit" }).output();
  if (!success) throw new Error(`${file} ${method}: ended with an error`);
  return { wall: performance.now() - started, cpu: (endedChildrenSeconds() - cpu) * 1_000 };
}
