/** Newline-framed JSON-RPC over any byte channel: sockets, pipes, standard streams. */
import { resolveLimits } from "../protocol/limits.ts";
import type { LimitOptions, ResolvedLimits } from "../protocol/limits.ts";
import { onDemand } from "../protocol/on_demand.ts";
import { checkOptions } from "../protocol/unknown_option.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import type { ByteChannel, Channel } from "./transport.ts";
import { openPipe } from "./byte_pipe.ts";
import type { BytePipe } from "./byte_pipe.ts";

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
 * @throws {TypeError} For what has no streams, for a bound that does not exist or makes no sense, and for an option that nobody reads.
 */
export function lines(bytes: ByteChannel, options: LinesOptions = {}): Channel {
  checkStreams(bytes, "lines.bytes");
  checkOptions(options, "lines", "limits");
  return new LineChannel(bytes, options.limits === undefined ? undefined : resolveLimits(options.limits));
}

/**
 * Refuses what has no streams. They are asked for by name only: to read a stream of a channel of lines would open it.
 *
 * @throws {TypeError} Naming the path.
 */
export function checkStreams(value: object, path: string): void {
  if (!("readable" in Object(value))) throw new TypeError(`${path}: Expected streams`);
}

/** A channel that still knows its bytes, so that either end can answer for every line. */
export class LineChannel implements Channel {
  /** The bytes, whose streams are locked by whoever uses the channel. */
  readonly bytes: ByteChannel;
  /** Bounds of this channel alone. */
  readonly limits: ResolvedLimits | undefined;
  #streams: Channel | undefined;

  /** Keeps the bytes; their streams are not touched. */
  constructor(bytes: ByteChannel, limits: ResolvedLimits | undefined) {
    this.bytes = bytes;
    this.limits = limits;
  }

  /** The messages that come; opens the channel. */
  get readable(): ReadableStream<JsonRpcMessage> {
    return this.#open().readable;
  }

  /** Takes messages; opens the channel. */
  get writable(): WritableStream<JsonRpcMessage> {
    return this.#open().writable;
  }

  #open(): Channel {
    this.#streams ??= openStreams(openPipe(this.bytes), this.limits ?? resolveLimits(undefined));
    return this.#streams;
  }
}

/** What reads and writes lines; whoever only makes channels, or serves over HTTP alone, never loads it. */
const LINES = onDemand(() => import("./open_lines.ts"));

function openStreams(pipe: BytePipe, limits: ResolvedLimits): Channel {
  const opened = LINES.load().then(({ openLines }) => openLines(pipe, limits));
  let resume: (() => void) | undefined;
  let ended = false;
  const readable = new ReadableStream<JsonRpcMessage>({
    start(controller) {
      const onMessage = (message: JsonRpcMessage): Promise<void> | undefined => {
        controller.enqueue(message);
        return (controller.desiredSize ?? 0) > 0 ? undefined : new Promise((resolve) => resume = resolve);
      };
      opened.then(({ read }) => read(onMessage))
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
    write: async (message) => await (await opened).send(message),
    async close() {
      ended = true;
      await (await opened).close();
    },
    abort: () => pipe.abort(),
  });
  return { readable, writable };
}
