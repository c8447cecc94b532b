/** What the server is told about one HTTP request, and when its client has gone. */
import type { HeaderReader } from "../protocol/headers.ts";
import type { Connection, MessageInfo, Principal } from "./transport.ts";

const HTTP: Connection = Object.freeze({ transport: "http" });

/** One HTTP request and its answer. The request's signal is touched only when somebody asks to hear of the client's going. */
export class HttpExchange implements MessageInfo {
  /** The verified caller. */
  readonly principal: Principal | undefined;
  /** A single exchange: nothing is shared between two requests. */
  readonly connection: Connection = HTTP;
  readonly #request: Request;
  readonly #outer: AbortSignal | undefined;
  #listeners: Set<() => void> | undefined;
  #gone = false;

  /** Takes a request; `outer` is a signal of the application that ends it too. */
  constructor(request: Request, principal: Principal | undefined, outer: AbortSignal | undefined) {
    this.#request = request;
    this.principal = principal;
    this.#outer = outer;
  }

  /** The HTTP headers. */
  get headers(): HeaderReader {
    return this.#request.headers;
  }

  /** Registers a listener that is called once when the client has gone. */
  onDisconnect(listener: () => void): () => void {
    if (this.#gone) {
      queueMicrotask(listener);
      return () => undefined;
    }
    if (this.#listeners === undefined) {
      this.#listeners = new Set();
      this.#request.signal.addEventListener("abort", this.disconnect, { once: true });
      this.#outer?.addEventListener("abort", this.disconnect, { once: true });
      // A signal that was aborted before never fires again.
      if (this.#request.signal.aborted || this.#outer?.aborted === true) queueMicrotask(this.disconnect);
    }
    const own = (): void => listener();
    const listeners = this.#listeners;
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners === listeners) this.#detach();
    };
  }

  /** The client has gone: a stream was cancelled, or the request was aborted. */
  readonly disconnect = (): void => {
    if (this.#gone) return;
    this.#gone = true;
    const listeners = this.#listeners;
    this.#detach();
    for (const listener of listeners ?? []) listener();
  };

  #detach(): void {
    if (this.#listeners === undefined) return;
    this.#listeners = undefined;
    this.#request.signal.removeEventListener("abort", this.disconnect);
    this.#outer?.removeEventListener("abort", this.disconnect);
  }
}
