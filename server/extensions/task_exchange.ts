/** The exchange of a task: what a handler sees after its request was answered with a handle. */
import type { Dialect, RequestIn, ResultFrame } from "../../protocol/dialect.ts";
import type { CacheHint, JsonObject, JsonRpcNotification, JsonRpcRequest } from "../../protocol/types.ts";
import type { Core, Exchange } from "../core.ts";

/** A request that goes on as a task: it has no stream any more, and its own signal. */
export class TaskExchange implements Exchange {
  /** What the server's parts share. */
  readonly core: Core;
  /** The dialect that the request was spoken in. */
  readonly dialect: Dialect;
  /** The request. */
  readonly request: RequestIn;
  /** What is known about how it came. */
  readonly info: Exchange["info"];
  /** What the dialect adds to every result. */
  readonly frame: ResultFrame;
  /** Aborted when the task is cancelled, its time is over, or the server ends. */
  readonly signal: AbortSignal;
  /** Has the task ended? */
  done = false;
  /** Tasks live for their time and have no other deadline. */
  deadline = Infinity;
  /** Sends what is held back. */
  beforeAnswer: (() => void) | undefined;
  /** Nothing follows a task. */
  afterAnswer: JsonRpcNotification | undefined;
  /** Called once, at the end. */
  onSettled: (() => void) | undefined;
  readonly #onNotice: (notice: JsonRpcNotification | JsonRpcRequest) => void;
  readonly #cancel: (reason: unknown) => void;
  readonly #settled = new Set<() => void>();

  /**
   * Takes over from an exchange.
   *
   * @param from The exchange that is answered with a handle.
   * @param signal Ends the handler.
   * @param hooks `onNotice` takes what the handler sends, `cancel` ends the task.
   */
  constructor(
    from: Exchange,
    signal: AbortSignal,
    hooks: {
      readonly onNotice: (notice: JsonRpcNotification | JsonRpcRequest) => void;
      readonly cancel: (reason: unknown) => void;
    },
  ) {
    this.core = from.core;
    this.dialect = from.dialect;
    this.frame = from.frame;
    // There is neither progress nor a log on behalf of a task; the text of progress becomes its status message.
    this.request = { ...from.request, progressToken: 0, logLevel: undefined };
    this.info = { ...from.info, onDisconnect: () => () => undefined };
    this.signal = signal;
    this.#onNotice = hooks.onNotice;
    this.#cancel = hooks.cancel;
  }

  /** Writes a complete result as the dialect has it. */
  write(result: JsonObject, cache?: CacheHint): JsonObject {
    return this.dialect.writeResult(this.request.method, result, this.frame, cache);
  }

  /** Hands what the handler sends to the task. */
  emit(message: JsonRpcNotification | JsonRpcRequest): Promise<void> {
    if (!this.done) this.#onNotice(message);
    return Promise.resolve();
  }

  /** A task holds no slot and has no deadline. */
  aside<T>(wait: () => Promise<T>): Promise<T> {
    return wait();
  }

  /** Registers a listener for the end. */
  whenSettled(listener: () => void): () => void {
    const own = (): void => listener();
    this.#settled.add(own);
    return () => this.#settled.delete(own);
  }

  /** Gives the task up. */
  cancel(reason: unknown): void {
    this.#cancel(reason);
  }

  /** The task has ended. */
  settle(): void {
    if (this.done) return;
    this.done = true;
    this.onSettled?.();
    for (const listener of this.#settled) listener();
  }
}
