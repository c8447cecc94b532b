/** What is left of a message whose bytes were not UTF-8. */
import { ERROR_CODES } from "../protocol/errors.ts";
import { isNotification, isResponse } from "../protocol/json_rpc.ts";
import type { ReadMessage } from "../protocol/json_rpc.ts";

/**
 * Refuses a message that holds broken characters, though its id is taken from what can be read, so that nobody waits for it in
 * vain (RFC 8259 § 8.1; MCP 2026-07-28, Transports: messages are UTF-8).
 *
 * @param read What its text gave, with U+FFFD for what is broken.
 * @param what What it came in, for the error.
 */
export function damagedMessage(read: ReadMessage, what: string): ReadMessage & { readonly ok: false } {
  const { id, kind } = read.ok ? { id: "id" in read.message ? read.message.id : undefined, kind: kindOf(read.message) } : read;
  const readable = id !== undefined && id !== null && !String(id).includes("\uFFFD");
  const error = { code: ERROR_CODES.parse_error, message: `Parse error: the ${what} is not UTF-8` };
  return { ok: false, id: readable ? id : undefined, kind, error };
}

function kindOf(message: (ReadMessage & { readonly ok: true })["message"]): (ReadMessage & { readonly ok: false })["kind"] {
  if (isResponse(message)) return "response";
  return isNotification(message) ? "notification" : "request";
}
