/** What goes wrong, and when: the same for the same seed. */
import { TransportError } from "../protocol/errors.ts";

/** Faults to inject; the seed makes a run repeatable. Chances lie between 0 (never, the default) and 1 (always). */
export interface Faults {
  /** Where the random numbers begin; 1 by default. */
  readonly seed?: number | undefined;
  /** Chance that a message, or a chunk of bytes, never arrives. */
  readonly drop?: number | undefined;
  /** Chance that it arrives twice. The request of an exchange does not: that would be another exchange. */
  readonly duplicate?: number | undefined;
  /** Chance that it changes places with the one after it, if that comes within 50 milliseconds. */
  readonly reorder?: number | undefined;
  /** Chance that a chunk of bytes loses its end, that an answer ends before its response, and that a message alone is lost. */
  readonly truncate?: number | undefined;
  /** Chance that it comes late, and by how many milliseconds; what follows waits behind it. */
  readonly delay?: { readonly chance: number; readonly ms: number } | undefined;
  /** After so many bytes the connection is cut; messages are counted by their JSON text, and none passes in part. */
  readonly cutAfterBytes?: number | undefined;
  /** Only what comes in, or only what goes out, as seen by whoever holds the carrier; both by default. */
  readonly way?: "in" | "out" | undefined;
}

/** In which direction something goes. */
export type Way = "in" | "out";

/** What happens to one message or chunk. */
export interface Fate {
  /** It never arrives. */
  readonly drop: boolean;
  /** It arrives twice. */
  readonly duplicate: boolean;
  /** The next one overtakes it. */
  readonly reorder: boolean;
  /** It loses its end. */
  readonly truncate: boolean;
  /** Milliseconds for which it is held. */
  readonly delay: number;
}

/** The faults of one carrier. */
export interface FaultPlan {
  /** Aborted when the connection is cut; its reason is the error that everybody gets. */
  readonly cut: AbortSignal;
  /** Decides about the next message or chunk. */
  fate(way: Way): Fate;
  /** A number below `bound`. */
  below(bound: number): number;
  /** Counts bytes that want to pass; gives how many do. With fewer than wanted the connection is cut as soon as they are through. */
  pass(way: Way, bytes: number): number;
  /** Cuts the connection. */
  cutNow(): void;
}

const UNHARMED: Fate = { drop: false, duplicate: false, reorder: false, truncate: false, delay: 0 };

/**
 * Makes a plan.
 *
 * @throws {TypeError} For a malformed chance, time or number of bytes.
 */
export function createFaultPlan(faults: Faults): FaultPlan {
  check(faults);
  const { drop = 0, duplicate = 0, reorder = 0, truncate = 0, delay, cutAfterBytes = Infinity, way: only } = faults;
  const random = createRandom(faults.seed ?? 1);
  const abort = new AbortController();
  let left = cutAfterBytes;
  const touches = (way: Way): boolean => only === undefined || only === way;
  return {
    cut: abort.signal,
    fate(way) {
      if (!touches(way)) return UNHARMED;
      // Every chance takes one number, so that changing one of them does not move the others.
      return {
        drop: random() < drop,
        duplicate: random() < duplicate,
        reorder: random() < reorder,
        truncate: random() < truncate,
        delay: random() < (delay?.chance ?? 0) ? delay?.ms ?? 0 : 0,
      };
    },
    below: (bound) => Math.floor(random() * bound),
    pass(way, bytes) {
      if (!touches(way)) return bytes;
      const passing = Math.min(bytes, left);
      left -= passing;
      return passing;
    },
    cutNow() {
      abort.abort(new TransportError("closed", `Using the connection: it was cut after ${cutAfterBytes} bytes`));
    },
  };
}

function check(faults: Faults): void {
  for (const name of ["drop", "duplicate", "reorder", "truncate"] as const) checkChance(faults[name], name);
  checkChance(faults.delay?.chance, "delay.chance");
  const { seed, cutAfterBytes, way, delay } = faults;
  checkCount(seed, "seed");
  checkCount(cutAfterBytes, "cutAfterBytes");
  checkCount(delay?.ms, "delay.ms");
  if (way !== undefined && way !== "in" && way !== "out") throw new TypeError('faults.way: Expected "in" or "out"');
}

function checkChance(value: number | undefined, name: string): void {
  if (value === undefined || (typeof value === "number" && value >= 0 && value <= 1)) return;
  throw new TypeError(`faults.${name}: Expected a number from 0 to 1`);
}

function checkCount(value: number | undefined, name: string): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return;
  throw new TypeError(`faults.${name}: Expected an integer of at least 0`);
}

/** A small generator (a counter whose bits are mixed by multiplications): good enough for chances, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
