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

/** What is written, and what becomes of it. */
interface Source {
  readonly iterator: AsyncIterator<unknown, unknown>;
  readonly encode: (item: never) => string;
  readonly exchange?: HttpExchange;
  readonly onAge?: (() => void) | undefined;
  readonly until?: number | undefined;
}

/** The open SSE answers of one server, with one timer for all. */
export class SseResponses {
  readonly #limits: ResolvedLimits;
  readonly #open: OpenStreams;
  readonly #encodeMessage: (message: JsonRpcMessage) => string;

  /** Takes the bounds of events and the times of streams. */
  constructor(limits: ResolvedLimits) {
    this.#limits = limits;
    this.#open = new OpenStreams(limits);
    this.#encodeMessage = (message) => {
      const text = eventText(message, limits.sseEvent);
      return text === undefined ? COMMENT : encodeEvent(text);
    };
  }

  /**
   * Answers with a stream of messages (MCP 2026-07-28, Streamable HTTP § Receiving messages). The client's leaving ends the
   * messages' iteration and is told to the exchange.
   *
   * @param until When the stream ends before its response, in milliseconds since 1970, so that the client opens another one.
   */
  open(messages: AsyncIterable<JsonRpcMessage>, exchange: HttpExchange, until?: number): Response {
    exchange.becomesStream();
    return this.#respond({ iterator: messages[Symbol.asyncIterator](), encode: this.#encodeMessage, exchange, until });
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
    options: { readonly onAge?: (() => void) | undefined; readonly until?: number | undefined } = {},
  ): Response {
    return this.#respond({ iterator: events[Symbol.asyncIterator](), encode: itself, ...options });
  }

  #respond(source: Source): Response {
    const stream = new OpenStream(source, this.#open, this.#limits);
    return new Response(new ReadableStream(stream, { highWaterMark: 1 }), { headers: HEADERS });
  }
}

/** Those that are open, and the timer that looks at them. */
class OpenStreams {
  readonly encoder = new TextEncoder();
  readonly #streams = new Set<OpenStream>();
  readonly #interval: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ keepAlive, stalledReader, streamAge }: ResolvedLimits) {
    this.#interval = Math.min(keepAlive, stalledReader, streamAge || keepAlive) / LOOKS;
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => {
      const now = Date.now();
      for (const open of this.#streams) open.look(now);
    }, this.#interval);
  }

  has(stream: OpenStream): boolean {
    return this.#streams.has(stream);
  }

  delete(stream: OpenStream): void {
    if (!this.#streams.delete(stream) || this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** One open answer. What it does stands on its class, and not in functions of its own, because quiet streams are many. */
class OpenStream implements UnderlyingDefaultSource<Uint8Array> {
  readonly #source: Source;
  readonly #open: OpenStreams;
  readonly #limits: ResolvedLimits;
  readonly #openedAt = Date.now();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #quietSince = this.#openedAt;
  #fullSince = 0;
  #isOld = false;
  /** Stops waiting for the end. */
  #stay: (() => void) | undefined;

  constructor(source: Source, open: OpenStreams, limits: ResolvedLimits) {
    this.#source = source;
    this.#open = open;
    this.#limits = limits;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    this.#open.add(this);
    const { until } = this.#source;
    if (until === undefined) return;
    this.#stay = atTime(until, () => {
      this.cancel();
      controller.close();
    });
  }

  pull(): Promise<void> {
    return this.#source.iterator.next().then(this.#take.bind(this), this.#fail.bind(this));
  }

  /** The client has left, or is given up. */
  cancel(): void {
    this.#close();
    this.#source.exchange?.disconnect();
    this.#source.iterator.return?.().catch(() => undefined);
  }

  /** Ends those that nobody reads, and writes a comment where nothing else was written. */
  look(now: number): void {
    const { keepAlive, stalledReader, streamAge } = this.#limits;
    const { onAge } = this.#source;
    if (onAge !== undefined && !this.#isOld && now - this.#openedAt >= streamAge) {
      this.#isOld = true;
      onAge();
    }
    if ((this.#controller?.desiredSize ?? 0) <= 0) {
      if (this.#fullSince === 0) this.#fullSince = now;
      else if (now - this.#fullSince >= stalledReader) this.#fail(stalled(stalledReader));
      return;
    }
    this.#fullSince = 0;
    if (now - this.#quietSince < keepAlive) return;
    this.#quietSince = now;
    this.#controller?.enqueue(this.#open.encoder.encode(COMMENT));
  }

  #take(step: IteratorResult<unknown, unknown>): void {
    if (!this.#open.has(this)) return;
    if (step.done === true) {
      this.#close();
      this.#controller?.close();
      return;
    }
    this.#quietSince = Date.now();
    this.#fullSince = 0;
    try {
      this.#controller?.enqueue(this.#open.encoder.encode(this.#source.encode(step.value as never)));
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.cancel();
    this.#controller?.error(error);
  }

  #close(): void {
    this.#stay?.();
    this.#open.delete(this);
  }
}

/** Ends the connection, which closing would not. Runtimes print it: that a reader is slow has no stack worth reading. */
function stalled(limit: number): Error {
  const error = new Error(`Writing a stream: its reader took nothing for ${limit} ms (limit stalledReader)`);
  delete error.stack;
  return error;
}

function itself(event: string): string {
  return event;
}
