/** Waits for what a call needs beside the server's answer: no longer than the call may take. */
import type { Sending } from "../connection_settings.ts";
import type { RequestOptions } from "../options.ts";
import type { CallTimes } from "../request_settings.ts";
import { timeoutError } from "../waits/timeout_error.ts";
import { untilDue } from "../waits/until_due.ts";
import type { AskingCall } from "./asking_call.ts";

/** A call under way, as far as waiting within its time goes. */
export interface TimedCall {
  /** Its connection, which watches deadlines. */
  readonly connection: Pick<Sending, "watch">;
  /** The call. */
  readonly call: Pick<AskingCall<unknown>, "method">;
  /** Its options, for the signal. */
  readonly options: RequestOptions;
  /** Its times. */
  readonly times: CallTimes;
}

/**
 * Waits for a part of the program to be loaded, or for what is read with one.
 *
 * @param given What is waited for; a value that is there already comes back as it is.
 * @param timed The call whose time counts.
 * @throws {TransportError} "timeout" when the call's total time is over first, "closed" when the client is closed meanwhile.
 * @throws The reason of the call's signal when that aborts first. What is waited for is not touched by either.
 */
export function untilOver<T>(
  given: T | Promise<T>,
  { connection: { watch }, call: { method }, options: { signal }, times: { deadline, total } }: TimedCall,
): T | Promise<T> {
  if (!(given instanceof Promise)) return given;
  return untilDue(given, { watch, due: deadline, late: () => timeoutError({ method, timeout: undefined, total }), signal });
}
