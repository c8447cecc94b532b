/** The client's end of a duplex channel: many requests at once, told apart by their ids. */
import type { AskedList } from "../protocol/deep_items.ts";
import { brokenRequest } from "../protocol/broken_request.ts";
import { TransportError } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { isRequest, isResponse } from "../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { META } from "../protocol/meta.ts";
import { peerError } from "../protocol/peer_error.ts";
import { rarely } from "../protocol/rarely.ts";
import type { Rarely } from "../protocol/rarely.ts";
import { shown } from "../protocol/shown.ts";
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse, RequestId } from "../protocol/types.ts";
import { closedError } from "./closed_error.ts";
import type { Link } from "./link.ts";
import { PeerExchange } from "./peer_exchange.ts";
import type { ExchangeOwner } from "./peer_exchange.ts";
import { reportTo } from "../protocol/report_to.ts";
import type { BadMessage } from "./read_fault.ts";
import { StrayMessages } from "./stray_messages.ts";
import type { ExchangeOptions, Transport } from "./transport.ts";

/** Options of {@linkcode createPeer}. */
export interface PeerOptions {
  /** `subscriptionBuffer` messages may wait in one exchange, and in `incoming`, where requests are counted apart. */
  readonly limits: Pick<ResolvedLimits, "subscriptionBuffer">;
  /** Told what belongs to no call. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A {@linkcode Transport} over a channel whose reading end feeds it. */
export interface Peer extends Transport {
  /** Takes one message in. A promise that comes back asks the reading end to wait for it. */
  receive(message: JsonRpcMessage): Promise<void> | undefined;
  /** Takes what was no message: after a handshake, a request among it still gets its answer. */
  receiveBroken(read: BadMessage): Promise<void> | undefined;
  /** What the open request with this id asks. */
  askedWith(id: RequestId | undefined): AskedList | undefined;
  /** Ends one exchange, or with no id all of them, with an error; the channel stays open. Says whether one was found. */
  refuse(id: RequestId | undefined, error: unknown): boolean;
  /** The channel has ended: open exchanges reject with `cause`, by default a `TransportError` "closed". */
  end(cause?: unknown): void;
}

/**
 * Makes the client's end of a duplex channel. Ending an exchange early tells the server so with `notifications/cancelled`
 * (MCP 2026-07-28, stdio § Cancellation), except for a handshake, and where the exchange's owner tells it.
 *
 * @param link Where messages go.
 * @param options Bounds, and who hears of stray faults.
 */
export function createPeer(link: Link, options: PeerOptions): Peer {
  return new DuplexPeer(link, options);
}

const LISTEN = "subscriptions/listen";

class DuplexPeer implements Peer, ExchangeOwner {
  readonly endsWithStream = true;
  readonly incoming: StrayMessages;
  readonly link: Link;
  readonly open = new Map<unknown, PeerExchange>();
  readonly byToken = new Map<unknown, PeerExchange>();
  readonly #options: PeerOptions;
  /** Responses to nothing. */
  readonly #foreign: Rarely;
  /** Ids whose answers may still come. */
  readonly #forgotten = new Set<unknown>();
  /** Something went out that has no answer: an error without an id may be meant for that. */
  #sent = false;
  /** A handshake is over: requests of the server have answers. */
  #agreed = false;
  #ended = false;
  #closing: Promise<void> | undefined;

  constructor(link: Link, options: PeerOptions) {
    this.link = link;
    this.#options = options;
    this.#foreign = rarely((fault) => reportTo(options.onError, fault));
    this.incoming = new StrayMessages({
      bound: () => options.limits.subscriptionBuffer,
      refuse: (response) => link.send(response),
      onDrop: (error) => reportTo(options.onError, error),
    });
  }

  exchange(request: JsonRpcRequest, options: ExchangeOptions): AsyncIterable<JsonRpcMessage> {
    return new PeerExchange(this, request, options);
  }

  agreed(): void {
    this.#agreed = true;
  }

  async send(message: JsonRpcNotification | JsonRpcResponse): Promise<void> {
    if (this.#ended) throw closedError();
    this.#sent = true;
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
    this.refuse(undefined, cause ?? closedError());
    this.incoming.end();
  }

  askedWith(id: RequestId | undefined): AskedList | undefined {
    const exchange = this.open.get(id);
    return exchange && { method: exchange.request.method, list: exchange.list };
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
    if (exchange === undefined) return this.incoming.take(message);
    exchange.queue.push(message);
    // The server ends a subscription with this notice or with its response (MCP 2026-07-28, Cancellation).
    if (message.method === "notifications/cancelled") exchange.finish();
    return this.#backlog(exchange);
  }

  receiveBroken(read: BadMessage): Promise<void> | undefined {
    const request = this.#agreed ? brokenRequest(read) : undefined;
    return request && this.receive(request);
  }

  forget(exchange: PeerExchange, answered: boolean): void {
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

  #receiveResponse(message: JsonRpcResponse): undefined {
    const exchange = message.id === undefined ? this.#onlyCause() : this.open.get(message.id);
    if (exchange !== undefined) {
      exchange.queue.push(message);
      exchange.finish();
    } else if (message.id === undefined && "error" in message) {
      const { error } = message;
      this.#foreign(() => peerError(error));
    } else if (!this.#forgotten.delete(message.id)) {
      const text = `Reading a response: no request with the id ${shown(JSON.stringify(message.id) ?? "")} is open`;
      this.#foreign((soFar) => new TransportError("not_mcp", text + soFar));
    }
    return undefined;
  }

  /**
   * The probe or handshake that an error without an id answers, when nothing else was sent: such an error says that the
   * server could not read an id (JSON-RPC 2.0 § 5), and old servers treat the first request of a newer client so.
   */
  #onlyCause(): PeerExchange | undefined {
    if (this.#sent || this.open.size !== 1) return undefined;
    for (const exchange of this.open.values()) return exchange.quiet ? exchange : undefined;
    return undefined;
  }

  /** Whose notification it is; "nobody" when its owner is gone; undefined when that cannot be told. */
  #ownerOf(message: JsonRpcNotification): PeerExchange | "nobody" | undefined {
    const params = message.params ?? {};
    const meta = ownMember(params, "_meta");
    const subscription = isJsonObject(meta) ? ownMember(meta, META.subscriptionId) : undefined;
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
  #onlyOpen(): PeerExchange | undefined {
    let only: PeerExchange | undefined;
    for (const exchange of this.open.values()) {
      if (exchange.request.method === LISTEN) continue;
      if (only !== undefined) return undefined;
      only = exchange;
    }
    return only;
  }

  /** Gives a full exchange's reader one turn; a reader that takes nothing then loses its exchange, not the channel. */
  #backlog(exchange: PeerExchange): Promise<void> | undefined {
    const bound = this.#options.limits.subscriptionBuffer;
    if (exchange.queue.size <= bound) return undefined;
    return new Promise((resolve) =>
      setTimeout(() => {
        const { size } = exchange.queue;
        if (size > bound) exchange.leave(tooMany(bound, size));
        resolve();
      }, 0)
    );
  }
}

function tooMany(bound: number, seen: number): TransportError {
  const data = { limit: "subscriptionBuffer", value: bound, seen };
  const text = `Keeping messages of one call that nobody reads: ${seen} wait, the limit subscriptionBuffer is ${bound}`;
  return new TransportError("limit", text, { data });
}
