/** The length of what passes over a carrier. */
import { messageText } from "../protocol/json_rpc.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";

/** Bytes of a chunk, or of a message's JSON text. */
export function sizeOf(item: JsonRpcMessage | Uint8Array): number {
  return item instanceof Uint8Array ? item.length : new TextEncoder().encode(messageText(item)).length;
}
