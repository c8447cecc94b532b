/** Where the reading of an event stream stands, and when it may be taken up again. */
import { EVENT_ID_LENGTH, REMEMBERED_EVENTS, STREAM_HELD, STREAM_RETRY_FLOOR } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { StreamEvent } from "../protocol/framing/sse.ts";

/** The place in one stream, over all the connections that carry it (MCP 2025-11-25, Streamable HTTP § Resumability). */
export class StreamCursor {
  readonly #limits: Pick<ResolvedLimits, "streamRetries" | "streamRetryDelay">;
  readonly #seen = new Set<string>();
  #lastEventId: string | undefined;
  #retry: number | undefined;
  #spent = 0;
  /** When the connection that is, or was last, open began; infinitely late when it has been counted. */
  #openedAt = Infinity;
  /** Attempts since the last one that succeeded. */
  #failed = 0;

  /** Begins at the start of a stream; `streamRetries` and `streamRetryDelay` bound what {@linkcode delay} allows. */
  constructor(limits: Pick<ResolvedLimits, "streamRetries" | "streamRetryDelay">) {
    this.#limits = limits;
  }

  /** The value of `Last-Event-ID`: the UTF-8 of the last id, byte for byte (HTML § 9.2.3). Undefined when there was none. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /**
   * Moves on to an event. Events without data, and those of other types, hold no message; their ids count all the same.
   *
   * @returns What it holds: a message, one whose id came before, or none.
   */
  take(event: StreamEvent): "message" | "repeated" | "nothing" {
    const { id, data } = event;
    if (id !== undefined) this.#lastEventId = headerOf(id);
    const type = event.event ?? "";
    if (data === "" || (type !== "" && type !== "message")) return "nothing";
    if (id === undefined || id === "") return "message";
    if (this.#seen.has(id)) return "repeated";
    // An id that is too long to be sent back is none that a stream could be taken up from, nor one to keep.
    if (this.#lastEventId !== undefined) this.#remember(id);
    return "message";
  }

  /** Forgets where the stream stood: the server cannot go on from there. */
  forget(): void {
    this.#lastEventId = undefined;
  }

  /** Attempts since the last message. */
  get attempts(): number {
    return this.#spent;
  }

  /** A message has been handed on: the whole budget is there again. */
  delivered(): void {
    this.#spent = 0;
  }

  /** Takes the milliseconds that the server wants to pass before the next attempt. */
  readonly onRetry = (milliseconds: number): void => {
    this.#retry = milliseconds;
  };

  /** An attempt succeeded, at this time of `performance.now()`. */
  opened(now: number = performance.now()): void {
    this.#failed = 0;
    this.#openedAt = now;
  }

  /** An attempt failed. */
  failed(): void {
    this.#failed++;
  }

  /**
   * Takes one attempt out of the budget; none when the stream was open for long: servers end quiet streams now and then.
   *
   * @param now The time of `performance.now()`.
   * @returns The milliseconds to wait before it: what the server wished, within bounds, and longer each time, with jitter,
   * where it wished nothing or is not there. Undefined when the budget is spent.
   */
  delay(now: number = performance.now()): number | undefined {
    const { streamRetries, streamRetryDelay } = this.#limits;
    const held = now - this.#openedAt >= STREAM_HELD;
    this.#openedAt = Infinity;
    if (!held && this.#spent >= streamRetries) return undefined;
    const step = this.#retry === undefined ? this.#spent : this.#failed - 1;
    if (!held) this.#spent++;
    const backoff = step < 0 ? 0 : STREAM_RETRY_FLOOR * 2 ** step * (1 + Math.random());
    return Math.min(Math.max(this.#retry ?? 0, backoff, STREAM_RETRY_FLOOR), streamRetryDelay);
  }

  #remember(id: string): void {
    this.#seen.add(id);
    if (this.#seen.size <= REMEMBERED_EVENTS) return;
    for (const oldest of this.#seen) {
      this.#seen.delete(oldest);
      break;
    }
  }
}

/** An id as a header value; undefined when it is empty, too long, or nothing that a header can carry. */
function headerOf(id: string): string | undefined {
  if (id === "" || id.length > EVENT_ID_LENGTH) return undefined;
  let value = "";
  for (const byte of new TextEncoder().encode(id)) value += String.fromCharCode(byte);
  return /^[\t\x20-\x7e\x80-\xff]+$/.test(value) ? value : undefined;
}
