/** Waits for something that goes on when its waiter leaves, for a bounded time. */
import type { Deadline, DeadlineWatch } from "./deadline_watch.ts";
import { onAbort } from "./on_abort.ts";

/** For how long {@linkcode untilDue} waits. */
export interface WaitTerms {
  /** Watches the deadline; what ends everything that it watches ends the wait. */
  readonly watch: DeadlineWatch;
  /** When the time is over, on the clock of `performance.now()`. */
  readonly due: number;
  /** Makes the error of a wait whose time is over. */
  readonly late: () => unknown;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the wait ends with an error: nobody wants it any more. */
  readonly onLeave?: (() => void) | undefined;
}

/**
 * Waits for a promise, for the time, or for the signal.
 *
 * @throws What `late` makes when the time is over first, the signal's reason when it aborts, or the error that ends the watch.
 */
export function untilDue<T>(promise: Promise<T>, { watch, due, late, signal, onLeave }: WaitTerms): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      watch.delete(deadline);
      leaveSignal();
    };
    const fail = (error: unknown): void => {
      leave();
      reject(error);
      onLeave?.();
    };
    const aborted = (): void => fail(signal?.reason);
    const deadline: Deadline = { due, onDue: () => fail(late()), fail };
    watch.add(deadline);
    const leaveSignal = onAbort(signal, aborted);
    promise.then((value) => {
      leave();
      resolve(value);
    }, fail);
    if (signal?.aborted === true) aborted();
  });
}
