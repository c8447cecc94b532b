/** Answers that are SSE streams: messages become events, quiet streams get comments, readers that take nothing are dropped. */
import { ERROR_CODES } from "../protocol/errors.ts";
import { COMMENT, encodeEvent } from "../protocol/framing/sse.ts";
import { errorResponse, messageText } from "../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import { isLonger } from "./byte_length.ts";
import type { HttpExchange } from "./http_exchange.ts";

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** Looks at each stream so many times in the shorter of the two intervals. */
const LOOKS = 4;

interface OpenStream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly drop: () => void;
  quietSince: number;
  fullSince: number;
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
   */
  open(messages: AsyncIterable<JsonRpcMessage>, exchange: HttpExchange): Response {
    const iterator = messages[Symbol.asyncIterator]();
    let stream: OpenStream | undefined;
    const leave = (): void => {
      if (stream !== undefined) this.#close(stream);
      exchange.disconnect();
      iterator.return?.().catch(() => undefined);
    };
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = this.#add(controller, () => {
          leave();
          controller.error(new Error("The reader takes nothing"));
        });
      },
      pull: async (controller) => {
        try {
          const step = await iterator.next();
          if (stream === undefined || !this.#open.has(stream)) return;
          if (step.done === true) {
            this.#close(stream);
            controller.close();
            return;
          }
          stream.quietSince = Date.now();
          stream.fullSince = 0;
          controller.enqueue(this.#encoder.encode(this.#event(step.value)));
        } catch (error) {
          leave();
          controller.error(error);
        }
      },
      cancel: leave,
    }, { highWaterMark: 1 });
    return new Response(body, { headers: HEADERS });
  }

  #event(message: JsonRpcMessage): string {
    const text = messageText(message);
    if (!isLonger(text, this.#limits.sseEvent)) return encodeEvent(text);
    const sentence = `Internal error: a message is larger than ${this.#limits.sseEvent} bytes (limit sseEvent)`;
    const data = { reason: "response_too_large", limit: this.#limits.sseEvent };
    const id = "id" in message ? message.id : undefined;
    return id === undefined ? COMMENT : encodeEvent(messageText(errorResponse(id, ERROR_CODES.internal_error, sentence, data)));
  }

  #add(controller: ReadableStreamDefaultController<Uint8Array>, drop: () => void): OpenStream {
    const stream: OpenStream = { controller, drop, quietSince: Date.now(), fullSince: 0 };
    this.#open.add(stream);
    const { keepAlive, stalledReader } = this.#limits;
    this.#timer ??= setInterval(() => this.#look(), Math.min(keepAlive, stalledReader) / LOOKS);
    return stream;
  }

  #close(stream: OpenStream): void {
    if (!this.#open.delete(stream) || this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const now = Date.now();
    for (const stream of this.#open) {
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
