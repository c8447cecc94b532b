/** Messages that wait for one reader. */
import type { JsonRpcMessage } from "../protocol/types.ts";
import { Lane } from "./lane.ts";

interface Waiter {
  readonly resolve: (result: IteratorResult<JsonRpcMessage, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

/** A first-in first-out queue with one reading end, which learns of the end and of a failure after what was queued before. */
export class MessageQueue implements AsyncIterableIterator<JsonRpcMessage, undefined> {
  #waiting = new Lane<JsonRpcMessage>();
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  readonly #waiters: Waiter[] = [];

  /** How many messages wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Adds a message; does nothing after the end. */
  push(message: JsonRpcMessage): void {
    if (this.#ended) return;
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#waiting.push(message);
    else waiter.resolve({ done: false, value: message });
  }

  /** No more messages; those that wait are still read. */
  end(): void {
    this.#ended = true;
    for (const waiter of this.#waiters.splice(0)) waiter.resolve({ done: true, value: undefined });
  }

  /** Ends with an error, which the next read after the waiting messages throws once. */
  fail(error: unknown): void {
    if (this.#ended) return;
    const waiters = this.#waiters.splice(0);
    if (waiters.length === 0) this.#failure = { error };
    this.#ended = true;
    waiters.forEach((waiter, index) => index === 0 ? waiter.reject(error) : waiter.resolve({ done: true, value: undefined }));
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting = new Lane();
  }

  /** Reads the next message. */
  next(): Promise<IteratorResult<JsonRpcMessage, undefined>> {
    const message = this.#waiting.shift();
    if (message !== undefined) return Promise.resolve({ done: false, value: message });
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      this.#failure = undefined;
      return Promise.reject(error);
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  /** The queue itself: there is one reader. */
  [Symbol.asyncIterator](): this {
    return this;
  }
}
