/** Two servers that are compared closely, on one core, while the load comes from the others. */
import { cpuSeconds } from "./child.ts";
import type { Contender, Start } from "./contender.ts";
import { load } from "./load.ts";
import type { Options } from "./options.ts";
import type { Sample, Samples } from "./report.ts";

/**
 * Pairs of processes that are measured one after the other: the same program is up to a fifth slower or faster in the next
 * process, by where its code and data come to lie.
 */
const PAIRS = 3;

/** What a contender used for the answers that it gave beside the other one, and how fast it answered alone. */
interface Sum {
  cpu: number;
  beside: number;
  alone: number;
  seconds: number;
}

/**
 * Measures two servers: processor time under load at the same time, so that whatever else the machine does meets both alike;
 * requests a second alone, in turn, because two that share a core do not share it evenly. Without `taskset`, or with one core,
 * they share what there is.
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
      for (const sums of rounds) {
        await Promise.all(contenders.map((contender) => together(sumOf(sums, contender), contender, options.seconds)));
        for (const contender of contenders) await alone(sumOf(sums, contender), contender, options.seconds);
        contenders.reverse();
      }
    } finally {
      await Promise.all(contenders.map(({ child }) => child.stop()));
    }
  }
  const samples = new Map<string, Sample[]>();
  for (const sums of rounds) {
    for (const [name, { cpu, beside, alone, seconds }] of sums) {
      samples.set(name, [...samples.get(name) ?? [], { cpu: cpu * 1e6 / beside, rate: alone / seconds }]);
    }
  }
  return samples;
}

async function together(sum: Sum, { child, url, request }: Contender, length: number): Promise<void> {
  const before = cpuSeconds(child.pid);
  const { requests } = await load(url, request, length, 1, true);
  sum.cpu += cpuSeconds(child.pid) - before;
  sum.beside += requests;
}

async function alone(sum: Sum, { url, request }: Contender, length: number): Promise<void> {
  const { requests, seconds } = await load(url, request, length, 1, true);
  sum.alone += requests;
  sum.seconds += seconds;
}

function sumOf(sums: Map<string, Sum>, { child }: Contender): Sum {
  const sum = sums.get(child.name) ?? { cpu: 0, beside: 0, alone: 0, seconds: 0 };
  sums.set(child.name, sum);
  return sum;
}
