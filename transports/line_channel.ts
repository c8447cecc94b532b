/** `lines`: one JSON-RPC message a line over any byte channel: sockets, pipes. */
import { resolveLimits } from "../protocol/limits.ts";
import type { LimitOptions, ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import { openPipe } from "./byte_pipe.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { readLines } from "./line_reader.ts";
import { createLineWriter } from "./line_writer.ts";
import type { ByteChannel, Channel } from "./transport.ts";

/** Options of {@linkcode lines}. */
export interface LinesOptions {
  /** Bounds: `frame`, `jsonDepth`, `jsonElements`, `stalledReader`, `stopGrace`; those of the server or client by default. */
  readonly limits?: LimitOptions | undefined;
}

/**
 * Reads and writes one JSON-RPC message a line over any byte channel (MCP 2026-07-28, stdio § stdio).
 *
 * `serveChannel` answers lines that hold no message with an error, and a connected client passes over them. Whoever reads
 * the channel's `readable` does not get to see them.
 *
 * @param bytes A socket or a pipe. Its streams are locked when the channel is first used.
 * @param options Bounds.
 * @throws {TypeError} For a bound that does not exist or makes no sense.
 */
export function lines(bytes: ByteChannel, options: LinesOptions = {}): Channel {
  return new LineChannel(bytes, options.limits === undefined ? undefined : resolveLimits(options.limits));
}

/** A channel that still knows its bytes, so that either end can answer for every line. */
export class LineChannel implements Channel {
  /** What it is made of. */
  readonly bytes: ByteChannel;
  /** Its own bounds. */
  readonly limits: ResolvedLimits | undefined;
  #streams: Channel | undefined;

  /** Keeps both; nothing is locked yet. */
  constructor(bytes: ByteChannel, limits: ResolvedLimits | undefined) {
    this.bytes = bytes;
    this.limits = limits;
  }

  /** The messages that come. */
  get readable(): ReadableStream<JsonRpcMessage> {
    return this.#open().readable;
  }

  /** Takes the messages that go. */
  get writable(): WritableStream<JsonRpcMessage> {
    return this.#open().writable;
  }

  #open(): Channel {
    this.#streams ??= openStreams(openPipe(this.bytes), this.limits ?? resolveLimits(undefined));
    return this.#streams;
  }
}

function openStreams(pipe: BytePipe, limits: ResolvedLimits): Channel {
  const writer = createLineWriter(pipe, limits, () => pipe.abort());
  let resume: (() => void) | undefined;
  let ended = false;
  const readable = new ReadableStream<JsonRpcMessage>({
    start(controller) {
      const onMessage = (message: JsonRpcMessage): Promise<void> | undefined => {
        controller.enqueue(message);
        return (controller.desiredSize ?? 0) > 0 ? undefined : new Promise((resolve) => resume = resolve);
      };
      readLines(pipe, limits, { onMessage, onBad: () => undefined, onUnreadable: () => undefined })
        .catch((error) => {
          // Some channels, Deno's connections among them, end as a whole when their writing side is closed.
          if (!ended) throw error;
        }).then(() => controller.close()).catch((error) => controller.error(error));
    },
    pull: () => resume?.(),
    cancel() {
      resume?.();
      pipe.abort();
    },
  });
  const writable = new WritableStream<JsonRpcMessage>({
    write: (message) => writer.send(message),
    close() {
      ended = true;
      return writer.close();
    },
    abort: () => pipe.abort(),
  });
  return { readable, writable };
}
