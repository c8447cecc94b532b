/** A list of messages that grows while a conversation goes on. */
import { parseMessage } from "../protocol/json_rpc.ts";
import { resolveLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";

/** One message of a conversation. */
export interface WireEntry {
  /** Which end sent it. */
  readonly from: "client" | "server";
  /** The message as plain JSON. */
  readonly message: JsonRpcMessage;
}

/** Keeps messages in the order in which they passed. */
export interface WireLog {
  /** Every message so far. */
  readonly entries: readonly WireEntry[];
  /** Keeps a copy of a message. */
  add(from: WireEntry["from"], message: JsonRpcMessage): void;
  /** Keeps the message in a JSON text; text that holds none is passed over. */
  addText(from: WireEntry["from"], text: string): void;
}

/** Makes an empty log. */
export function createWireLog(): WireLog {
  const entries: WireEntry[] = [];
  return {
    entries,
    add(from, message) {
      entries.push({ from, message: plain(message) });
    },
    addText(from, text) {
      const read = parseMessage(text, resolveLimits(undefined));
      if (read.ok) entries.push({ from, message: read.message });
    },
  };
}

/** A carrier within one process may hand values over as they are, so what is kept must not be the value itself. */
function plain(message: JsonRpcMessage): JsonRpcMessage {
  try {
    return JSON.parse(JSON.stringify(message));
  } catch {
    // A value that JSON cannot carry is shown as it is.
    return message;
  }
}
