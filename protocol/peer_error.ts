/** Errors that the peer sent, as errors of this package. */
import { ProtocolError } from "./errors.ts";
import type { ErrorReason } from "./errors.ts";
import type { JsonRpcErrorObject } from "./json_rpc.ts";
import { ERROR_TEXT_LENGTH } from "./limits.ts";

/**
 * Makes the error that the peer sent; a text that nobody would read to its end is shortened.
 *
 * @param error What the peer sent.
 * @param reason What its code means, when that is the code of one revision alone.
 */
export function peerError({ code, message, data }: JsonRpcErrorObject, reason?: ErrorReason): ProtocolError {
  const text = message.length <= ERROR_TEXT_LENGTH ? message : `${message.slice(0, ERROR_TEXT_LENGTH)}…`;
  return new ProtocolError(code, text, { data, reason });
}
