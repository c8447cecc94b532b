/**
 * Sends mixed requests over HTTP and stdio, in both eras, with random faults in between: aborts, timeouts, hang-ups, malformed
 * bodies, slow readers, sessions that are ended from outside. `--requests=200000`, `--seed=1`. Needs `--v8-flags=--expose-gc`.
 */
import { createRandom } from "./fuzz/random.ts";
import { print } from "./print.ts";
import { runLane } from "./soak/lane.ts";
import type { Tally } from "./soak/lane.ts";
import { openSite } from "./soak/lanes.ts";
import type { SoakSite } from "./soak/lanes.ts";
import { heapInUse } from "./soak/server.ts";

const DEFAULT_REQUESTS = 200_000;
/** The first tenth fills what is filled once; the rest must not add more than this part of it. */
const MOST_GROWTH = 0.1;
const PARTS = 10;
/** With fewer requests the heap is still growing into what it needs. */
const LEAST_FOR_HEAP = 50_000;

function numberOption(name: string, otherwise: number): number {
  const text = Deno.args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const value = Number(text ?? otherwise);
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`--${name}: Expected an integer of at least 1`);
  return value;
}

/** Runs one part on all lanes at once. */
async function runPart(site: SoakSite, requests: number, seed: number, part: number, tally: Tally): Promise<void> {
  const all = site.lanes.reduce((sum, { weight }) => sum + weight, 0);
  const lanes = site.lanes.map((lane, index) => {
    const count = Math.ceil(requests * lane.weight / all);
    return runLane(lane, count, createRandom(seed, part * site.lanes.length + index), tally);
  });
  const failed = (await Promise.allSettled(lanes)).filter((outcome) => outcome.status === "rejected");
  if (failed.length > 0) throw new AggregateError(failed.map(({ reason }) => reason), "Some lanes failed");
}

async function measure(site: SoakSite, idle: number): Promise<readonly number[]> {
  // What ends by itself after a while has to have ended: idle sessions, streams whose reader has gone.
  await new Promise((resolve) => setTimeout(resolve, idle));
  return [await heapInUse(), ...await site.childHeaps()];
}

function megabytes(bytes: readonly number[]): string {
  return bytes.map((one) => `${(one / 2 ** 20).toFixed(2)} MB`).join(", ");
}

async function main(): Promise<number> {
  const seed = numberOption("seed", crypto.getRandomValues(new Uint32Array(1))[0] as number);
  const requests = numberOption("requests", DEFAULT_REQUESTS);
  const checksHeap = requests >= LEAST_FOR_HEAP;
  print(`seed ${seed}`);
  const stray: unknown[] = [];
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    stray.push(event.reason);
  });
  const tally: Tally = new Map();
  const site = openSite(createRandom(seed, -1));
  const started = performance.now();
  let first: readonly number[] = [];
  let last: readonly number[] = [];
  try {
    const parts = checksHeap ? PARTS : 1;
    for (let part = 0; part < parts; part++) {
      await runPart(site, requests / parts, seed, part, tally);
      if (!checksHeap) continue;
      last = await measure(site, 3500);
      if (part === 0) first = last;
      print(
        `${part + 1} of ${PARTS}, ${
          ((performance.now() - started) / 1000).toFixed(0)
        } s: heap of the clients and HTTP servers, and of two children: ${megabytes(last)}`,
      );
    }
  } finally {
    await site.close();
  }
  const count = [...tally.values()].reduce((sum, one) => sum + one, 0);
  for (const [outcome, times] of [...tally].sort(([a], [b]) => a < b ? -1 : 1)) print(`${String(times).padStart(8)} ${outcome}`);
  print(
    `${count} requests in ${((performance.now() - started) / 1000).toFixed(1)} s, each with an answer or an error of its own`,
  );
  const grown = last.map((bytes, at) => bytes / (first[at] ?? bytes) - 1);
  if (checksHeap) print(`heap since the first tenth: ${grown.map((part) => `${(100 * part).toFixed(1)} %`).join(", ")}`);
  for (const reason of stray.slice(0, 5)) {
    print(`FAILED: unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}`);
  }
  const leaks = grown.filter((part) => part > MOST_GROWTH).length;
  if (leaks > 0) print(`FAILED: the heap has grown by more than ${100 * MOST_GROWTH} %`);
  return stray.length + leaks === 0 ? 0 : 1;
}

if (import.meta.main) {
  try {
    Deno.exit(await main());
  } catch (error) {
    const errors = error instanceof AggregateError ? error.errors : [error];
    for (const one of errors) {
      print(
        `FAILED: ${
          one instanceof Error ? `${one.stack}\n  cause: ${(one.cause as Error | undefined)?.stack ?? ""}` : String(one)
        }`,
      );
    }
    Deno.exit(1);
  }
}
