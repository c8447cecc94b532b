/** One exchange on the client's end of a duplex channel: a request, and what comes for it. */
import { TransportError } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest } from "../protocol/types.ts";
import { closedError } from "./closed_error.ts";
import type { Link } from "./link.ts";
import { MessageQueue } from "./message_queue.ts";
import type { ExchangeOptions } from "./transport.ts";

/** The channel that an exchange belongs to. */
export interface ExchangeOwner {
  /** Where the exchange writes. */
  readonly link: Link;
  /** The channel has ended. */
  readonly ended: boolean;
  /** The open exchanges by the ids of their requests. */
  readonly open: Map<unknown, PeerExchange>;
  /** The open exchanges by their progress tokens. */
  readonly byToken: Map<unknown, PeerExchange>;
  /** Takes a settled exchange out; `answered` says that its response has come, so that no late one is expected. */
  forget(exchange: PeerExchange, answered: boolean): void;
}

/** One request and what comes for it. Nothing is sent before the first read. */
export class PeerExchange implements AsyncIterableIterator<JsonRpcMessage, undefined> {
  /** What is asked. */
  readonly request: JsonRpcRequest;
  /** Its progress token, when it has one. */
  readonly token: unknown;
  /** Leaving it is not told to the server. */
  readonly quiet: boolean;
  /** The member of the result that is a list, where the method is none of the protocol's own. */
  readonly list: string | undefined;
  /** What has come and waits for the reader. */
  readonly queue = new MessageQueue();
  readonly #owner: ExchangeOwner;
  readonly #signal: AbortSignal | undefined;
  #state: "new" | "open" | "done" = "new";

  /**
   * Makes an exchange that is not open yet.
   *
   * @param owner Its channel.
   * @param request What is asked.
   * @param options What ends the exchange from this side, and whether the server is told then.
   */
  constructor(owner: ExchangeOwner, request: JsonRpcRequest, options: ExchangeOptions) {
    this.#owner = owner;
    this.request = request;
    this.#signal = options.signal;
    this.list = options.list;
    // A handshake is never cancelled (MCP 2025-11-25, Cancellation § Behavior Requirements).
    this.quiet = options.opensSession === true || options.resumable === true;
    const meta = request.params?._meta;
    this.token = isJsonObject(meta) ? ownMember(meta, "progressToken") : undefined;
  }

  /** The next message; the first call opens the exchange. */
  next(): Promise<IteratorResult<JsonRpcMessage, undefined>> {
    if (this.#state === "new") this.#start();
    return this.queue.next();
  }

  /** The reader leaves; what it gives says why. */
  return(reason?: unknown): Promise<IteratorResult<JsonRpcMessage, undefined>> {
    this.leave(reason);
    return Promise.resolve({ done: true, value: undefined });
  }

  /** The exchange is its own iterator. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The last message is in the queue. */
  finish(): void {
    this.#settle(true);
    this.queue.end();
  }

  /** Nothing more will come, and the server knows. */
  fail(error: unknown): void {
    if (this.#state !== "open") return;
    this.#settle(false);
    this.queue.fail(error);
  }

  /** Ends the exchange from this side: the server is told, unless the owner does it, and what waits is forgotten. */
  leave(error: unknown): void {
    const { id } = this.request;
    const wasOpen = this.#state === "open";
    this.#settle(false);
    this.queue.clear();
    if (error === undefined) this.queue.end();
    else this.queue.fail(error);
    if (!wasOpen || this.quiet) return;
    const reason = cancelReason(error);
    this.#sendQuietly({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: reason === undefined ? { requestId: id } : { requestId: id, reason },
    });
  }

  #start(): void {
    const owner = this.#owner;
    const { id } = this.request;
    this.#state = "open";
    if (owner.ended || this.#signal?.aborted === true || owner.open.has(id)) {
      this.#state = "done";
      if (owner.ended) this.queue.fail(closedError());
      else if (this.#signal?.aborted === true) this.queue.fail(this.#signal.reason);
      else this.queue.fail(new TypeError(`exchange: The id ${JSON.stringify(id)} is already in use on this channel`));
      return;
    }
    owner.open.set(id, this);
    if (this.token !== undefined) owner.byToken.set(this.token, this);
    this.#signal?.addEventListener("abort", this.#onAbort);
    try {
      owner.link.send(this.request)?.catch((error) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  readonly #onAbort = (): void => this.leave(this.#signal?.reason);

  #settle(answered: boolean): void {
    const wasOpen = this.#state === "open";
    this.#state = "done";
    if (!wasOpen) return;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#owner.forget(this, answered);
  }

  #sendQuietly(message: JsonRpcNotification): void {
    if (this.#owner.ended) return;
    try {
      this.#owner.link.send(message)?.catch(() => undefined);
    } catch {
      // The channel is going; its end tells everyone.
    }
  }
}

/** Only words that were meant to be read: a reason given as text, or a sentence of this package. */
function cancelReason(error: unknown): string | undefined {
  if (typeof error === "string") return error;
  return error instanceof TransportError ? error.message : undefined;
}
