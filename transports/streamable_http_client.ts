/** The client's end of Streamable HTTP: one POST for each message, answered with JSON or with an event stream. */
import { ProtocolError, TransportError } from "../protocol/errors.ts";
import { isRequest, isResponse, messageText, parseMessage } from "../protocol/json_rpc.ts";
import { WATCH_INTERVAL } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { HeadersLike, JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../protocol/types.ts";
import { closedError } from "./closed_error.ts";
import { mediaTypeOf, readUpTo } from "./http_answer.ts";
import { publicPart } from "./http_error.ts";
import { JSON_TYPE, ownAnswer, readRefusal, readReply } from "./http_reply.ts";
import { MessageQueue } from "./message_queue.ts";
import { readFault } from "./read_fault.ts";
import { reportTo } from "./report.ts";
import { readEvents } from "./sse_stream.ts";
import type { ExchangeOptions, SendOptions, Transport } from "./transport.ts";
import { userHeaders } from "./user_headers.ts";
import { within } from "./within.ts";

/** Options of {@linkcode connectStreamableHttp}. */
export interface StreamableHttpOptions {
  /** Bounds: `requestBody`, `responseBody`, `sseEvent`, `jsonDepth`, `jsonElements`. */
  readonly limits: ResolvedLimits;
  /** Used for every request; the platform's own by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request. Names that the protocol uses are left out, for its own values. */
  readonly headers?: HeadersLike | undefined;
  /** Told what arrives on an event stream and belongs to no call. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Makes a client's carrier of an endpoint (MCP 2026-07-28, Streamable HTTP). Nothing is sent before the first exchange.
 * Redirects are not followed: they would carry the message, and credentials, to a place that nobody named.
 *
 * Exchanges reject with a `TransportError` "unreachable" when there is no connection, "closed" when the answer breaks off,
 * "limit" when it is too large, "not_mcp" when it is no message, and with an `AuthorizationError` for 401 and 403.
 *
 * @param url The MCP endpoint, http or https.
 * @param options Bounds, headers, `fetch`, and who hears of stray faults.
 * @throws {TypeError} For another scheme, or headers that HTTP cannot carry.
 */
export function connectStreamableHttp(url: string | URL, options: StreamableHttpOptions): Transport {
  const endpoint = new URL(url);
  if (endpoint.protocol !== "http:" && endpoint.protocol !== "https:") {
    throw new TypeError(`url: Expected an http or https address, received the scheme "${endpoint.protocol}"`);
  }
  endpoint.hash = "";
  return new StreamableHttp(endpoint, options);
}

const EVENT_TYPE = "text/event-stream";

/** One POST. */
interface Call {
  /** Ends the fetch and the reading of its answer. */
  readonly abort: AbortController;
  /** The response has been read: ending the iteration is no cancellation any more. */
  answered: boolean;
}

class StreamableHttp implements Transport {
  readonly incoming = new MessageQueue();
  readonly #url: URL;
  readonly #where: string;
  readonly #options: StreamableHttpOptions;
  readonly #headers: Headers;
  readonly #open = new Set<AbortController>();
  /** What is left of answers; read or given up soon after them, so that connections can be used again. */
  readonly #tails = new Set<Promise<void>>();
  #closed = false;

  constructor(url: URL, options: StreamableHttpOptions) {
    this.#url = url;
    this.#where = publicPart(url);
    this.#options = options;
    this.#headers = userHeaders(options.headers);
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
    const abort = new AbortController();
    try {
      const response = await this.#post(message, options?.headers, abort);
      if (response.ok) {
        this.#drain(abort, () => readUpTo(this.#where, response, this.#options.limits.responseBody));
        return;
      }
      const refusal = await readRefusal(this.#where, response, this.#options.limits);
      if (refusal instanceof Error) throw refusal;
      throw new ProtocolError(refusal.error.code, refusal.error.message, { data: refusal.error.data });
    } catch (error) {
      this.#open.delete(abort);
      throw this.#closed ? closedError() : error;
    }
  }

  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      for (const abort of this.#open) abort.abort();
      this.incoming.end();
    }
    await Promise.all(this.#tails);
  }

  async *#exchange(request: JsonRpcRequest, options: ExchangeOptions, call: Call): AsyncGenerator<JsonRpcMessage, undefined> {
    const { signal } = options;
    const { abort } = call;
    const onAbort = (): void => abort.abort();
    signal?.throwIfAborted();
    signal?.addEventListener("abort", onAbort);
    try {
      const response = await this.#post(request, options.headers, abort);
      if (response.ok && mediaTypeOf(response) === EVENT_TYPE && response.body !== null) {
        yield* this.#readStream(request, response.body, call);
      } else {
        const answer = await readReply(this.#where, request, response, this.#options.limits);
        call.answered = true;
        this.#open.delete(abort);
        yield answer;
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#closed ? closedError() : error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      if (!call.answered) {
        abort.abort();
        this.#open.delete(abort);
      }
    }
    return undefined;
  }

  async #post(
    message: JsonRpcMessage,
    headers: ExchangeOptions["headers"],
    abort: AbortController,
  ): Promise<Response> {
    if (this.#closed) throw closedError();
    const body = encodeBody(message, this.#options.limits.requestBody);
    const send = this.#options.fetch ?? globalThis.fetch;
    this.#open.add(abort);
    const all = new Headers(this.#headers);
    all.set("content-type", JSON_TYPE);
    all.set("accept", `${JSON_TYPE}, ${EVENT_TYPE}`);
    for (const [name, value] of headers ?? []) all.set(name, value);
    try {
      return await send(this.#url, { method: "POST", headers: all, body, redirect: "manual", signal: abort.signal });
    } catch (cause) {
      // What a decorated fetch says on purpose (an AuthorizationError, say) is said to the caller.
      if (cause instanceof Error && "kind" in cause) throw cause;
      throw new TransportError("unreachable", `POST ${this.#where}: the server cannot be reached`, { cause });
    }
  }

  async *#readStream(
    request: JsonRpcRequest,
    body: ReadableStream<Uint8Array>,
    call: Call,
  ): AsyncGenerator<JsonRpcMessage, undefined> {
    const { limits } = this.#options;
    const attempt = `Read the answer of ${this.#where}`;
    const events = readEvents(body, { maxBytes: limits.sseEvent });
    try {
      for (;;) {
        const step = await events.next().catch((cause) => {
          throw cause instanceof TransportError
            ? cause
            : new TransportError("closed", `${attempt}: the stream broke off`, { cause });
        });
        if (step.done === true) throw new TransportError("closed", `${attempt}: the stream ended without a response`);
        const message = this.#readEvent(request, step.value, attempt);
        if (message === undefined) continue;
        if (!("method" in message)) {
          call.answered = true;
          this.#drain(call.abort, () => events.next());
          yield message;
          return undefined;
        }
        yield message;
      }
    } finally {
      // Not waited for: when the peer is silent it only ends together with the fetch.
      events.return(undefined).catch(() => undefined);
    }
  }

  #readEvent(
    request: JsonRpcRequest,
    event: { event?: string | undefined; data: string },
    attempt: string,
  ): JsonRpcMessage | undefined {
    const { limits, onError } = this.#options;
    if (event.data === "" || (event.event !== undefined && event.event !== "" && event.event !== "message")) return undefined;
    const read = parseMessage(event.data, limits);
    if (!read.ok) {
      const fault = readFault(attempt, event.data, read.error, limits);
      if (read.id === request.id) throw fault;
      reportTo(onError, fault);
      return undefined;
    }
    const { message } = read;
    if (isRequest(message)) {
      // MCP 2026-07-28, Streamable HTTP § Receiving Messages.
      reportTo(onError, new TransportError("not_mcp", `${attempt}: the server sent a request on the stream of an answer`));
      return undefined;
    }
    if (!isResponse(message)) return message;
    const answer = ownAnswer(request, message);
    if (answer === undefined) {
      reportTo(onError, new TransportError("not_mcp", `${attempt}: the stream holds the answer of another request`));
    }
    return answer;
  }

  /** Reads what is left of an answer for a short while, because a connection with an unread answer is lost. */
  #drain(abort: AbortController, rest: () => Promise<unknown>): void {
    const tail = (async () => {
      const ended = await within(rest().catch(() => undefined), WATCH_INTERVAL);
      if (!ended) abort.abort();
      this.#open.delete(abort);
    })();
    this.#tails.add(tail);
    void tail.then(() => this.#tails.delete(tail));
  }
}

function encodeBody(message: JsonRpcMessage, limit: number): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(messageText(message));
  if (bytes.length <= limit) return bytes;
  const data = { limit: "requestBody", value: limit, seen: bytes.length };
  throw new TransportError("limit", `Send a message: it has ${bytes.length} bytes, the limit requestBody is ${limit}`, { data });
}
