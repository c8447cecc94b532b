/** What a carrier says when it is used after its end. */
import { TransportError } from "../protocol/errors.ts";

/** Makes the `TransportError` "closed" of a connection that was closed. */
export function closedError(): TransportError {
  return new TransportError("closed", "Using the connection: it is closed");
}
