/** Reads the message that an event of a stream carries. */
import type { StreamEvent } from "../protocol/framing/sse.ts";
import { parseMessage } from "../protocol/json_rpc.ts";
import type { JsonBounds, ReadMessage } from "../protocol/json_rpc.ts";
import { damagedMessage } from "./damaged_message.ts";

/** Reads the data of an event; damaged data is no message. */
export function readEvent({ data, damaged }: StreamEvent, limits: JsonBounds): ReadMessage {
  const read = parseMessage(data, limits);
  return damaged === true ? damagedMessage(read, "event") : read;
}
