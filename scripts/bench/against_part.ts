/** Measures this checkout against another one, both under load at the same time: what a change costs. */
import { callRound } from "./call_part.ts";
import { type Child, startChild } from "./child.ts";
import { type Start, startContender } from "./contender.ts";
import { duel } from "./duel.ts";
import type { Options } from "./options.ts";
import { CORES, pinned } from "./pin.ts";
import { compare, type PartResult, type Row, type Sample, type Samples } from "./report.ts";
import { type BenchRequest, echoRequest, listRequest } from "./request.ts";

const [HERE, THERE] = ["this checkout", "the other one"] as const;

/** Processor time per request of this checkout over that of the other one, for servers over HTTP, in process and over stdio. */
export async function againstPart(options: Options): Promise<PartResult> {
  const checkout = await Deno.realPath(options.against ?? ".");
  const server = (request: BenchRequest, tools: number): [Start, Start] => {
    const env = { TOOLS: `${tools}` };
    return [
      (shared) => startContender(HERE, "ours.ts", request, { shared, env }),
      (shared) => startContender(THERE, "ours.ts", request, { shared, env, checkout }),
    ];
  };
  const samples = new Map<string, readonly Sample[]>();
  const rows: Row[] = [];
  const add = (what: string, found: Samples): void => {
    for (const [name, rounds] of found) samples.set(`${name}, ${what}`, rounds);
    rows.push(...compare(found, [{ what: `${what}, here / there`, a: HERE, b: THERE, of: "cpu" }]));
  };
  for (const tools of [1, 50, 1_000]) {
    add(`echo over HTTP, tools: ${tools}`, await duel(options, ...server(echoRequest(), tools)));
  }
  add("tools/list of 50", await duel(options, ...server(listRequest(50), 50)));
  add("in process", await callers(options, "ours_memory.ts", checkout));
  add("stdio round trip", await callers(options, "ours_stdio.ts", checkout));
  return { samples, rows };
}

/** Programs that call by themselves, at the same time on one core. */
async function callers(options: Options, file: string, checkout: string): Promise<Samples> {
  const command = await pinned(CORES.servers, Deno.execPath(), []);
  const children: Child[] = [];
  const samples = new Map<string, Sample[]>([[HERE, []], [THERE, []]]);
  try {
    for (const [name, other] of [[HERE, undefined], [THERE, checkout]] as const) {
      const child = startChild(name, file, { command, checkout: other });
      children.push(child);
      const line = await child.line();
      if (line !== "ready") throw new Error(`${name}: found ${line}`);
    }
    await Promise.all(children.map((child) => callRound(child, options.warmUp)));
    for (let round = 0; round < options.rounds; round++) {
      await Promise.all(children.map(async (child) => samples.get(child.name)?.push(await callRound(child, options.seconds))));
    }
    return samples;
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}
