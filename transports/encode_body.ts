/** The body of an HTTP request that holds one message. */
import { TransportError } from "../protocol/errors.ts";
import { messageText } from "../protocol/json_rpc.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";

/**
 * Writes a message as UTF-8.
 *
 * @param message Any message.
 * @param limit Bytes that it may have (limit `requestBody`).
 * @throws {TransportError} "limit" for a longer one, before anything is sent.
 * @throws {TypeError} For what JSON cannot carry: a cycle, a bigint.
 */
export function encodeBody(message: JsonRpcMessage, limit: number): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(messageText(message));
  if (bytes.length <= limit) return bytes;
  const data = { limit: "requestBody", value: limit, seen: bytes.length };
  const text = `Sending a message: it has ${bytes.length} bytes, the limit requestBody is ${limit}`;
  throw new TransportError("limit", text, { data });
}
