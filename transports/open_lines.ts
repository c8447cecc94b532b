/** Reads and writes the lines of a pipe as messages, for whoever uses the streams of a channel of lines. */
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { readLines } from "./line_reader.ts";
import { createLineWriter } from "./line_writer.ts";

/** The lines of a pipe. */
export interface OpenLines {
  /** Reads until the end, and passes over lines that hold no message. A promise that `onMessage` returns holds the next one back. */
  read(onMessage: (message: JsonRpcMessage) => Promise<void> | undefined): Promise<void>;
  /** Writes one message. */
  send(message: JsonRpcMessage): Promise<void>;
  /** Ends writing, in bounded time. */
  close(): Promise<void>;
}

/** Opens the lines of a pipe. A peer that takes nothing for too long loses it. */
export function openLines(pipe: BytePipe, limits: ResolvedLimits): OpenLines {
  const writer = createLineWriter(pipe, limits, () => pipe.abort());
  return {
    read: (onMessage) => readLines(pipe, limits, { onMessage, onBad: () => undefined, onUnreadable: () => undefined }),
    send: (message) => writer.send(message),
    close: () => writer.close(),
  };
}
