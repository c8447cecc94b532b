/** Says whether work grows in proportion to the input: twice the input, less than three times the work. */
import process from "node:process";
import type { Growth } from "./target.ts";

/** What was measured of one kind of input. */
export interface Measured {
  /** Items in the smaller input. */
  readonly size: number;
  /** Processor milliseconds for it, the median. */
  readonly once: number;
  /** How many times as much for twice the input. */
  readonly ratio: number;
}

/** Twice the input may take at most so many times the work. */
export const MOST_RATIO = 3;

const ROUNDS = 9;
const ATTEMPTS = 4;
const LEAST_MILLISECONDS = 4;
const FIRST_SIZE = 256;
const LARGEST = 2 ** 20;
const MOST_TIMES = 2 ** 12;

/** Measures one kind of input; other work on the machine is made up for by more attempts. */
export async function measureGrowth(growth: Growth): Promise<Measured> {
  const [size, times] = await findSize(growth);
  let best: Measured | undefined;
  for (let attempt = 0; attempt < ATTEMPTS && (best === undefined || best.ratio >= MOST_RATIO); attempt++) {
    const measured = await compare(growth, size, times);
    if (best === undefined || measured.ratio < best.ratio) best = measured;
  }
  return best as Measured;
}

async function compare({ make, read }: Growth, size: number, times: number): Promise<Measured> {
  const [one, two] = [make(size), make(2 * size)];
  const taken: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    taken[0].push(await processorTime(() => read(one as never), times));
    taken[1].push(await processorTime(() => read(two as never), times));
  }
  const [once, twice] = [median(taken[0]), median(taken[1])];
  return { size, once: once / times, ratio: once === 0 ? 1 : twice / once };
}

/** The size from which on the work can be measured, and how often it is done for that where there is a largest one. */
async function findSize({ make, read, largest = LARGEST }: Growth): Promise<readonly [size: number, times: number]> {
  let size = Math.min(FIRST_SIZE, largest);
  let times = 1;
  for (;;) {
    const input = make(size);
    await processorTime(() => read(input as never), times);
    if (await processorTime(() => read(input as never), times) >= LEAST_MILLISECONDS || times >= MOST_TIMES) return [size, times];
    if (size * 2 <= largest) size *= 2;
    else times *= 2;
  }
}

async function processorTime(work: () => unknown, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) {
    const result = work();
    if (result instanceof Promise) await result;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
