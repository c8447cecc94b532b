/** Two servers under load at the same time, so that whatever else the machine does meets both alike. */
import { cpuSeconds } from "./child.ts";
import type { Contender, Start } from "./http_part.ts";
import { load } from "./load.ts";
import type { Options } from "./options.ts";
import type { Sample, Samples } from "./report.ts";

/**
 * Pairs of processes that are measured one after the other: the same program is up to a fifth slower or faster in the next
 * process, by where its code and data come to lie.
 */
const PAIRS = 3;

/** What a contender used and answered in one round, over all pairs. */
interface Sum {
  cpu: number;
  requests: number;
  seconds: number;
}

/**
 * Measures two servers that share one core while the load comes from the others: both have the same part of it, so that their
 * requests a second compare as their costs do. Without `taskset`, or with one core, they share what there is.
 *
 * @returns The rounds of both by name; a round is the sum over three pairs of processes.
 */
export async function duel(options: Options, first: Start, second: Start): Promise<Samples> {
  const rounds = Array.from({ length: options.rounds }, () => new Map<string, Sum>());
  for (let pair = 0; pair < PAIRS; pair++) {
    const contenders: Contender[] = [];
    try {
      for (const start of [first, second]) contenders.push(await start(true));
      await Promise.all(contenders.map(({ url, request }) => load(url, request, options.warmUp, 0, true)));
      for (const sums of rounds) await Promise.all(contenders.map((contender) => addTo(sums, contender, options.seconds)));
    } finally {
      await Promise.all(contenders.map(({ child }) => child.stop()));
    }
  }
  const samples = new Map<string, Sample[]>();
  for (const sums of rounds) {
    for (const [name, { cpu, requests, seconds }] of sums) {
      samples.set(name, [...samples.get(name) ?? [], { cpu: cpu * 1e6 / requests, rate: requests / seconds }]);
    }
  }
  return samples;
}

async function addTo(sums: Map<string, Sum>, { child, url, request }: Contender, length: number): Promise<void> {
  const before = cpuSeconds(child.pid);
  const { requests, seconds } = await load(url, request, length, 1, true);
  const sum = sums.get(child.name) ?? { cpu: 0, requests: 0, seconds: 0 };
  sums.set(child.name, {
    cpu: sum.cpu + cpuSeconds(child.pid) - before,
    requests: sum.requests + requests,
    seconds: sum.seconds + seconds,
  });
}
