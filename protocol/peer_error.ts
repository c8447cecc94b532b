/** Errors that the peer sent, as errors of this package. */
import { ProtocolError } from "./errors.ts";
import type { JsonRpcErrorObject } from "./json_rpc.ts";
import { ERROR_TEXT_LENGTH } from "./limits.ts";

/** "Resource not found" of older revisions (MCP 2025-06-18, Resources § Error Handling); in others no error has this code. */
const RESOURCE_NOT_FOUND = -32002;

/**
 * Makes the error that the peer sent; a text that nobody would read to its end is shortened. Where the code is that of one revision
 * alone, the error has a `reason`: a server that throws it on then answers with the code of its caller's revision.
 *
 * @param error What the peer sent.
 * @param method The request that it answers, when it is known.
 */
export function peerError({ code, message, data }: JsonRpcErrorObject, method?: string): ProtocolError {
  const text = message.length <= ERROR_TEXT_LENGTH ? message : `${message.slice(0, ERROR_TEXT_LENGTH)}…`;
  return new ProtocolError(code, text, {
    data,
    // Other methods fail with this code for reasons of their own.
    reason: code === RESOURCE_NOT_FOUND && method?.startsWith("resources/") === true ? "resource_not_found" : undefined,
  });
}
