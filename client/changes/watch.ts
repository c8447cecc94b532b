/** `client.watch`: a change stream that opens on first use and may open again. */
import { TransportError } from "../../protocol/errors.ts";
import { onDemand } from "../../protocol/on_demand.ts";
import type { SubscriptionFilter } from "../../protocol/types.ts";
import type { Connection } from "../connection.ts";
import { onAbort } from "../waits/on_abort.ts";
import type { Relisten } from "./relisten.ts";
import { ChangeStream } from "./change_stream.ts";
import { openListen } from "./listen_stream.ts";
import type { ListenSink } from "./listen_types.ts";
import type { CloseReason, Watch, WatchOptions } from "./subscription_types.ts";
import { checkFilter, listenRequest } from "./listen.ts";

/** Most programs never lose a stream. */
const RELISTEN = onDemand(() => import("./relisten.ts"));

/**
 * Makes a change stream that opens on first use.
 *
 * @param connection Where to.
 * @param filter What to ask for; sent as it is, keys of extensions included.
 * @param options How events are buffered, and whether a lost stream is opened again.
 * @throws {TypeError} For a malformed filter or option.
 */
export function watch(connection: Connection, filter: SubscriptionFilter, options: WatchOptions): Watch {
  checkFilter(filter, "client.watch");
  return new Watching(connection, filter, options);
}

class Watching implements Watch {
  readonly closed: Promise<CloseReason>;
  readonly #connection: Connection;
  readonly #filter: SubscriptionFilter;
  readonly #options: WatchOptions;
  readonly #abort = new AbortController();
  readonly #stream: ChangeStream;
  #opening: Promise<SubscriptionFilter> | undefined;
  #leaveSignal: (() => void) | undefined;
  #relisten: Relisten | undefined;
  /** When the stream that is, or was last, open began. */
  #openedAt = -Infinity;

  constructor(connection: Connection, filter: SubscriptionFilter, options: WatchOptions) {
    this.#connection = connection;
    this.#filter = filter;
    this.#options = options;
    listenRequest(connection, filter, options, this.#abort.signal);
    this.#stream = new ChangeStream(options, connection.settings.limits, () => this.#ended());
    this.closed = this.#stream.closed;
  }

  open(): Promise<SubscriptionFilter> {
    this.#opening ??= this.#openFirst();
    return this.#opening;
  }

  next(): ReturnType<Watch["next"]> {
    // What fails here is in the last event too.
    this.open().catch(() => undefined);
    return this.#stream.next();
  }

  close(): Promise<void> {
    this.#stream.end({ by: "client" });
    return Promise.resolve();
  }

  [Symbol.asyncIterator](): ReturnType<Watch[typeof Symbol.asyncIterator]> {
    return this.#stream.iterate(() => this.next(), () => this.close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #openFirst(): Promise<SubscriptionFilter> {
    const { signal } = this.#options;
    try {
      signal?.throwIfAborted();
      if (this.#stream.ended) throw new TransportError("closed", "Opening a change stream: it was closed");
      this.#leaveSignal = onAbort(signal, this.#onAbort);
      this.#connection.streams.add(this);
      return await this.#listen(undefined);
    } catch (error) {
      this.#stream.end({ by: "fault", error: error instanceof Error ? error : new Error("Aborted", { cause: error }) });
      throw error;
    }
  }

  #listen(accepted: (() => void) | undefined): Promise<SubscriptionFilter> {
    const request = listenRequest(this.#connection, this.#filter, this.#options, this.#abort.signal);
    const sink: ListenSink = {
      accepted: () => {
        this.#openedAt = performance.now();
        accepted?.();
      },
      push: (event) => this.#stream.push(event),
      end: (reason) => {
        if (this.#options.relisten === true && reason.by === "fault") void this.#again(reason);
        else this.#stream.end(reason);
      },
    };
    // Where a connection begins with a handshake there are no change streams, but subscriptions of the session.
    if (this.#connection.dialect.handshake !== undefined) return this.#connection.watchSession(request, sink);
    return openListen(this.#connection, request, sink);
  }

  /** Never rejects. */
  async #again(reason: CloseReason): Promise<void> {
    const { loaded, load } = RELISTEN;
    const parts = loaded ?? await load().catch(() => undefined);
    if (parts === undefined) return this.#stream.end(reason);
    this.#relisten ??= new parts.Relisten({
      connection: this.#connection,
      stream: this.#stream,
      signal: this.#abort.signal,
      open: () => this.#listen(() => this.#stream.push({ type: "gap" })),
    });
    await this.#relisten.again(reason, this.#openedAt);
  }

  #ended(): void {
    this.#leaveSignal?.();
    this.#connection.streams.delete(this);
    this.#abort.abort(new TransportError("closed", "Opening a change stream: it was closed"));
  }

  readonly #onAbort = (): void => {
    if (this.#opening !== undefined) this.#abort.abort(this.#options.signal?.reason);
    this.#stream.end({ by: "client" });
  };
}
