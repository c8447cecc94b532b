/** The GET stream of a client: one for all who listen, opened again where it ends. */
import { brokenRequest } from "../protocol/broken_request.ts";
import { TransportError } from "../protocol/errors.ts";
import type { StreamEvent } from "../protocol/framing/sse.ts";
import { WATCH_INTERVAL } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { Rarely } from "../protocol/rarely.ts";
import { closedError } from "./closed_error.ts";
import type { HttpEndpoint } from "./http_endpoint.ts";
import type { HttpSessionClient } from "./http_session_client.ts";
import type { MessageQueue } from "./message_queue.ts";
import { openStream } from "./open_stream.ts";
import { pause } from "./pause.ts";
import { httpReadFault } from "./read_fault.ts";
import { reportTo } from "../protocol/report_to.ts";
import { readEvent } from "./read_event.ts";
import { readEvents } from "./sse_stream.ts";
import { StreamCursor } from "./stream_cursor.ts";
import type { ListenOptions } from "./transport.ts";

/** Options of {@linkcode GetStream}. */
export interface GetStreamOptions {
  /** Where the stream is. */
  readonly endpoint: HttpEndpoint;
  /** Whose headers go with the GET. */
  readonly session: HttpSessionClient;
  /** Takes the messages; while it is full, nothing more is read. */
  readonly incoming: MessageQueue;
  /** Bounds: `sseEvent`, `jsonDepth`, `jsonElements`, `subscriptionBuffer`, `streamRetries`, `streamRetryDelay`. */
  readonly limits: ResolvedLimits;
  /** Told of events that hold no message: the stream may bring many. */
  readonly onStray: Rarely;
  /** Told of faults of listeners. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

interface Listener {
  readonly options: ListenOptions;
  readonly onAbort: () => void;
  /** Has been told of the loss. */
  told: boolean;
}

/** The stream of what belongs to no exchange (MCP 2025-11-25, Streamable HTTP § Listening for Messages from the Server). */
export class GetStream {
  readonly #options: GetStreamOptions;
  readonly #listeners = new Set<Listener>();
  #running: AbortController | undefined;
  #settled: Promise<void> = Promise.resolve();
  /** Messages may be missed until the next opening. */
  #missed = false;
  #ended = false;

  /** Opens nothing before somebody listens and the handshake is over. */
  constructor(options: GetStreamOptions) {
    this.#options = options;
  }

  /** Adds a listener. The stream stays open until the signals of all of them have aborted. */
  listen(options: ListenOptions): void {
    if (options.signal.aborted) return;
    if (this.#ended) return call(() => options.onLost?.(closedError()), this.#options.onError);
    const listener: Listener = { options, told: false, onAbort: () => this.#leave(listener) };
    options.signal.addEventListener("abort", listener.onAbort);
    this.#listeners.add(listener);
    this.start();
  }

  /** Opens the stream if it is wanted, possible, and not open. */
  start(): void {
    if (this.#running !== undefined || this.#ended || this.#listeners.size === 0) return;
    if (this.#options.session.agreed === undefined) return;
    const abort = new AbortController();
    this.#running = abort;
    const before = this.#settled;
    // One at a time: the old one has let go before the new one begins.
    this.#settled = before.then(() => this.#run(abort.signal)).finally(() => {
      if (this.#running === abort) this.#running = undefined;
    });
  }

  /** Lets go of the stream of an old session; {@linkcode start} opens the one of the new session. */
  renew(): void {
    if (this.#running !== undefined) this.#missed = true;
    this.#stop();
  }

  /** Ends the stream for good; resolves when nothing of it is left. */
  end(): Promise<void> {
    this.#ended = true;
    for (const listener of [...this.#listeners]) this.#leave(listener);
    return this.#settled;
  }

  #leave(listener: Listener): void {
    listener.options.signal.removeEventListener("abort", listener.onAbort);
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#missed = false;
    this.#stop();
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  /** Keeps the stream open until it is not wanted any more or is lost. Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    const cursor = new StreamCursor(this.#options.limits);
    while (!signal.aborted) {
      const lost = await this.#connect(cursor, signal);
      if (signal.aborted) return;
      const delay = lost === undefined ? cursor.delay() : undefined;
      if (delay === undefined) return this.#lose(lost?.error ?? this.#spent(cursor));
      await pause(delay, signal);
    }
  }

  /** Opens the stream once and reads it to its end. Returns why it cannot be opened again, if it cannot. */
  async #connect(cursor: StreamCursor, signal: AbortSignal): Promise<{ readonly error: unknown } | undefined> {
    const { endpoint, session } = this.#options;
    const { lastEventId } = cursor;
    const connection = new AbortController();
    const onAbort = (): void => connection.abort();
    if (signal.aborted) return undefined;
    signal.addEventListener("abort", onAbort);
    try {
      const opening = await openStream(endpoint, {
        headers: session.headers(session.id),
        lastEventId,
        signal: connection.signal,
      });
      if (signal.aborted) return undefined;
      if (opening.type === "stream") {
        this.#opened(cursor);
        return await this.#read(opening.body, cursor, signal);
      }
      cursor.failed();
      if (opening.type === "fault") return undefined;
      const { status, error } = opening;
      if (status === 404 && session.id !== undefined) return { error: sessionLost(endpoint.where, error) };
      // The server may have forgotten the events, and still open a new stream.
      if (lastEventId === undefined || !MAY_MEAN_THE_EVENT.has(status)) return { error };
      cursor.forget();
      return undefined;
    } finally {
      signal.removeEventListener("abort", onAbort);
      connection.abort();
    }
  }

  #opened(cursor: StreamCursor): void {
    cursor.opened();
    const missed = this.#missed && cursor.lastEventId === undefined;
    this.#missed = true;
    for (const listener of [...this.#listeners]) {
      listener.told = false;
      if (missed) call(() => listener.options.onGap?.(), this.#options.onError);
    }
  }

  async #read(
    body: ReadableStream<Uint8Array>,
    cursor: StreamCursor,
    signal: AbortSignal,
  ): Promise<{ readonly error: unknown } | undefined> {
    const { incoming, limits } = this.#options;
    try {
      for await (const event of readEvents(body, { maxBytes: limits.sseEvent, onRetry: cursor.onRetry, signal })) {
        if (signal.aborted) return undefined;
        if (cursor.take(event) === "message" && this.#deliver(event)) cursor.delivered();
        while (incoming.size >= limits.subscriptionBuffer && !signal.aborted) await pause(WATCH_INTERVAL, signal);
      }
    } catch (error) {
      // The same event would come again and again.
      if (error instanceof TransportError) return { error };
    }
    return undefined;
  }

  #deliver(event: StreamEvent): boolean {
    const { endpoint, incoming, limits, onStray } = this.#options;
    const read = readEvent(event, limits);
    // This stream is there after a handshake alone, where every request of the server has an answer.
    const message = read.ok ? read.message : brokenRequest(read);
    if (!read.ok) onStray(() => httpReadFault(`Reading the stream of ${endpoint.where}`, read.error, limits));
    if (message !== undefined) incoming.push(message);
    return message !== undefined;
  }

  #spent(cursor: StreamCursor): TransportError {
    const { where } = this.#options.endpoint;
    const found = `it ended, and ${cursor.attempts} attempts brought no message (limit streamRetries)`;
    return new TransportError("closed", `GET ${where}: the stream cannot be kept open: ${found}`, {
      data: { limit: "streamRetries", value: this.#options.limits.streamRetries },
    });
  }

  #lose(error: unknown): void {
    this.#running = undefined;
    this.#missed = true;
    for (const listener of [...this.#listeners]) {
      if (listener.told) continue;
      listener.told = true;
      call(() => listener.options.onLost?.(error), this.#options.onError);
    }
  }
}

/** Refusals that may be meant for `Last-Event-ID`. */
const MAY_MEAN_THE_EVENT: ReadonlySet<number> = new Set([400, 404, 410, 412, 422]);

function sessionLost(where: string, cause: unknown): TransportError {
  const text = `GET ${where}: the server does not know the session any more (status 404)`;
  return new TransportError("session_lost", text, { cause, data: { status: 404 } });
}

/** Calls a listener, whose own faults must not stop the stream. */
function call(listener: () => void, onError: ((error: unknown) => void) | undefined): void {
  try {
    listener();
  } catch (error) {
    reportTo(onError, error);
  }
}
