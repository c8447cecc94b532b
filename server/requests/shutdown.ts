/** The graceful end of a server. */
import { SERVICE_UNAVAILABLE } from "../../transports/http_status.ts";
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { WATCH_INTERVAL } from "../../protocol/limits.ts";
import type { Core } from "../core.ts";

/** The answer to a request that the end of the server overtakes, or that comes after it. */
export function closingError(what: string): ProtocolError {
  return new ProtocolError(ERROR_CODES.internal_error, `Server is closing: ${what}`, { data: { reason: "closing" } });
}

/**
 * Takes nothing new, ends change streams with their result, waits for what runs, then answers it with an error and aborts it,
 * together with its open questions. Sessions are told nothing any more: their carriers end them.
 *
 * @param core What the server's parts share.
 * @param drain Milliseconds to wait.
 */
export async function closeServer(core: Core, drain: number): Promise<void> {
  core.closed = true;
  core.subscriptions?.endAll();
  const until = Date.now() + drain;
  // One turn at least, in which the results of the change streams go out.
  do await new Promise((resolve) => setTimeout(resolve, Math.min(WATCH_INTERVAL, drain))); while (
    core.running.size > 0 && Date.now() < until
  );
  core.running.failAll(closingError("the request was given up"), SERVICE_UNAVAILABLE);
  core.sessions.close();
}
