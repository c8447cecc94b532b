/** Answers that are SSE streams: messages become events, quiet streams get comments, readers that take nothing are dropped. */
import { COMMENT, encodeEvent } from "../protocol/framing/sse.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import { atTime } from "./at_time.ts";
import { eventText } from "./event_text.ts";
import type { HttpExchange } from "./http_exchange.ts";

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** Looks at each stream so many times in the shortest of the intervals. */
const LOOKS = 4;

interface OpenStream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly drop: () => void;
  readonly openedAt: number;
  onAge: (() => void) | undefined;
  /** Stops waiting for the end. */
  stay: (() => void) | undefined;
  quietSince: number;
  fullSince: number;
}

/** What is written, and what becomes of it. */
interface Source<T> {
  readonly iterator: AsyncIterator<T, unknown>;
  readonly encode: (item: T) => string;
  readonly onLeave: () => void;
  readonly onAge: (() => void) | undefined;
  readonly until: number | undefined;
}

/** The open SSE answers of one server, with one timer for all. */
export class SseResponses {
  readonly #limits: ResolvedLimits;
  readonly #open = new Set<OpenStream>();
  readonly #encoder = new TextEncoder();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Takes the bounds of events and the times of streams. */
  constructor(limits: ResolvedLimits) {
    this.#limits = limits;
  }

  /**
   * Answers with a stream of messages (MCP 2026-07-28, Streamable HTTP § Receiving messages). The client's leaving ends the
   * messages' iteration and is told to the exchange.
   *
   * @param until When the stream ends before its response, in milliseconds since 1970, so that the client opens another one.
   */
  open(messages: AsyncIterable<JsonRpcMessage>, exchange: HttpExchange, until?: number): Response {
    exchange.becomesStream();
    return this.#respond({
      iterator: messages[Symbol.asyncIterator](),
      encode: (message) => this.#event(message),
      onLeave: () => exchange.disconnect(),
      onAge: undefined,
      until,
    });
  }

  /**
   * Answers with a stream of events that are written already. The client's leaving ends their iteration.
   *
   * @param events Written events.
   * @param options `onAge` is called once after `streamAge` milliseconds, or a quarter of it later; `until` is when the stream ends,
   * in milliseconds since 1970.
   */
  events(
    events: AsyncIterable<string>,
    { onAge, until }: { readonly onAge?: (() => void) | undefined; readonly until?: number | undefined } = {},
  ): Response {
    return this.#respond({ iterator: events[Symbol.asyncIterator](), encode: itself, onLeave: nothing, onAge, until });
  }

  #respond<T>({ iterator, encode, onLeave, onAge, until }: Source<T>): Response {
    let stream: OpenStream | undefined;
    const leave = (): void => {
      if (stream !== undefined) this.#close(stream);
      onLeave();
      iterator.return?.().catch(() => undefined);
    };
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = this.#add(controller, onAge, () => {
          leave();
          controller.error(stalled(this.#limits.stalledReader));
        });
        if (until === undefined) return;
        stream.stay = atTime(until, () => {
          leave();
          controller.close();
        });
      },
      pull: (controller) =>
        iterator.next().then((step) => {
          if (stream === undefined || !this.#open.has(stream)) return;
          if (step.done === true) {
            this.#close(stream);
            controller.close();
            return;
          }
          stream.quietSince = Date.now();
          stream.fullSince = 0;
          controller.enqueue(this.#encoder.encode(encode(step.value)));
        }).catch((error) => {
          leave();
          controller.error(error);
        }),
      cancel: leave,
    }, { highWaterMark: 1 });
    return new Response(body, { headers: HEADERS });
  }

  #event(message: JsonRpcMessage): string {
    const text = eventText(message, this.#limits.sseEvent);
    return text === undefined ? COMMENT : encodeEvent(text);
  }

  #add(
    controller: ReadableStreamDefaultController<Uint8Array>,
    onAge: (() => void) | undefined,
    drop: () => void,
  ): OpenStream {
    const now = Date.now();
    const stream: OpenStream = { controller, drop, onAge, stay: undefined, openedAt: now, quietSince: now, fullSince: 0 };
    this.#open.add(stream);
    const { keepAlive, stalledReader, streamAge } = this.#limits;
    this.#timer ??= setInterval(() => this.#look(), Math.min(keepAlive, stalledReader, streamAge || keepAlive) / LOOKS);
    return stream;
  }

  #close(stream: OpenStream): void {
    stream.stay?.();
    if (!this.#open.delete(stream) || this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const now = Date.now();
    for (const stream of this.#open) {
      if (stream.onAge !== undefined && now - stream.openedAt >= this.#limits.streamAge) {
        const onAge = stream.onAge;
        stream.onAge = undefined;
        onAge();
      }
      const full = (stream.controller.desiredSize ?? 0) <= 0;
      if (full) {
        if (stream.fullSince === 0) stream.fullSince = now;
        else if (now - stream.fullSince >= this.#limits.stalledReader) stream.drop();
        continue;
      }
      stream.fullSince = 0;
      if (now - stream.quietSince < this.#limits.keepAlive) continue;
      stream.quietSince = now;
      stream.controller.enqueue(this.#encoder.encode(COMMENT));
    }
  }
}

/** Ends the connection, which closing would not. Runtimes print it: that a reader is slow has no stack worth reading. */
function stalled(limit: number): Error {
  const error = new Error(`Write a stream: its reader took nothing for ${limit} ms (limit stalledReader)`);
  delete error.stack;
  return error;
}

function itself(event: string): string {
  return event;
}

function nothing(): void {}
