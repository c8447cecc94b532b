/** Waits for whoever says who calls, within a time. */
import type { Running } from "./requests/running.ts";

/**
 * Waits for an answer. The timer that looks after requests which run looks after this too: what is there promptly costs none.
 *
 * @param answer What is waited for.
 * @param running Looks at whatever lasts.
 * @param timeout Milliseconds.
 * @param late Makes the error for the time being over.
 */
export function inTime<T>(answer: Promise<T>, running: Running, timeout: number, late: () => Error): Promise<T> {
  const due = performance.now() + timeout;
  return new Promise((resolve, reject) => {
    const end = (): void => running.delete(watched);
    const watched = {
      look: (now: number): void => void (now < due || watched.fail(late())),
      fail: (error: Error): void => {
        end();
        reject(error);
      },
    };
    running.add(watched);
    answer.then((value) => {
      end();
      resolve(value);
    }, watched.fail);
  });
}
