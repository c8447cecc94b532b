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
  /** The HTTP headers. */
  readonly headers: HeaderReader;
  readonly #request: Request;
  readonly #outer: AbortSignal | undefined;
  #listeners: (() => void)[] | undefined;
  #signal: AbortSignal | undefined;
  #streams = false;
  #gone = false;
  #onAbort: (() => void) | undefined;

  /** Takes a request; `outer` is a signal of the application that ends it too. */
  constructor(request: Request, principal: Principal | undefined, outer: AbortSignal | undefined) {
    this.#request = request;
    this.headers = request.headers;
    this.principal = principal;
    this.#outer = outer;
  }

  /** Registers a listener that is called once when the client has gone. */
  onDisconnect(listener: () => void): () => void {
    if (this.#gone) {
      queueMicrotask(listener);
      return () => undefined;
    }
    const listeners = this.#listeners ??= this.#listen();
    listeners.push(listener);
    return () => {
      const at = listeners.indexOf(listener);
      if (at >= 0) listeners.splice(at, 1);
      if (listeners.length === 0 && this.#listeners === listeners) this.#detach();
    };
  }

  /**
   * The answer is a stream: that it is cancelled says that the client has gone, and the request's signal, which takes as much
   * memory as the rest of a quiet stream, is not touched from here on.
   */
  becomesStream(): void {
    this.#streams = true;
    const onAbort = this.#onAbort;
    if (onAbort === undefined) return;
    this.#signal?.removeEventListener("abort", onAbort);
    this.#signal = undefined;
    if (this.#outer === undefined) this.#onAbort = undefined;
  }

  /** The client has gone: a stream was cancelled, or the request was aborted. */
  disconnect(): void {
    if (this.#gone) return;
    this.#gone = true;
    const listeners = this.#listeners ?? [];
    this.#detach();
    // One by one, since a listener may take back another one.
    for (let listener = listeners.shift(); listener !== undefined; listener = listeners.shift()) listener();
  }

  #listen(): (() => void)[] {
    const signal = this.#signal = this.#streams ? undefined : this.#request.signal;
    const outer = this.#outer;
    if (signal !== undefined || outer !== undefined) {
      const onAbort = this.#onAbort = () => this.disconnect();
      signal?.addEventListener("abort", onAbort, { once: true });
      outer?.addEventListener("abort", onAbort, { once: true });
      // A signal that was aborted before never fires again.
      if (signal?.aborted === true || outer?.aborted === true) queueMicrotask(onAbort);
    }
    return [];
  }

  #detach(): void {
    const onAbort = this.#onAbort;
    this.#listeners = this.#onAbort = undefined;
    if (onAbort === undefined) return;
    this.#signal?.removeEventListener("abort", onAbort);
    this.#outer?.removeEventListener("abort", onAbort);
  }
}
