/** The client's end of Streamable HTTP: one POST for each message, answered with JSON or with an event stream. */
import { isRequest } from "../protocol/json_rpc.ts";
import { MESSAGES_UNDER_WAY, WATCH_INTERVAL } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { peerError } from "../protocol/peer_error.ts";
import { rarely } from "../protocol/rarely.ts";
import { reportTo } from "../protocol/report_to.ts";
import type { HeadersLike, JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../protocol/types.ts";
import { checkOptions } from "../protocol/unknown_option.ts";
import { closedError } from "./closed_error.ts";
import { encodeBody } from "./encode_body.ts";
import { GetStream } from "./get_stream.ts";
import { mediaTypeOf, readUpTo } from "./http_answer.ts";
import { HttpEndpoint } from "./http_endpoint.ts";
import { EVENT_TYPE, JSON_TYPE, readRefusal, readReply } from "./http_reply.ts";
import { HttpSessionClient } from "./http_session_client.ts";
import { MessageQueue } from "./message_queue.ts";
import { openStream } from "./open_stream.ts";
import type { Opening } from "./open_stream.ts";
import { readAnswerEvent } from "./read_answer_event.ts";
import { readResumable } from "./resumption.ts";
import { Slots } from "./slots.ts";
import { StreamCursor } from "./stream_cursor.ts";
import type { ExchangeOptions, HeaderPairs, ListenOptions, SendOptions, Transport } from "./transport.ts";
import { endsWithin } from "./ends_within.ts";

/** Options of {@linkcode connectStreamableHttp}. */
export interface StreamableHttpOptions {
  /**
   * Bounds: `requestBody`, `responseBody`, `sseEvent`, `jsonDepth`, `jsonElements`, `subscriptionBuffer`, `streamRetries`,
   * `streamRetryDelay`, `sessionEndTimeout`.
   */
  readonly limits: ResolvedLimits;
  /** Used for every request; the platform's own by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request. Names that the protocol uses are left out, for its own values. */
  readonly headers?: HeadersLike | undefined;
  /** Told what arrives on an event stream and belongs to no call, and of a session that could not be ended. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Makes a client's carrier of an endpoint (MCP 2026-07-28, Streamable HTTP). Nothing is sent before the first exchange.
 * Redirects are not followed: they would carry the message, and credentials, to a place that nobody named.
 * Sessions, the GET stream and resumption (MCP 2025-11-25, Streamable HTTP) are there for who asks for them: without
 * `opensSession`, `listen` and `resumable` there are POSTs alone.
 *
 * Exchanges reject with a `TransportError` "unreachable" when there is no connection, "closed" when the answer breaks off,
 * "limit" when it is too large, "not_mcp" when it is not a message, and with an `AuthorizationError` for 401 and 403. In a
 * session, a 404 is "session_lost", whose `data.ran` tells whether the request may have run.
 *
 * @param url The MCP endpoint, http or https.
 * @param options Bounds, headers, `fetch`, and who hears of stray faults.
 * @throws {TypeError} For what is not a URL, for another scheme, for headers that HTTP cannot carry, and for an option that nobody reads.
 */
export function connectStreamableHttp(url: string | URL, options: StreamableHttpOptions): Transport {
  if (!URL.canParse(url)) throw new TypeError("connectStreamableHttp.url: Expected an absolute URL");
  checkOptions(options, "connectStreamableHttp", "limits fetch headers onError");
  const endpoint = new URL(url);
  if (endpoint.protocol !== "http:" && endpoint.protocol !== "https:") {
    throw new TypeError(`url: Expected an http or https address, received the scheme "${endpoint.protocol}"`);
  }
  endpoint.hash = "";
  return new StreamableHttp(endpoint, options);
}

/** One POST, and what carries its answer on. */
interface Call {
  /** Ends the fetches and the reading of their answers. */
  readonly abort: AbortController;
  /** The response has been read: ending the iteration is no cancellation any more. */
  answered: boolean;
}

/** The answer to a POST, and the session that the POST named. */
interface Posted {
  readonly response: Response;
  readonly sessionId: string | undefined;
}

class StreamableHttp implements Transport {
  readonly incoming = new MessageQueue();
  readonly #sends = new Slots(MESSAGES_UNDER_WAY);
  readonly #endpoint: HttpEndpoint;
  readonly #options: StreamableHttpOptions;
  readonly #session: HttpSessionClient;
  readonly #stream: GetStream;
  readonly #onStray: ReturnType<typeof rarely>;
  readonly #open = new Set<AbortController>();
  /** What is left of answers; read or given up soon after them, so that connections can be used again. */
  readonly #tails = new Set<Promise<void>>();
  #closing: Promise<void> | undefined;
  #closed = false;

  constructor(url: URL, options: StreamableHttpOptions) {
    const { limits, onError } = options;
    this.#options = options;
    const onStray = this.#onStray = rarely((fault) => reportTo(onError, fault));
    const endpoint = this.#endpoint = new HttpEndpoint(url, options);
    const session = this.#session = new HttpSessionClient({ endpoint, limits, onError });
    this.#stream = new GetStream({ endpoint, session, incoming: this.incoming, limits, onError, onStray });
  }

  get sessionId(): string | undefined {
    return this.#session.id;
  }

  agreed(headers: HeaderPairs): void {
    this.#session.agree(headers);
    this.#stream.start();
  }

  listen(options: ListenOptions): void {
    this.#stream.listen(options);
  }

  exchange(request: JsonRpcRequest, options: ExchangeOptions): AsyncIterable<JsonRpcMessage> {
    const call: Call = { abort: new AbortController(), answered: false };
    const messages = this.#exchange(request, options, call);
    let left = false;
    const iterator: AsyncIterableIterator<JsonRpcMessage> = {
      next: () =>
        messages.next().catch((error) => {
          if (left) return { done: true, value: undefined };
          throw error;
        }),
      return: () => {
        left = true;
        // Closing the answer is the cancellation (MCP 2026-07-28, Streamable HTTP § Cancellation). A pending read ends by it.
        if (!call.answered) call.abort.abort();
        return messages.return(undefined).catch(() => ({ done: true, value: undefined }));
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  async send(message: JsonRpcNotification | JsonRpcResponse, options?: SendOptions): Promise<void> {
    const { limits } = this.#options;
    const { signal } = options ?? {};
    const abort = new AbortController();
    const onAbort = (): void => abort.abort();
    signal?.throwIfAborted();
    signal?.addEventListener("abort", onAbort);
    this.#open.add(abort);
    let leave = (): void => undefined;
    try {
      leave = await this.#sends.take(abort.signal);
      const { response, sessionId } = await this.#post(message, options ?? {}, abort);
      if (response.ok) {
        this.#drain(abort, () => readUpTo(this.#endpoint.where, response, limits.responseBody));
        return;
      }
      if (response.status === 404 && sessionId !== undefined) {
        throw await this.#session.lose(sessionId, response, undefined, abort.signal);
      }
      const refusal = await readRefusal(undefined, { where: this.#endpoint.where, response, limits, signal: abort.signal });
      if (refusal instanceof Error) throw refusal;
      throw peerError(refusal.error);
    } catch (error) {
      this.#open.delete(abort);
      signal?.throwIfAborted();
      throw this.#closed ? closedError() : error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      leave();
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#closing ??= (async () => {
      for (const abort of this.#open) abort.abort();
      this.incoming.end();
      await Promise.all([this.#stream.end(), this.#session.end(), ...this.#tails]);
    })();
    return this.#closing;
  }

  async *#exchange(request: JsonRpcRequest, options: ExchangeOptions, call: Call): AsyncGenerator<JsonRpcMessage, undefined> {
    const { signal } = options;
    const { abort } = call;
    const onAbort = (): void => abort.abort();
    signal?.throwIfAborted();
    signal?.addEventListener("abort", onAbort);
    try {
      const { response, sessionId: named } = await this.#post(request, options, abort);
      if (options.opensSession === true && response.ok) {
        this.#session.open(response);
        this.#stream.renew();
      }
      if (response.status === 404 && named !== undefined) throw await this.#session.lose(named, response, request, abort.signal);
      if (response.ok && mediaTypeOf(response) === EVENT_TYPE && response.body !== null) {
        const sessionId = options.opensSession === true ? this.#session.id : named;
        yield* this.#readStream(request, options, response.body, sessionId, call);
      } else {
        const { limits, onError } = this.#options;
        const { where } = this.#endpoint;
        const reading = { where, response, limits, signal: abort.signal, onError, list: options.list };
        const answer = await readReply(request, reading);
        call.answered = true;
        this.#open.delete(abort);
        if (options.opensSession === true && "error" in answer) this.#session.failed();
        yield answer;
      }
    } catch (error) {
      if (options.opensSession === true) this.#session.failed();
      signal?.throwIfAborted();
      throw this.#closed ? closedError() : error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      if (!call.answered) {
        abort.abort();
        this.#open.delete(abort);
      }
    }
  }

  async #post(message: JsonRpcMessage, options: ExchangeOptions, abort: AbortController): Promise<Posted> {
    if (this.#closed) throw closedError();
    const body = encodeBody(message, this.#options.limits.requestBody);
    this.#open.add(abort);
    const sessionId = this.#session.idFor(options);
    // A new handshake does not send the headers of an old agreement.
    const own = options.headers ?? (options.opensSession === true ? [] : undefined);
    const headers: HeaderPairs = [["content-type", JSON_TYPE], ["accept", `${JSON_TYPE}, ${EVENT_TYPE}`]];
    const response = await this.#endpoint.send({
      method: "POST",
      headers: [...headers, ...this.#session.headers(sessionId, own)],
      // Deno's fetch sends a body of bytes again when a connection that it used before breaks, and a call must not run twice.
      body: isRequest(message) ? new Blob([body]) : body,
      signal: abort.signal,
    });
    return { response, sessionId };
  }

  async *#readStream(
    request: JsonRpcRequest,
    options: ExchangeOptions,
    body: ReadableStream<Uint8Array>,
    sessionId: string | undefined,
    call: Call,
  ): AsyncGenerator<JsonRpcMessage, undefined> {
    const { limits, onError } = this.#options;
    const { where } = this.#endpoint;
    const { signal } = call.abort;
    const onStray = this.#onStray;
    const cursor = new StreamCursor(limits);
    const takeUp = (lastEventId: string): Promise<Opening> =>
      openStream(this.#endpoint, { headers: this.#session.headers(sessionId), lastEventId, signal });
    const events = readResumable({
      where,
      body,
      cursor,
      limits,
      signal,
      finished: () => call.answered,
      takeUp: options.resumable === true ? takeUp : undefined,
      inSession: sessionId !== undefined,
    });
    try {
      for (;;) {
        const step = await events.next();
        if (step.done === true) return undefined;
        const answers = this.#session.agreed !== undefined;
        const reading = { where, limits, onError, onStray, answers, list: options.list };
        const message = readAnswerEvent(request, step.value, cursor, reading);
        if (message === undefined) continue;
        cursor.delivered();
        if (!("method" in message)) {
          call.answered = true;
          if (options.opensSession === true && "error" in message) this.#session.failed();
          this.#drain(call.abort, () => events.next());
          yield message;
          return undefined;
        }
        yield message;
      }
    } finally {
      events.return(undefined).catch(() => undefined);
    }
  }

  /** Reads what is left of an answer for a short while, because a connection with an unread answer is lost. */
  #drain(abort: AbortController, rest: () => Promise<unknown>): void {
    const tail = (async () => {
      const ended = await endsWithin(rest().catch(() => undefined), WATCH_INTERVAL);
      if (!ended) abort.abort();
      this.#open.delete(abort);
    })();
    this.#tails.add(tail);
    void tail.then(() => this.#tails.delete(tail));
  }
}
