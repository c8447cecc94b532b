/** The reading end of a change stream: a bounded buffer, one last event, and an end that is told once. */
import { TransportError } from "../../protocol/errors.ts";
import type { ResolvedLimits } from "../../protocol/limits.ts";
import { EventBuffer } from "./event_buffer.ts";
import type { ChangeEvent, CloseReason, SubscriptionOptions } from "./subscription_types.ts";

type Step = IteratorResult<ChangeEvent, undefined>;

/** Buffers events for one reader. */
export class ChangeStream {
  /** Resolves with the reason of the end; never rejects. */
  readonly closed: Promise<CloseReason>;
  readonly #buffer: EventBuffer;
  readonly #capacity: number;
  readonly #onEnd: () => void;
  readonly #waiting: ((step: Step) => void)[] = [];
  #resolveClosed: (reason: CloseReason) => void = () => undefined;
  #last: ChangeEvent | undefined;

  /**
   * An open stream without events.
   *
   * @param options How events are buffered.
   * @param limits Gives the size of the buffer when the options do not.
   * @param onEnd Called once, at the end.
   * @throws {TypeError} When the size of the buffer is not a positive integer.
   */
  constructor(options: SubscriptionOptions, limits: ResolvedLimits, onEnd: () => void) {
    const { buffer = limits.subscriptionBuffer, overflow = "drop_oldest", coalesce = true } = options;
    if (!Number.isSafeInteger(buffer) || buffer < 1) {
      throw new TypeError(`options.buffer: Expected a positive integer, received ${String(buffer)}`);
    }
    this.#capacity = buffer;
    this.#buffer = new EventBuffer({ capacity: buffer, overflow, coalesce });
    this.#onEnd = onEnd;
    this.closed = new Promise((resolve) => this.#resolveClosed = resolve);
  }

  /** Has it ended? Events may still wait. */
  get ended(): boolean {
    return this.#last !== undefined;
  }

  /** Takes an event in. */
  push(event: ChangeEvent): void {
    if (this.ended) return;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) return waiting({ done: false, value: event });
    if (this.#buffer.push(event)) return;
    const data = { limit: "subscriptionBuffer", value: this.#capacity, seen: this.#capacity + 1 };
    const text = `Buffering changes: more than ${this.#capacity} events wait (limit subscriptionBuffer)`;
    this.end({ by: "fault", error: new TransportError("limit", text, { data }) });
  }

  /** Ends it, once; events that wait are still read. */
  end(reason: CloseReason): void {
    if (this.ended) return;
    const last: ChangeEvent = { type: "closed", reason };
    this.#last = last;
    this.#resolveClosed(reason);
    for (const waiting of this.#waiting.splice(0)) waiting({ done: false, value: last });
    this.#onEnd();
  }

  /** The next event; after the end, "closed" again at once. */
  next(): Promise<Step> {
    const event = this.#buffer.shift() ?? this.#last;
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Events until "closed"; leaving early calls `close`. */
  iterate(next: () => Promise<Step>, close: () => Promise<void>): AsyncIterator<ChangeEvent, undefined> {
    let over = false;
    return {
      next: async () => {
        if (over) return { done: true, value: undefined };
        const step = await next();
        if (step.value?.type === "closed") over = true;
        return step;
      },
      return: async () => {
        over = true;
        await close();
        return { done: true, value: undefined };
      },
    };
  }
}
