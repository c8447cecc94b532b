/** The error of a connection that did not come about in time. */
import { TransportError } from "../protocol/errors.ts";

/**
 * Names the server to whoever waited for it in vain.
 *
 * @param error A "timeout", whose sentence says what was waited for.
 * @param server The server, without what may be secret.
 */
export function slowOpening(error: TransportError, server: string): TransportError {
  return new TransportError("timeout", `${error.message}; the server is ${server}`, { data: error.data, cause: error });
}
