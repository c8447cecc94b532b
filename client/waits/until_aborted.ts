/** Waits for something that goes on when its waiter leaves. */
import { onAbort } from "./on_abort.ts";

/**
 * Waits for a promise, or for the signal.
 *
 * @throws The reason of the signal when it aborts first. What is waited for is not touched by that.
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(leave);
  });
}
