/** A request as the inside of a middleware sees it: its params may have been changed, and its result is not written yet. */
import type { Dialect, RequestIn, ResultFrame } from "../../protocol/dialect.ts";
import type { CacheHint, JsonObject, JsonRpcNotification, JsonRpcRequest } from "../../protocol/types.ts";
import type { MessageInfo } from "../../transports/transport.ts";
import type { Core, Exchange } from "../core.ts";

/** One exchange inside of another one, which does the work. */
export class LayeredExchange implements Exchange {
  /** What is inside gives results in the form of the newest revision. */
  readonly layered = true;
  /** The request, with the params that came through. */
  readonly request: RequestIn;
  /** For whom the result may be kept; no member of it, so that a changed result does not say so by accident. */
  cacheScope: CacheHint["cacheScope"];
  readonly #outer: Exchange;

  /**
   * Stands inside of an exchange.
   *
   * @param outer The exchange.
   * @param request Its request, with other params if need be.
   */
  constructor(outer: Exchange, request: RequestIn) {
    this.#outer = outer;
    this.request = request;
  }

  /** What the server's parts share. */
  get core(): Core {
    return this.#outer.core;
  }

  /** The dialect that the request is spoken in. */
  get dialect(): Dialect {
    return this.#outer.dialect;
  }

  /** What is known about how it came. */
  get info(): MessageInfo {
    return this.#outer.info;
  }

  /** What the dialect adds to every result. */
  get frame(): ResultFrame {
    return this.#outer.frame;
  }

  /** Aborted by cancel, disconnect, deadline and shutdown. */
  get signal(): AbortSignal {
    return this.#outer.signal;
  }

  /** Has the request been answered, cancelled or given up? */
  get done(): boolean {
    return this.#outer.done;
  }

  /** Milliseconds that the handler has. */
  get deadline(): number {
    return this.#outer.deadline;
  }

  set deadline(milliseconds: number) {
    this.#outer.deadline = milliseconds;
  }

  /** Sends what is held back, right before the answer. */
  get beforeAnswer(): (() => void) | undefined {
    return this.#outer.beforeAnswer;
  }

  set beforeAnswer(send: (() => void) | undefined) {
    this.#outer.beforeAnswer = send;
  }

  /** Sent after the answer, where the answer is a stream. */
  get afterAnswer(): JsonRpcNotification | undefined {
    return this.#outer.afterAnswer;
  }

  set afterAnswer(message: JsonRpcNotification | undefined) {
    this.#outer.afterAnswer = message;
  }

  /** Called once when the request is answered, cancelled or given up. */
  get onSettled(): (() => void) | undefined {
    return this.#outer.onSettled;
  }

  set onSettled(listener: (() => void) | undefined) {
    this.#outer.onSettled = listener;
  }

  /** Gives a complete result in the form of the newest revision; whom it is for is kept aside. */
  write(result: JsonObject, cache?: CacheHint): JsonObject {
    const { cacheScope, ...rest } = result;
    this.cacheScope = (cacheScope as CacheHint["cacheScope"]) ?? cache?.cacheScope;
    return { resultType: "complete", ...(cache?.ttlMs === undefined ? {} : { ttlMs: cache.ttlMs }), ...rest };
  }

  /** Sends a notification, or a question to the client. */
  emit(message: JsonRpcNotification | JsonRpcRequest): Promise<void> {
    return this.#outer.emit(message);
  }

  /** Waits for something that is not this server's work. */
  aside<T>(wait: () => Promise<T>): Promise<T> {
    return this.#outer.aside(wait);
  }

  /** Registers a listener that is called once when the request is answered, cancelled or given up. */
  whenSettled(listener: () => void): () => void {
    return this.#outer.whenSettled(listener);
  }

  /** Gives the request up without an answer. */
  cancel(reason: unknown): void {
    this.#outer.cancel(reason);
  }
}
