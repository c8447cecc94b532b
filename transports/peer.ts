/** The client's end of a duplex channel: many requests at once, told apart by their ids. */
import { ProtocolError, TransportError } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { isRequest, isResponse } from "../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse, RequestId } from "../protocol/types.ts";
import type { ExchangeOptions, Transport } from "./transport.ts";
import { MessageQueue } from "./message_queue.ts";

/** What a peer writes to. */
export interface Link {
  /** Writes one message, in the order of the calls. Throws or rejects when it cannot. */
  send(message: JsonRpcMessage): Promise<void> | void;
  /** Ends the channel. */
  close(): Promise<void> | void;
}

/** Options of {@linkcode createPeer}. */
export interface PeerOptions {
  /** `subscriptionBuffer` messages may wait in one exchange, and in `incoming`. */
  readonly limits: Pick<ResolvedLimits, "subscriptionBuffer">;
  /** Told what belongs to no call. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A {@linkcode Transport} over a channel whose reading end feeds it. */
export interface Peer extends Transport {
  /** Takes one message in. A promise that comes back asks the reading end to wait for it. */
  receive(message: JsonRpcMessage): Promise<void> | undefined;
  /** Ends one exchange, or with no id all of them, with an error; the channel stays open. Says whether one was found. */
  refuse(id: RequestId | undefined, error: unknown): boolean;
  /** The channel has ended: open exchanges reject with `cause`, by default a `TransportError` "closed". */
  end(cause?: unknown): void;
}

/**
 * Makes the client's end of a duplex channel. Ending an exchange early tells the server so with
 * `notifications/cancelled` (MCP 2026-07-28, stdio § Cancellation).
 *
 * @param link Where messages go.
 * @param options Bounds, and who hears of stray faults.
 */
export function createPeer(link: Link, options: PeerOptions): Peer {
  return new DuplexPeer(link, options);
}

const LISTEN = "subscriptions/listen";
const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

class DuplexPeer implements Peer {
  readonly incoming = new MessageQueue();
  readonly link: Link;
  readonly open = new Map<unknown, Exchange>();
  readonly byToken = new Map<unknown, Exchange>();
  readonly #options: PeerOptions;
  /** Ids whose answers may still come. */
  readonly #forgotten = new Set<unknown>();
  #ended = false;
  #overflowing = false;
  #closing: Promise<void> | undefined;

  constructor(link: Link, options: PeerOptions) {
    this.link = link;
    this.#options = options;
  }

  exchange(request: JsonRpcRequest, options: ExchangeOptions): AsyncIterable<JsonRpcMessage> {
    return new Exchange(this, request, options.signal);
  }

  async send(message: JsonRpcNotification | JsonRpcResponse): Promise<void> {
    if (this.#ended) throw closed();
    await this.link.send(message);
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.end();
      await this.link.close();
    })();
    return this.#closing;
  }

  get ended(): boolean {
    return this.#ended;
  }

  end(cause?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.refuse(undefined, cause ?? closed());
    this.incoming.end();
  }

  refuse(id: RequestId | undefined, error: unknown): boolean {
    const found = id === undefined ? [...this.open.values()] : [this.open.get(id)].filter((one) => one !== undefined);
    for (const exchange of found) exchange.fail(error);
    return found.length > 0;
  }

  receive(message: JsonRpcMessage): Promise<void> | undefined {
    if (this.#ended) return undefined;
    if (isResponse(message)) return this.#receiveResponse(message);
    const exchange = isRequest(message) ? undefined : this.#ownerOf(message);
    if (exchange === "nobody") return undefined;
    if (exchange === undefined) return this.#receiveStray(message);
    exchange.queue.push(message);
    // The server ends a subscription with this notice or with its response (MCP 2026-07-28, Cancellation).
    if (message.method === "notifications/cancelled") exchange.finish();
    return this.#backlog(exchange);
  }

  forget(exchange: Exchange, answered: boolean): void {
    this.open.delete(exchange.request.id);
    if (this.byToken.get(exchange.token) === exchange) this.byToken.delete(exchange.token);
    if (answered || this.#ended) return;
    this.#forgotten.add(exchange.request.id);
    if (this.#forgotten.size > this.#options.limits.subscriptionBuffer) {
      for (const oldest of this.#forgotten) {
        this.#forgotten.delete(oldest);
        break;
      }
    }
  }

  report(error: unknown): void {
    try {
      this.#options.onError?.(error);
    } catch {
      // A listener's fault must not stop the channel.
    }
  }

  #receiveResponse(message: JsonRpcResponse): undefined {
    const exchange = message.id === undefined ? undefined : this.open.get(message.id);
    if (exchange !== undefined) {
      exchange.queue.push(message);
      exchange.finish();
    } else if (message.id === undefined && "error" in message) {
      this.report(new ProtocolError(message.error.code, message.error.message, { data: message.error.data }));
    } else if (!this.#forgotten.delete(message.id)) {
      this.report(new TransportError("not_mcp", `Read a response: no request with the id ${JSON.stringify(message.id)} is open`));
    }
    return undefined;
  }

  /** Whose notification it is; "nobody" when its owner is gone; undefined when that cannot be told. */
  #ownerOf(message: JsonRpcNotification): Exchange | "nobody" | undefined {
    const params = message.params ?? {};
    const meta = ownMember(params, "_meta");
    const subscription = isJsonObject(meta) ? ownMember(meta, SUBSCRIPTION_ID) : undefined;
    if (subscription !== undefined) {
      return this.open.get(subscription) ?? (this.#forgotten.has(subscription) ? "nobody" : undefined);
    }
    const token = ownMember(params, "progressToken");
    if (token !== undefined) {
      return this.byToken.get(token) ?? (message.method === "notifications/progress" ? "nobody" : undefined);
    }
    if (message.method === "notifications/message") return this.#onlyOpen();
    if (message.method !== "notifications/cancelled") return undefined;
    const cancelled = this.open.get(ownMember(params, "requestId"));
    return cancelled?.request.method === LISTEN ? cancelled : undefined;
  }

  /** The one open exchange that can own a log message, which a subscription cannot (MCP 2026-07-28, Streamable HTTP). */
  #onlyOpen(): Exchange | undefined {
    let only: Exchange | undefined;
    for (const exchange of this.open.values()) {
      if (exchange.request.method === LISTEN) continue;
      if (only !== undefined) return undefined;
      only = exchange;
    }
    return only;
  }

  #receiveStray(message: JsonRpcMessage): undefined {
    const bound = this.#options.limits.subscriptionBuffer;
    this.incoming.push(message);
    if (this.incoming.size <= bound) {
      this.#overflowing = false;
      return undefined;
    }
    this.incoming.dropOldest();
    if (!this.#overflowing) this.report(tooMany("Keep messages that belong to no call", bound, bound + 1));
    this.#overflowing = true;
    return undefined;
  }

  /** Gives a full exchange's reader one turn; a reader that takes nothing then loses its exchange, not the channel. */
  #backlog(exchange: Exchange): Promise<void> | undefined {
    const bound = this.#options.limits.subscriptionBuffer;
    if (exchange.queue.size <= bound) return undefined;
    return new Promise((resolve) =>
      setTimeout(() => {
        const { size } = exchange.queue;
        if (size > bound) exchange.leave(tooMany("Keep messages of one call that nobody reads", bound, size));
        resolve();
      }, 0)
    );
  }
}

/** One request and what comes for it. Nothing is sent before the first read. */
class Exchange implements AsyncIterableIterator<JsonRpcMessage, undefined> {
  readonly request: JsonRpcRequest;
  readonly token: unknown;
  readonly queue = new MessageQueue();
  readonly #peer: DuplexPeer;
  readonly #signal: AbortSignal | undefined;
  #state: "new" | "open" | "done" = "new";

  constructor(peer: DuplexPeer, request: JsonRpcRequest, signal: AbortSignal | undefined) {
    this.#peer = peer;
    this.request = request;
    this.#signal = signal;
    const meta = request.params?._meta;
    this.token = isJsonObject(meta) ? ownMember(meta, "progressToken") : undefined;
  }

  next(): Promise<IteratorResult<JsonRpcMessage, undefined>> {
    if (this.#state === "new") this.#start();
    return this.queue.next();
  }

  return(): Promise<IteratorResult<JsonRpcMessage, undefined>> {
    this.leave(undefined);
    return Promise.resolve({ done: true, value: undefined });
  }

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

  /** Ends the exchange from this side: the server is told, and what waits is forgotten. */
  leave(error: unknown): void {
    const { id } = this.request;
    const wasOpen = this.#state === "open";
    this.#settle(false);
    this.queue.clear();
    if (error === undefined) this.queue.end();
    else this.queue.fail(error);
    if (!wasOpen) return;
    const reason = cancelReason(error);
    this.#sendQuietly({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: reason === undefined ? { requestId: id } : { requestId: id, reason },
    });
  }

  #start(): void {
    const peer = this.#peer;
    const { id } = this.request;
    this.#state = "open";
    if (peer.ended || this.#signal?.aborted === true || peer.open.has(id)) {
      this.#state = "done";
      if (peer.ended) this.queue.fail(closed());
      else if (this.#signal?.aborted === true) this.queue.fail(this.#signal.reason);
      else this.queue.fail(new TypeError(`exchange: The id ${JSON.stringify(id)} is already in use on this channel`));
      return;
    }
    peer.open.set(id, this);
    if (this.token !== undefined) peer.byToken.set(this.token, this);
    this.#signal?.addEventListener("abort", this.#onAbort);
    try {
      peer.link.send(this.request)?.catch((error) => this.fail(error));
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
    this.#peer.forget(this, answered);
  }

  #sendQuietly(message: JsonRpcNotification): void {
    if (this.#peer.ended) return;
    try {
      this.#peer.link.send(message)?.catch(() => undefined);
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

function closed(): TransportError {
  return new TransportError("closed", "Use the connection: it is closed");
}

function tooMany(attempt: string, bound: number, seen: number): TransportError {
  const data = { limit: "subscriptionBuffer", value: bound, seen };
  return new TransportError("limit", `${attempt}: ${seen} wait, the limit subscriptionBuffer is ${bound}`, { data });
}
