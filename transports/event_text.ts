/** A message as the data of an event. */
import { ERROR_CODES } from "../protocol/errors.ts";
import { errorResponse, isResponse, messageText } from "../protocol/json_rpc.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import { isLonger } from "./byte_length.ts";

/**
 * Writes a message within `limit` bytes (limit `sseEvent`): a longer response is replaced by an error.
 *
 * @returns Undefined for a longer message that is not a response; it is left out.
 */
export function eventText(message: JsonRpcMessage, limit: number): string | undefined {
  const text = messageText(message);
  if (!isLonger(text, limit)) return text;
  if (!isResponse(message)) return undefined;
  const sentence = `Internal error: a message is larger than ${limit} bytes (limit sseEvent)`;
  const data = { reason: "response_too_large", limit };
  return messageText(errorResponse(message.id, ERROR_CODES.internal_error, sentence, data));
}
