/** Written events that wait for the one reader of a stream. */
import { ANSWER_BACKLOG } from "../protocol/limits.ts";

type Step = IteratorResult<string, undefined>;

/** A queue that one reader iterates. */
export class EventQueue implements AsyncIterableIterator<string, undefined> {
  readonly #onLeave: (unread: number) => void;
  #items: string[];
  #ended = false;
  #left = false;
  #reader: ((step: Step) => void) | undefined;
  #senders: (() => void)[] = [];

  /**
   * Makes a queue.
   *
   * @param items What waits from the beginning.
   * @param onLeave Called once when the reader leaves before the end, with how many events it has not taken.
   */
  constructor(items: readonly string[], onLeave: (unread: number) => void) {
    this.#items = [...items];
    this.#onLeave = onLeave;
  }

  /** How many events wait. */
  get size(): number {
    return this.#items.length;
  }

  /** Adds an event; resolves when there is room for more. Does nothing after the end. */
  push(event: string): Promise<void> {
    if (this.#ended) return Promise.resolve();
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      reader({ done: false, value: event });
      return Promise.resolve();
    }
    this.#items.push(event);
    if (this.#items.length < ANSWER_BACKLOG) return Promise.resolve();
    return new Promise((resolve) => this.#senders.push(resolve));
  }

  /** Ends the queue after what waits. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#release();
    this.#reader?.({ done: true, value: undefined });
    this.#reader = undefined;
  }

  /** Ends the queue at once; what waits is dropped. */
  drop(): void {
    this.#items = [];
    this.end();
  }

  /** The next event. */
  next(): Promise<Step> {
    const event = this.#items.shift();
    if (event !== undefined) {
      if (this.#items.length < ANSWER_BACKLOG) this.#release();
      return Promise.resolve({ done: false, value: event });
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#reader = resolve);
  }

  /** The reader leaves. */
  return(): Promise<Step> {
    const unread = this.#items.length;
    const early = !this.#ended || unread > 0;
    this.drop();
    if (early && !this.#left) {
      this.#left = true;
      this.#onLeave(unread);
    }
    return Promise.resolve({ done: true, value: undefined });
  }

  /** The queue is its own iterator. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  #release(): void {
    const senders = this.#senders;
    this.#senders = [];
    for (const send of senders) send();
  }
}
