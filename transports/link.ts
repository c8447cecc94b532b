/** Where the two ends of a duplex channel write. */
import type { JsonRpcMessage } from "../protocol/types.ts";

/** The writing end of a duplex channel. */
export interface Link {
  /** Writes one message, in the order of the calls. Throws or rejects when it cannot. */
  send(message: JsonRpcMessage): Promise<void> | void;
  /** Ends the channel. */
  close(): Promise<void> | void;
}
