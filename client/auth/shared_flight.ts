/** One piece of work that several callers wait for; it ends early only when all of them have left. */
import { untilAborted } from "../waits/until_aborted.ts";

/** Work under way. */
export interface SharedFlight<T> {
  /** What it is. */
  readonly key: string;
  /** Has everybody left who waited for it? Then it ends, and is nothing to wait for any more. */
  readonly left: boolean;
  /** Settles with it. Never rejects. */
  readonly over: Promise<void>;
  /** Waits for it. Rejects with the signal's reason when that aborts first. */
  join(signal: AbortSignal): Promise<T>;
}

/** Begins work. */
export function startFlight<T>(key: string, work: (signal: AbortSignal) => Promise<T>): SharedFlight<T> {
  const control = new AbortController();
  const outcome = work(control.signal);
  let waiting = 0;
  return {
    key,
    get left() {
      return control.signal.aborted;
    },
    over: outcome.then(() => undefined, () => undefined),
    join: async (signal) => {
      waiting++;
      try {
        return await untilAborted(outcome, signal);
      } finally {
        waiting--;
        if (waiting === 0) control.abort(signal.reason);
      }
    },
  };
}
