/** Measures HTTP servers side by side: each round gives every one of them the same load in turn. */
import { type Child, cpuSeconds, startChild } from "./child.ts";
import { load, type LoadResult } from "./load.ts";
import type { Options } from "./options.ts";
import { compare, type Comparison, type PartResult, type Row, type Sample, type Samples } from "./report.ts";
import { type BenchRequest, echoRequest, listRequest, liteEchoRequest } from "./request.ts";

/** A server that takes part. */
interface Contender {
  readonly child: Child;
  readonly request: BenchRequest;
  readonly url: string;
}

/** Starts a contender. */
interface Start {
  readonly start: () => Promise<Contender>;
  /** How many processes of it take turns. */
  readonly processes: number;
}

/**
 * Processes of whatever is compared closely: the same program is up to a fifth slower or faster in the next process, by where
 * its code and data come to lie.
 */
const PROCESSES = 3;

/**
 * Seconds of load right before each measurement: while the others have their turn, V8 collects garbage, and throws away with it
 * the code of whoever waits.
 */
const RUN_UP = 2;

const BARE = "bare handler";
const SHARED = "official with shared schemas";
const LITE = "mcp-lite, tools: 1";
const ZOD = "ours with zod, tools: 1";

/** `tools/call` echo: ours, mcp-lite and the official server against the bare handler. */
export async function echoPart(options: Options): Promise<PartResult> {
  const server = (name: string, file: string, env: Record<string, string>, processes = PROCESSES): Start => ({
    start: () => contender(name, file, echoRequest(), env),
    processes,
  });
  const counts = [1, 50, 1_000];
  const others = options.ours ? [] : [
    { start: () => contender(LITE, "mcp_lite.ts", liteEchoRequest()), processes: PROCESSES },
    ...counts.map((tools) => server(`official, tools: ${tools}`, "official.ts", { TOOLS: `${tools}` }, 1)),
    ...counts.map((tools) => server(`${SHARED}, tools: ${tools}`, "official.ts", { TOOLS: `${tools}`, SCHEMAS: "module" }, 1)),
  ];
  const samples = await measure(options, [
    server(BARE, "bare.ts", {}),
    ...counts.map((tools) => server(`ours, tools: ${tools}`, "ours.ts", { TOOLS: `${tools}` })),
    server(ZOD, "ours_zod.ts", {}),
    ...others,
  ]);
  const [one, many] = ["ours, tools: 1", "ours, tools: 1000"];
  const rows = compare(samples, [
    { what: "echo, ours / bare, 1 tool", a: one, b: BARE, of: "cpu", target: { at: "most", value: 2 } },
    { what: "echo, ours / bare, 1 tool", a: one, b: BARE, of: "rate", target: { at: "least", value: 0.5 } },
    { what: "echo, 1,000 tools / 1 tool", a: many, b: one, of: "cpu", target: { at: "most", value: 1.1 } },
    { what: "echo, 1,000 tools / 1 tool", a: many, b: one, of: "rate", target: { at: "least", value: 0.9 } },
    { what: "echo, ours with zod / bare, 1 tool", a: ZOD, b: BARE, of: "cpu" },
    { what: "echo, ours with zod / bare, 1 tool", a: ZOD, b: BARE, of: "rate" },
    { what: "echo, ours / mcp-lite, 1 tool", a: one, b: LITE, of: "rate" },
    { what: "echo, mcp-lite / ours, 1 tool", a: LITE, b: one, of: "cpu" },
    ...againstOfficial(1, "official", { at: "least", value: 6 }),
    ...againstOfficial(50, "official", { at: "least", value: 60 }),
    ...againstOfficial(1_000, "official"),
    ...counts.flatMap((tools) => againstOfficial(tools, SHARED)),
  ]);
  return { samples, rows };
}

function againstOfficial(tools: number, name: string, target?: Row["target"]): Comparison[] {
  const [ours, theirs] = [`ours, tools: ${tools}`, `${name}, tools: ${tools}`];
  return [
    { what: `echo, ours / ${theirs}`, a: ours, b: theirs, of: "rate", ...(target === undefined ? {} : { target }) },
    { what: `echo, ${name} / ${ours}`, a: theirs, b: ours, of: "cpu" },
  ];
}

/** `tools/list` with 50 tools: ours and the official server against a handler that answers a prepared string. */
export async function listPart(options: Options): Promise<PartResult> {
  const request = listRequest(50);
  const [prepared, ours, official] = ["prepared list of 50", "ours, list of 50", "official, list of 50"] as const;
  const env = { TOOLS: "50" };
  const samples = await measure(options, [
    {
      start: async () => {
        const { child, url } = await contender(ours, "ours.ts", request, env);
        const { result } = await ask(url, request) as { readonly result: unknown };
        await child.stop();
        return contender(prepared, "prepared.ts", request, { RESULT: JSON.stringify(result) });
      },
      processes: PROCESSES,
    },
    { start: () => contender(ours, "ours.ts", request, env), processes: PROCESSES },
    ...(options.ours ? [] : [{ start: () => contender(official, "official.ts", request, env), processes: 1 }]),
  ]);
  const rows = compare(samples, [
    { what: "tools/list, ours / prepared string", a: ours, b: prepared, of: "rate", target: { at: "least", value: 0.7 } },
    { what: "tools/list, ours / prepared string", a: ours, b: prepared, of: "cpu" },
    { what: "tools/list, ours / official", a: ours, b: official, of: "rate" },
    { what: "tools/list, official / ours", a: official, b: ours, of: "cpu" },
  ]);
  return { samples, rows };
}

/** Starts all, warms each up, measures the rounds, ends all. A round is the sum over the processes of a contender. */
async function measure(options: Options, starts: readonly Start[]): Promise<Samples> {
  const contenders: Contender[][] = [];
  try {
    for (const { start, processes } of starts) {
      const own: Contender[] = [];
      contenders.push(own);
      while (own.length < processes) own.push(await start());
    }
    const samples = new Map<string, Sample[]>();
    for (const { url, request } of contenders.flat()) await load(url, request, options.warmUp, 0);
    for (let round = 0; round < options.rounds; round++) {
      const sums = contenders.map(() => ({ cpu: 0, requests: 0, seconds: 0 }));
      for (let turn = 0; turn < PROCESSES; turn++) {
        for (const [index, processes] of contenders.entries()) {
          const contender = processes[turn];
          const sum = sums[index];
          if (contender !== undefined && sum !== undefined) await addTurn(contender, options, sum);
        }
      }
      for (const [index, { cpu, requests, seconds }] of sums.entries()) {
        const { name } = (contenders[index]?.[0] as Contender).child;
        samples.set(name, [...samples.get(name) ?? [], { cpu: cpu * 1e6 / requests, rate: requests / seconds }]);
      }
    }
    return samples;
  } finally {
    await Promise.all(contenders.flat().map(({ child }) => child.stop()));
  }
}

async function addTurn(
  { child, url, request }: Contender,
  options: Options,
  sum: { cpu: number; requests: number; seconds: number },
): Promise<void> {
  await load(url, request, Math.min(RUN_UP, options.warmUp), 0);
  const before = cpuSeconds(child.pid);
  const { requests, seconds } = await loadUntilAnswered(url, request, options.seconds);
  sum.cpu += cpuSeconds(child.pid) - before;
  sum.requests += requests;
  sum.seconds += seconds;
}

/** Some servers have answered none of the sixteen callers after a second. */
async function loadUntilAnswered(url: string, request: BenchRequest, seconds: number): Promise<LoadResult> {
  const result = await load(url, request, seconds, 0);
  if (result.requests > 0) return result;
  const longer = await load(url, request, 4 * seconds);
  return { requests: longer.requests, seconds: result.seconds + longer.seconds };
}

/** Starts a server and makes sure that it answers rightly. */
async function contender(
  name: string,
  file: string,
  request: BenchRequest,
  env: Record<string, string> = {},
): Promise<Contender> {
  const child = startChild(name, file, env);
  try {
    const { port } = JSON.parse(await child.line()) as { readonly port: number };
    const url = `http://127.0.0.1:${port}/mcp`;
    const fault = request.check(await ask(url, request));
    if (fault !== undefined) throw new Error(`${name}: ${fault}`);
    return { child, request, url };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function ask(url: string, request: BenchRequest): Promise<unknown> {
  const response = await fetch(url, { method: "POST", headers: request.headers, body: request.body });
  return await response.json();
}
