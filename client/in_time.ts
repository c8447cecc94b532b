/** Waits for what a call needs before it is sent: no longer than for its answer. */
import type { Call } from "./connection_settings.ts";
import type { DeadlineWatch } from "./waits/deadline_watch.ts";
import { timeoutError } from "./waits/timeout_error.ts";
import { untilDue } from "./waits/until_due.ts";

/**
 * Waits for something that is done for others too: a new session, another revision, a turn.
 *
 * @param work It goes on when the call gives up.
 * @param watch What ends everything that it watches ends the wait.
 * @param call Whose time and signal count.
 * @param onLeave Called when the wait ends with an error.
 * @throws {TransportError} "timeout" when the time of the call is over first.
 * @throws The reason of its signal when that aborts first.
 */
export function inTime<T>(
  work: Promise<T>,
  watch: DeadlineWatch,
  { method, options: { signal }, times: { timeout, deadline, total } }: Pick<Call, "method" | "options" | "times">,
  onLeave?: () => void,
): Promise<T> {
  const due = Math.min(performance.now() + timeout, deadline);
  const late = (): unknown => timeoutError({ method, timeout: due < deadline ? timeout : undefined, total });
  return untilDue(work, { watch, due, late, signal, onLeave });
}
