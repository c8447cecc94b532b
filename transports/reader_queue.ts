/** What waits for the one reader of a stream: messages, or events that are written already. */
import { ANSWER_BACKLOG } from "../protocol/limits.ts";

/** A queue that one reader iterates; a sender waits while {@linkcode ANSWER_BACKLOG} items do. */
export class ReaderQueue<T extends object | string> implements AsyncIterableIterator<T, undefined> {
  readonly #onLeave: (unread: number) => void;
  #items: T[];
  #head = 0;
  #ended = false;
  #left = false;
  #reader: ((step: IteratorResult<T, undefined>) => void) | undefined;
  #senders: (() => void)[] | undefined;

  /**
   * Makes a queue.
   *
   * @param items What waits from the beginning.
   * @param onLeave Called once when the reader leaves before the end, with how many items it has not taken.
   */
  constructor(items: readonly T[], onLeave: (unread: number) => void) {
    this.#items = [...items];
    this.#onLeave = onLeave;
  }

  /** How many items wait. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds an item; resolves when there is room for more. Does nothing after the end. */
  push(item: T): Promise<void> {
    if (this.#ended) return Promise.resolve();
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      reader({ done: false, value: item });
      return Promise.resolve();
    }
    this.#items.push(item);
    if (this.size < ANSWER_BACKLOG) return Promise.resolve();
    return new Promise((resolve) => (this.#senders ??= []).push(resolve));
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
    this.#head = 0;
    this.end();
  }

  /** The next item. */
  next(): Promise<IteratorResult<T, undefined>> {
    const item = this.#items[this.#head];
    if (item !== undefined) {
      this.#head++;
      // Compacting at half keeps the cost of a step constant; shifting a long array moves all of it.
      if (this.#head * 2 >= this.#items.length) {
        this.#items = this.#items.slice(this.#head);
        this.#head = 0;
      }
      if (this.size < ANSWER_BACKLOG) this.#release();
      return Promise.resolve({ done: false, value: item });
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#reader = resolve);
  }

  /** The reader leaves. */
  return(): Promise<IteratorResult<T, undefined>> {
    const unread = this.size;
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
    this.#senders = undefined;
    for (const send of senders ?? []) send();
  }
}
