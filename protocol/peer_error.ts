/** Errors that the peer sent, as errors of this package. */
import { ProtocolError } from "./errors.ts";
import type { JsonRpcErrorObject } from "./json_rpc.ts";
import { ERROR_TEXT_LENGTH } from "./limits.ts";

/** Makes the error that the peer sent; a text that nobody would read to its end is shortened. */
export function peerError({ code, message, data }: JsonRpcErrorObject): ProtocolError {
  const text = message.length <= ERROR_TEXT_LENGTH ? message : `${message.slice(0, ERROR_TEXT_LENGTH)}…`;
  return new ProtocolError(code, text, { data });
}
