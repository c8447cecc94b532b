/** Measures HTTP servers side by side: each round gives every one of them the same load. */
import { cpuSeconds } from "./child.ts";
import { ask, type Contender, type Start, startContender } from "./contender.ts";
import { duel } from "./duel.ts";
import { load, type LoadResult } from "./load.ts";
import type { Options } from "./options.ts";
import { compare, type Comparison, type PartResult, type Row, type Sample, type Samples } from "./report.ts";
import { type BenchRequest, echoRequest, listRequest, liteEchoRequest } from "./request.ts";

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
  const server = (name: string, file: string, env: Record<string, string> = {}): Start => (shared) =>
    startContender(name, file, echoRequest(), { shared, env });
  const counts = [1, 50, 1_000];
  const bare = server(BARE, "bare.ts");
  const ours = (tools: number): Start => server(`ours, tools: ${tools}`, "ours.ts", { TOOLS: `${tools}` });
  const zod = server(ZOD, "ours_zod.ts");
  const others = options.ours ? [] : [
    (shared: boolean) => startContender(LITE, "mcp_lite.ts", liteEchoRequest(), { shared }),
    ...counts.map((tools) => server(`official, tools: ${tools}`, "official.ts", { TOOLS: `${tools}` })),
    ...counts.map((tools) => server(`${SHARED}, tools: ${tools}`, "official.ts", { TOOLS: `${tools}`, SCHEMAS: "module" })),
  ];
  const samples = await inTurn(options, [bare, ...counts.map(ours), zod, ...others]);
  const [one, many] = ["ours, tools: 1", "ours, tools: 1000"];
  const close = [
    closely(await duel(options, ours(1), bare), one, BARE, "echo, ours / bare, 1 tool", {
      cpu: { at: "most", value: 2 },
      rate: { at: "least", value: 0.5 },
    }),
    closely(await duel(options, ours(1_000), ours(1)), many, one, "echo, 1,000 tools / 1 tool", {
      cpu: { at: "most", value: 1.1 },
      rate: { at: "least", value: 0.9 },
    }),
    closely(await duel(options, zod, bare), ZOD, BARE, "echo, ours with zod / bare, 1 tool"),
  ];
  const rows = [
    ...close.flatMap((part) => part.rows),
    ...compare(samples, [
      { what: "echo, ours / mcp-lite, 1 tool", a: one, b: LITE, of: "rate" },
      { what: "echo, mcp-lite / ours, 1 tool", a: LITE, b: one, of: "cpu" },
      ...againstOfficial(1, "official", { at: "least", value: 6 }),
      ...againstOfficial(50, "official", { at: "least", value: 60 }),
      ...againstOfficial(1_000, "official"),
      ...counts.flatMap((tools) => againstOfficial(tools, SHARED)),
    ]),
  ];
  return { samples: new Map([samples, ...close.map((part) => part.samples)].flatMap((part) => [...part])), rows };
}

/** The rows of two servers that were compared closely, and what they did then. */
function closely(
  samples: Samples,
  a: string,
  b: string,
  what: string,
  targets: { readonly [K in keyof Sample]?: Row["target"] } = {},
): PartResult {
  const rows = compare(
    samples,
    (["cpu", "rate"] as const).map((of) => {
      const target = targets[of];
      return { what, a, b, of, ...(target === undefined ? {} : { target }) };
    }),
  );
  const beside = (name: string, other: string) => [`${name} (beside ${other})`, samples.get(name) ?? []] as const;
  return { samples: new Map([beside(a, b), beside(b, a)]), rows };
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
  const [PREPARED, OURS, OFFICIAL] = ["prepared list of 50", "ours, list of 50", "official, list of 50"] as const;
  const env = { TOOLS: "50" };
  const ours: Start = (shared) => startContender(OURS, "ours.ts", request, { shared, env });
  const prepared: Start = async (shared) => {
    const { child, url } = await ours(false);
    const { result } = await ask(url, request) as { readonly result: unknown };
    await child.stop();
    return await startContender(PREPARED, "prepared.ts", request, { shared, env: { RESULT: JSON.stringify(result) } });
  };
  const official: Start = (shared) => startContender(OFFICIAL, "official.ts", request, { shared, env });
  const samples = await inTurn(options, [prepared, ours, ...(options.ours ? [] : [official])]);
  const close = closely(await duel(options, ours, prepared), OURS, PREPARED, "tools/list, ours / prepared string", {
    rate: { at: "least", value: 0.7 },
  });
  const rows = [
    ...close.rows,
    ...compare(samples, [
      { what: "tools/list, ours / official", a: OURS, b: OFFICIAL, of: "rate" },
      { what: "tools/list, official / ours", a: OFFICIAL, b: OURS, of: "cpu" },
    ]),
  ];
  return { samples: new Map([...samples, ...close.samples]), rows };
}

/** Starts all, warms each up, measures them one after the other in every round, ends all. */
async function inTurn(options: Options, starts: readonly Start[]): Promise<Samples> {
  const contenders: Contender[] = [];
  try {
    for (const start of starts) contenders.push(await start(false));
    const samples = new Map(contenders.map(({ child }) => [child.name, [] as Sample[]]));
    for (const { url, request } of contenders) await load(url, request, options.warmUp, 0);
    for (let round = 0; round < options.rounds; round++) {
      for (const contender of contenders) samples.get(contender.child.name)?.push(await turn(contender, options));
    }
    return samples;
  } finally {
    await Promise.all(contenders.map(({ child }) => child.stop()));
  }
}

async function turn({ child, url, request }: Contender, options: Options): Promise<Sample> {
  await load(url, request, Math.min(RUN_UP, options.warmUp), 0);
  const before = cpuSeconds(child.pid);
  const { requests, seconds } = await loadUntilAnswered(url, request, options.seconds);
  return { cpu: (cpuSeconds(child.pid) - before) * 1e6 / requests, rate: requests / seconds };
}

/** Some servers have answered none of the sixteen callers after a second. */
async function loadUntilAnswered(url: string, request: BenchRequest, seconds: number): Promise<LoadResult> {
  const result = await load(url, request, seconds, 0);
  if (result.requests > 0) return result;
  const longer = await load(url, request, 4 * seconds);
  return { requests: longer.requests, seconds: result.seconds + longer.seconds };
}
