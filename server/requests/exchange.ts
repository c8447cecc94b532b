/** One request on its way through the server: runs its method, and decides at the first emission how it is answered. */
import type { Classified } from "../../protocol/classification.ts";
import type { Dialect, RequestIn, ResultFrame } from "../../protocol/dialect.ts";
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { resultResponse } from "../../protocol/json_rpc.ts";
import type { CacheHint, JsonObject, JsonRpcMessage, JsonRpcNotification, JsonRpcRequest } from "../../protocol/types.ts";
import { ReaderQueue } from "../../transports/reader_queue.ts";
import type { MessageInfo } from "../../transports/transport.ts";
import type { Core, Exchange, Method } from "../core.ts";
import { INITIAL_LOG_LEVEL } from "../handshake.ts";
import { capacityReached } from "./capacity_reached.ts";
import { failureResponse } from "./failure_response.ts";

/** What a carrier gets: a message, a stream that ends in the response, or nothing. */
export type Answer = JsonRpcMessage | undefined | AsyncIterable<JsonRpcMessage>;

/** One request on its way through the server. */
export class RunningExchange implements Exchange {
  /** What the server's parts share. */
  readonly core: Core;
  /** The dialect that the request is spoken in. */
  readonly dialect: Dialect;
  /** The request. */
  readonly request: RequestIn;
  /** What is known about how it came. */
  readonly info: MessageInfo;
  /** Milliseconds that the handler has; the server's own limit unless the component sets another. */
  deadline: number;
  /** Has the request been answered, cancelled or given up? */
  done = false;
  /** Sends what is held back, right before the answer. */
  beforeAnswer: (() => void) | undefined;
  /** Sent after the answer, where the answer is a stream. */
  afterAnswer: JsonRpcNotification | undefined;
  /** Called once when the request is answered, cancelled or given up. */
  onSettled: (() => void) | undefined;
  readonly #method: Method;
  #resolve: ((answer: Answer) => void) | undefined;
  #stream: ReaderQueue<JsonRpcMessage> | undefined;
  #abort: AbortController | undefined;
  #abortReason: unknown;
  #hasSlot = false;
  #leaveQueue: (() => void) | undefined;
  #detach: (() => void) | undefined;
  #settled: Set<() => void> | undefined;
  #asides = 0;
  #returning: Promise<void> | undefined;
  #worked = 0;
  #workedUntil: number | undefined;
  #lasting = false;
  #watched = false;

  /** Takes a classified request. */
  constructor(core: Core, classified: Classified & { readonly ok: true }, info: MessageInfo, method: Method) {
    this.core = core;
    const { dialect, request } = classified;
    this.dialect = dialect;
    this.request = dialect.handshake === undefined ? request : { ...request, logLevel: request.logLevel ?? INITIAL_LOG_LEVEL };
    this.info = info;
    this.deadline = core.limits.handlerDeadline;
    this.#method = method;
  }

  /** Runs the method: gives the answer at once when nothing is waited for, else later, or at the first emission a stream. */
  run(): Answer | Promise<Answer> {
    if (this.#method.guard !== undefined) {
      try {
        this.#method.guard(this);
      } catch (error) {
        return this.#answerNow(failureResponse(this, error));
      }
    }
    if (this.#method.runsHandler) {
      if (!this.core.admission.take()) return this.#queue();
      this.#hasSlot = true;
    }
    return this.#start();
  }

  /** Aborted by cancel, disconnect, deadline and shutdown. Made when it is first asked for. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#abortReason !== undefined) this.#abort.abort(this.#abortReason);
      else if (!this.done) this.#attach();
    }
    return this.#abort.signal;
  }

  /** What the dialect adds to every result. */
  get frame(): ResultFrame {
    return this.core.frames.get(this.dialect) as ResultFrame;
  }

  /** Writes a complete result as the dialect has it. */
  write(result: JsonObject, cache?: CacheHint): JsonObject {
    return this.dialect.writeResult(this.request.method, result, this.frame, cache);
  }

  /** Sends a notification, or a question to the client, on the stream of this request; resolves when there is room for more. */
  emit(message: JsonRpcNotification | JsonRpcRequest): Promise<void> {
    if (this.done) return Promise.resolve();
    return this.#open().push(message);
  }

  /** Waits for something that is not this server's work: meanwhile the deadline stands still and the handler's slot is free. */
  async aside<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#asides++ === 0 && this.#hasSlot) this.#giveSlot();
    try {
      return await wait();
    } finally {
      if (--this.#asides === 0) await this.#comeBack();
    }
  }

  /** Registers a listener that is called once when the request is answered, cancelled or given up. */
  whenSettled(listener: () => void): () => void {
    const own = (): void => listener();
    const listeners = this.#settled ??= new Set();
    listeners.add(own);
    return () => listeners.delete(own);
  }

  /** Gives the request up without an answer: its signal is aborted, its slot is free, what it still returns is dropped. */
  cancel(reason: unknown): void {
    if (this.done) return;
    this.#settle();
    this.#abortReason = reason;
    this.#abort?.abort(reason);
    this.#stream?.drop();
    this.#resolve?.(undefined);
  }

  /** Answers with an error although the handler still runs; `status` is the HTTP status, where it differs from the code's own. */
  fail(error: ProtocolError, status?: number): void {
    if (this.done) return;
    this.#finish(failureResponse(this, error, status));
    this.#abortReason = error;
    this.#abort?.abort(error);
  }

  /**
   * Called while the request runs: hears of the peer's going from now on, and keeps the deadline. Over HTTP a request that
   * lasts is answered with a stream, because Deno tells of a client that hangs up before the response begins only when the
   * whole request came in one read, and always of one that leaves a stream (MCP 2026-07-28, Streamable HTTP § Cancellation).
   */
  look(now: number): void {
    this.#attach();
    if (this.#lasting && this.info.connection.transport === "http" && this.#heedsLeaving) this.#open();
    this.#lasting = true;
    const since = this.#workedUntil;
    this.#workedUntil = this.#hasSlot && this.#asides === 0 ? now : undefined;
    if (since === undefined || this.#workedUntil === undefined) return;
    this.#worked += now - since;
    if (this.#worked < this.deadline) return;
    const message = `Internal error: the handler ran longer than ${this.deadline} ms (limit handlerDeadline)`;
    const error = new ProtocolError(ERROR_CODES.internal_error, message, { data: { reason: "timeout", limit: this.deadline } });
    this.core.report(error, this.request);
    this.fail(error);
  }

  #watch(): void {
    this.#watched = true;
    this.core.running.add(this);
  }

  /** Answers with a stream from now on. */
  #open(): ReaderQueue<JsonRpcMessage> {
    const stream = this.#stream ??= new ReaderQueue<JsonRpcMessage>([], () => this.#left());
    this.#resolve?.(stream);
    this.#resolve = undefined;
    return stream;
  }

  /** Waits in the queue for a slot. */
  #queue(): Promise<Answer> {
    const leave = this.core.admission.wait(() => {
      this.#leaveQueue = undefined;
      this.#hasSlot = true;
      resolve(this.#start());
    }, this.info.hold);
    if (leave === undefined) return Promise.resolve(capacityReached(this));
    this.#leaveQueue = leave;
    let resolve: (answer: Answer | Promise<Answer>) => void = () => undefined;
    return new Promise((settle) => {
      this.#resolve = resolve = settle;
      this.#watch();
    });
  }

  #start(): Answer | Promise<Answer> {
    let result: JsonObject | Promise<JsonObject>;
    try {
      result = this.#method.answer(this);
    } catch (error) {
      return this.#answerNow(failureResponse(this, error));
    }
    if (!(result instanceof Promise)) return this.#answerNow(resultResponse(this.request.id, result));
    this.#watch();
    result.then(
      (value) => this.done || this.#finish(resultResponse(this.request.id, value)),
      (error) => this.done || this.#finish(failureResponse(this, error)),
    );
    if (this.#stream !== undefined) return this.#stream;
    return new Promise((resolve) => this.#resolve = resolve);
  }

  /** The answer of a method that did not wait for anything. */
  #answerNow(response: JsonRpcMessage): Answer {
    if (this.done) return undefined;
    this.beforeAnswer?.();
    this.#settle();
    const stream = this.#stream;
    if (stream === undefined) return response;
    stream.push(response);
    if (this.afterAnswer !== undefined) stream.push(this.afterAnswer);
    stream.end();
    return stream;
  }

  #finish(response: JsonRpcMessage): void {
    const resolve = this.#resolve;
    const answer = this.#answerNow(response);
    // An emission right before the answer may have resolved with the stream already.
    if (this.#resolve !== undefined) resolve?.(answer);
  }

  #settle(): void {
    this.done = true;
    this.onSettled?.();
    if (this.#settled !== undefined) { for (const listener of this.#settled) listener(); }
    if (this.#watched) this.core.running.delete(this);
    this.#leaveQueue?.();
    this.#detach?.();
    if (this.#hasSlot) this.#giveSlot();
  }

  #giveSlot(): void {
    this.#hasSlot = false;
    this.core.admission.give();
  }

  /** A slot is taken when it is handed over, because the request may be given up before its handler goes on. */
  #comeBack(): Promise<void> {
    if (this.done || this.#hasSlot || !this.#method.runsHandler) return Promise.resolve();
    const { admission } = this.core;
    if (admission.take()) {
      this.#hasSlot = true;
      return Promise.resolve();
    }
    return this.#returning ??= new Promise((resolve) => {
      const goOn = (): void => {
        this.#leaveQueue = this.#returning = undefined;
        resolve();
      };
      const leave = admission.comeBack(() => {
        this.#hasSlot = true;
        goOn();
      });
      this.#leaveQueue = () => {
        leave();
        goOn();
      };
    });
  }

  #attach(): void {
    if (this.#detach === undefined && this.#heedsLeaving) this.#detach = this.info.onDisconnect(() => this.#left());
  }

  #left(): void {
    if (this.#heedsLeaving) this.cancel(new DOMException("The client has gone", "AbortError"));
  }

  /**
   * Does the client's leaving mean that it gives the request up? Always but in single HTTP exchanges of revisions that cancel
   * by notification, where the work goes on (MCP 2025-11-25, Streamable HTTP § Sending Messages).
   */
  get #heedsLeaving(): boolean {
    const { transport, session } = this.info.connection;
    return transport !== "http" || session !== undefined || this.dialect.cancelBy === "closing-the-stream";
  }
}
