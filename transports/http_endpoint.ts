/** One MCP endpoint: every HTTP request to it goes out here. */
import { TransportError } from "../protocol/errors.ts";
import type { HeadersLike } from "../protocol/types.ts";
import { unreachableCause } from "../protocol/shown.ts";
import { publicPart } from "./public_part.ts";
import type { HeaderPairs } from "./transport.ts";
import { userHeaders } from "./user_headers.ts";

/** Options of {@linkcode HttpEndpoint}. */
export interface HttpEndpointOptions {
  /** Used for every request; the platform's own by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request, but for names that the protocol uses. */
  readonly headers?: HeadersLike | undefined;
}

/** One HTTP request. */
export interface HttpRequest {
  /** Its method. */
  readonly method: "POST" | "GET" | "DELETE";
  /** The protocol's headers; they replace the user's. */
  readonly headers: HeaderPairs;
  /** Its body. */
  readonly body?: Uint8Array<ArrayBuffer> | Blob | undefined;
  /** Ends the request and the reading of its answer. */
  readonly signal: AbortSignal;
}

/** An address, what goes with every request to it, and the way to send one. */
export class HttpEndpoint {
  /** The address without what may be secret, for errors. */
  readonly where: string;
  readonly #url: URL;
  readonly #fetch: typeof globalThis.fetch | undefined;
  readonly #headers: Headers;

  /**
   * Keeps an address.
   *
   * @throws {TypeError} For headers that HTTP cannot carry.
   */
  constructor(url: URL, options: HttpEndpointOptions) {
    this.#url = url;
    this.where = publicPart(url);
    this.#fetch = options.fetch;
    this.#headers = userHeaders(options.headers);
  }

  /**
   * Sends a request. Redirects are not followed.
   *
   * @throws {TransportError} "unreachable" when no answer comes; what a decorated fetch says on purpose is passed on.
   */
  async send({ method, headers, body, signal }: HttpRequest): Promise<Response> {
    const all = new Headers(this.#headers);
    for (const [name, value] of headers) all.set(name, value);
    const send = this.#fetch ?? globalThis.fetch;
    try {
      const init = { method, headers: all, redirect: "manual", signal, ...(body === undefined ? {} : { body }) } as const;
      return await untilAborted(Promise.resolve(send(this.#url, init)), signal);
    } catch (cause) {
      // What a decorated fetch says on purpose (an AuthorizationError, say) is said to the caller.
      if (cause instanceof Error && "kind" in cause) throw cause;
      const why = unreachableCause(cause, [...this.#headers.values()]);
      throw new TransportError("unreachable", `${method} ${this.where}: the server cannot be reached${why}`, { cause });
    }
  }
}

/** What a program decorates `fetch` with, and who gives it credentials, may not hear the signal: nobody waits for them then. */
function untilAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(signal.reason);
      answer.then(({ body }) => body?.cancel()).catch(() => undefined);
    };
    signal.addEventListener("abort", onAbort);
    const leave = (): void => signal.removeEventListener("abort", onAbort);
    answer.then(resolve, reject).then(leave);
    if (signal.aborted) onAbort();
  });
}
