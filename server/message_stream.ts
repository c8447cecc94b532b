/** The messages of one answer that has more than one: what a handler emits, then the response. */
import { ANSWER_BACKLOG } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";

type Step = IteratorResult<JsonRpcMessage, undefined>;

/** A queue that one reader iterates; leaving the iteration early says that the peer has gone. */
export class MessageStream implements AsyncIterableIterator<JsonRpcMessage, undefined> {
  readonly #onLeave: () => void;
  #queue: JsonRpcMessage[] = [];
  #ended = false;
  #reader: ((step: Step) => void) | undefined;
  #senders: (() => void)[] = [];

  /**
   * Makes an empty stream.
   *
   * @param onLeave Called when the reader leaves before the end.
   */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave;
  }

  /** Adds a message; resolves when there is room for more. Does nothing after the end. */
  push(message: JsonRpcMessage): Promise<void> {
    if (this.#ended) return Promise.resolve();
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      reader({ done: false, value: message });
      return Promise.resolve();
    }
    this.#queue.push(message);
    if (this.#queue.length < ANSWER_BACKLOG) return Promise.resolve();
    return new Promise((resolve) => this.#senders.push(resolve));
  }

  /** Ends the stream after what was added. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#release();
    this.#reader?.({ done: true, value: undefined });
    this.#reader = undefined;
  }

  /** Ends the stream at once; what waits is dropped. */
  drop(): void {
    this.#queue = [];
    this.end();
  }

  /** The next message. */
  next(): Promise<Step> {
    const message = this.#queue.shift();
    if (message !== undefined) {
      if (this.#queue.length < ANSWER_BACKLOG) this.#release();
      return Promise.resolve({ done: false, value: message });
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#reader = resolve);
  }

  /** The reader leaves. */
  return(): Promise<Step> {
    const early = !this.#ended;
    this.drop();
    if (early) this.#onLeave();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** The stream is its own iterator. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  #release(): void {
    const senders = this.#senders;
    this.#senders = [];
    for (const send of senders) send();
  }
}
