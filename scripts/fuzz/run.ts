/** Feeds targets with inputs until one of them is not read as it has to be. */
import { createRandom } from "./random.ts";
import type { FuzzTarget } from "./target.ts";

/** What is run. */
export interface FuzzRun {
  /** Where the random numbers begin. */
  readonly seed: number;
  /** Inputs in all; each target gets its part. */
  readonly inputs: number;
  /** The targets. */
  readonly targets: readonly FuzzTarget[];
  /** The number of the first input of each target; 0 by default. */
  readonly from?: number | undefined;
  /** Told of every target that was run. */
  readonly onDone?: ((target: FuzzTarget, inputs: number, milliseconds: number) => void) | undefined;
}

/** The input that was not read as it has to be. */
export interface Crash {
  /** The target's name. */
  readonly target: string;
  /** The number of the input; with the seed it makes the input again. */
  readonly index: number;
  /** The input as JSON. */
  readonly input: string;
  /** What was thrown. */
  readonly error: unknown;
}

/** Runs the targets; stops at the first crash, which it gives. */
export async function fuzz({ seed, inputs, targets, from = 0, onDone }: FuzzRun): Promise<Crash | undefined> {
  const all = targets.reduce((sum, { weight }) => sum + weight, 0);
  let stray: { readonly error: unknown } | undefined;
  const onStray = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    stray ??= { error: new Error("A promise was rejected and nobody took it", { cause: event.reason }) };
  };
  globalThis.addEventListener("unhandledrejection", onStray);
  try {
    for (const [number, target] of targets.entries()) {
      const count = Math.ceil(inputs * target.weight / all);
      const started = performance.now();
      for (let index = from; index < from + count; index++) {
        const crash = await feed(target, seed + number, index) ??
          (stray === undefined ? undefined : describe(target, seed + number, index, stray.error));
        if (crash !== undefined) return crash;
      }
      // Rejections are told in a turn of their own.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (stray !== undefined) return describe(target, seed + number, from + count - 1, stray.error);
      onDone?.(target, count, performance.now() - started);
    }
    return undefined;
  } finally {
    globalThis.removeEventListener("unhandledrejection", onStray);
  }
}

async function feed(target: FuzzTarget, seed: number, index: number): Promise<Crash | undefined> {
  const input = target.make(createRandom(seed, index));
  try {
    // A promise for each of a million inputs would be most of the work.
    const work = target.check(input);
    if (work !== undefined) await work;
    return undefined;
  } catch (error) {
    return describe(target, seed, index, error);
  }
}

function describe(target: FuzzTarget, seed: number, index: number, error: unknown): Crash {
  return { target: target.name, index, input: JSON.stringify(target.make(createRandom(seed, index))), error };
}
