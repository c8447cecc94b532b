/** What comes from a server and belongs to no exchange, until somebody reads it. */
import { ERROR_CODES, TransportError } from "../protocol/errors.ts";
import { errorResponse, isRequest } from "../protocol/json_rpc.ts";
import { shown } from "../protocol/shown.ts";
import type { JsonRpcMessage, JsonRpcRequest, JsonRpcResponse } from "../protocol/types.ts";
import { Lane } from "./lane.ts";

/** Options of {@linkcode StrayMessages}. */
export interface StrayMessagesOptions {
  /** The limit `subscriptionBuffer`: so many requests may wait, and as many other messages. */
  readonly bound: () => number;
  /** Sends the answer to a request that found no place. What it throws is swallowed: the channel is then going. */
  readonly refuse: (response: JsonRpcResponse) => Promise<unknown> | unknown;
  /** Told, once for each time that there are too many, of notifications that were dropped. */
  readonly onDrop: (error: TransportError) => void;
}

interface Waiting {
  readonly place: number;
  readonly message: JsonRpcMessage;
}

type Step = IteratorResult<JsonRpcMessage, undefined>;

/**
 * A queue with one reading end. Of notifications that nobody reads the oldest go; a request never goes without an answer: the
 * newest of too many are refused by naming the limit. Neither happens before the reader had a turn.
 */
export class StrayMessages implements AsyncIterableIterator<JsonRpcMessage, undefined> {
  readonly #options: StrayMessagesOptions;
  readonly #requests = new Lane<Waiting>();
  readonly #others = new Lane<Waiting>();
  readonly #readers: ((step: Step) => void)[] = [];
  #places = 0;
  #turn: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  #overflowing = false;
  #ended = false;

  /** Holds nothing. */
  constructor(options: StrayMessagesOptions) {
    this.#options = options;
  }

  /** How many messages wait. */
  get size(): number {
    return this.#requests.size + this.#others.size;
  }

  /** Takes a message in. A promise that comes back asks whoever brings messages to wait for it. */
  take(message: JsonRpcMessage): Promise<void> | undefined {
    if (this.#ended) return undefined;
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      reader({ done: false, value: message });
      return undefined;
    }
    const lane = isRequest(message) ? this.#requests : this.#others;
    lane.push({ place: this.#places++, message });
    const bound = this.#options.bound();
    if (this.#others.size <= bound) this.#overflowing = false;
    return lane.size <= bound ? undefined : this.#giveTurn();
  }

  /** No more messages; those that wait are still read. */
  end(): void {
    this.#ended = true;
    this.#turn?.end();
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  /** Reads the next message. */
  next(): Promise<Step> {
    const request = this.#requests.first;
    const other = this.#others.first;
    const requestIsNext = request !== undefined && (other === undefined || request.place < other.place);
    const next = (requestIsNext ? this.#requests : this.#others).shift();
    if (next !== undefined) return Promise.resolve({ done: false, value: next.message });
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** The queue itself: there is one reader. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** One turn for all that came at once. */
  #giveTurn(): Promise<void> {
    if (this.#turn !== undefined) return this.#turn.over;
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#turn = undefined;
        this.#trim().then(resolve);
      }, 0);
      end = () => {
        clearTimeout(timer);
        this.#turn = undefined;
        resolve();
      };
    });
    this.#turn = { over, end };
    return over;
  }

  async #trim(): Promise<void> {
    const bound = this.#options.bound();
    const waiting = this.#others.size;
    while (this.#others.size > bound) this.#others.shift();
    if (waiting > bound) {
      if (!this.#overflowing) this.#options.onDrop(tooMany(bound, waiting));
      this.#overflowing = true;
    }
    const refused: JsonRpcRequest[] = [];
    while (this.#requests.size > bound) refused.push(this.#requests.pop()?.message as JsonRpcRequest);
    for (const { id, method } of refused.reverse()) {
      if (this.#ended) return;
      const text = `Answering ${shown(method)}: ${bound} requests wait (limit subscriptionBuffer)`;
      try {
        await this.#options.refuse(errorResponse(id, ERROR_CODES.internal_error, text));
      } catch {
        // The channel is going; its end tells everyone.
      }
    }
  }
}

function tooMany(bound: number, seen: number): TransportError {
  const data = { limit: "subscriptionBuffer", value: bound, seen };
  const text = `Keeping messages that belong to no call: ${seen} wait, the limit subscriptionBuffer is ${bound}`;
  return new TransportError("limit", text, { data });
}
