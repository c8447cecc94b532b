/** Waits until a message that has no answer has gone out, for a bounded time. */
import { TransportError } from "../protocol/errors.ts";
import type { Deadline, DeadlineWatch } from "./deadline_watch.ts";

/** What waiting needs. */
export interface SentInTimeOptions {
  /** What is sent, for the error. */
  readonly method: string;
  /** Milliseconds: the limit `requestTimeout`. */
  readonly timeout: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Watches the deadline. */
  readonly watch: DeadlineWatch;
  /** Called when nobody waits any more and the carrier has not taken it. */
  readonly onLeave?: (() => void) | undefined;
}

/**
 * Waits for a carrier to take a message: over HTTP that is an answer of the server, which may never come.
 *
 * @param sent What the carrier gave.
 * @param options For how long.
 * @throws {TransportError} "timeout" when it is not taken in time; what the carrier says; the reason of the signal.
 */
export function sentInTime(sent: Promise<void>, { method, timeout, signal, watch, onLeave }: SentInTimeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      watch.delete(deadline);
      signal?.removeEventListener("abort", onAbort);
    };
    const fail = (error: unknown): void => {
      leave();
      reject(error);
      onLeave?.();
    };
    const onAbort = (): void => fail(signal?.reason);
    const deadline: Deadline = {
      due: performance.now() + timeout,
      onDue: () => {
        const text = `Sending ${method}: the server has not taken it within ${timeout} ms (limit requestTimeout)`;
        fail(new TransportError("timeout", text, { data: { limit: "requestTimeout" } }));
      },
      fail,
    };
    watch.add(deadline);
    signal?.addEventListener("abort", onAbort);
    sent.then(() => {
      leave();
      resolve();
    }, fail);
    if (signal?.aborted === true) onAbort();
  });
}
