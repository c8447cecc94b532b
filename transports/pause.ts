/** A wait that an abort ends. */
import { LONGEST_TIMER } from "../protocol/limits.ts";

/**
 * Waits. No timer and no listener is left behind.
 *
 * @param milliseconds How long; cut to what a timer can count.
 * @param signal Ends the wait early. It resolves then too.
 */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, LONGEST_TIMER));
    signal.addEventListener("abort", end);
  });
}
