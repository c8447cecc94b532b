/** One exchange with a server in this process. */
import { withoutDeepItems } from "../protocol/deep_items.ts";
import { ERROR_CODES, TransportError } from "../protocol/errors.ts";
import { isJsonObject } from "../protocol/json.ts";
import { errorResponse, isRequest } from "../protocol/json_rpc.ts";
import { resolveLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage, JsonRpcRequest, JsonRpcResponse } from "../protocol/types.ts";
import { closedError } from "./closed_error.ts";
import { copiedMessage, takenRequest } from "./copied_message.ts";
import type { MemoryOwner } from "./memory_owner.ts";
import { reportTo } from "../protocol/report_to.ts";
import type { Connection, ExchangeOptions, MessageInfo, Principal, Served } from "./transport.ts";

type Step = IteratorResult<JsonRpcMessage, undefined>;
type Answer = Awaited<ReturnType<Served["handle"]>>;

/** One request, and what the server is told about it. */
export class MemoryExchange implements AsyncIterableIterator<JsonRpcMessage, undefined>, MessageInfo {
  readonly principal: Principal | undefined;
  readonly connection: Connection;
  readonly #owner: MemoryOwner;
  readonly #request: JsonRpcRequest | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #owned: boolean;
  readonly #list: string | undefined;
  #onAbort: (() => void) | undefined;
  #state: "new" | "open" | "done" = "new";
  #parts: AsyncIterator<JsonRpcMessage> | undefined;
  #listeners: Set<() => void> | undefined;
  #reject: ((error: unknown) => void) | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(owner: MemoryOwner, request: JsonRpcRequest | undefined, { signal, owned, list }: ExchangeOptions) {
    this.#owner = owner;
    this.principal = owner.options.principal;
    this.connection = owner.connection;
    this.#request = request;
    this.#signal = signal;
    this.#owned = owned === true;
    this.#list = list;
  }

  get listening(): boolean {
    return this.#listeners !== undefined && this.#listeners.size > 0;
  }

  onDisconnect(listener: () => void): () => void {
    if (this.#state === "done" && this.#request !== undefined) {
      queueMicrotask(() => call(listener));
      return () => undefined;
    }
    const own = (): void => listener();
    const listeners = this.#listeners ??= new Set();
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (this.#state !== "open" && listeners.size === 0) this.#owner.open.delete(this);
    };
  }

  next(): Promise<Step> {
    if (this.#failure !== undefined) return this.#throwFailure();
    if (this.#state === "done") return Promise.resolve({ done: true, value: undefined });
    if (this.#state === "new" && !this.#start()) return this.#throwFailure();
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      // After an early end whatever settles this comes too late, and does nothing.
      if (this.#parts === undefined) this.#first(resolve, reject);
      else this.#rest(this.#parts).then(resolve, reject);
    });
  }

  return(): Promise<Step> {
    this.leave(undefined);
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the exchange from this side; the server hears of it through its listeners. */
  leave(failure: { readonly error: unknown } | undefined): void {
    if (this.#state !== "open") return;
    this.#state = "done";
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener("abort", this.#onAbort);
    if (this.#reject !== undefined) this.#reject(failure?.error ?? closedError());
    else this.#failure = failure;
    this.disconnect();
    closeStream(this.#parts);
  }

  /** The connection goes. */
  disconnect(): void {
    this.leave({ error: closedError() });
    this.#owner.open.delete(this);
    const listeners = this.#listeners;
    this.#listeners = undefined;
    if (listeners !== undefined) { for (const listener of listeners) call(listener); }
  }

  #start(): boolean {
    if (this.#owner.closed || this.#signal?.aborted === true) {
      this.#state = "done";
      this.#failure = { error: this.#owner.closed ? closedError() : this.#signal?.reason };
      return false;
    }
    this.#state = "open";
    this.#owner.open.add(this);
    if (this.#signal !== undefined) {
      this.#signal.addEventListener(
        "abort",
        this.#onAbort = () => this.leave({ error: this.#signal?.reason }),
      );
    }
    return true;
  }

  #first(resolve: (step: Step | Promise<Step>) => void, reject: (error: unknown) => void): void {
    const answered = (answer: Answer): void => {
      try {
        resolve(this.#firstStep(answer));
      } catch (error) {
        reject(error);
      }
    };
    const failed = (): void => answered(this.#failed());
    try {
      const request = this.#copiedRequest();
      Promise.resolve(this.#owner.server.handle(request, this)).then(answered, failed);
    } catch (error) {
      if (this.#state === "done") reject(error);
      else failed();
    }
  }

  #firstStep(given: Answer): Step | Promise<Step> {
    if (typeof given === "object" && given !== null && Symbol.asyncIterator in given) {
      const parts = given[Symbol.asyncIterator]();
      if (this.#state === "open") return this.#rest(this.#parts = parts);
      closeStream(parts);
      return { done: true, value: undefined };
    }
    this.#settle();
    if (given === undefined) throw new TransportError("closed", "Reading the answer of the server: there is none");
    return { done: false, value: this.#copiedAnswer(given) };
  }

  /**
   * What cannot be copied fails alone; of a list, only its items that nest too deep.
   *
   * @throws {TransportError} "limit" for what nests too deep as a whole, as where it is read from text; "not_mcp" for no response.
   */
  #copiedAnswer(answer: JsonRpcMessage): JsonRpcMessage {
    try {
      if (isAnswer(answer)) return copiedMessage(answer);
    } catch (error) {
      const list = this.#copiedList(answer);
      if (list !== undefined) return list;
      if (error instanceof RangeError) throw this.#tooDeep();
      return this.#failed();
    }
    throw new TransportError("not_mcp", "Reading the answer of the server: it is not a response");
  }

  #copiedList(answer: JsonRpcMessage): JsonRpcMessage | undefined {
    const asked = { method: this.#request?.method ?? "", list: this.#list };
    try {
      const listing = withoutDeepItems(
        asked,
        answer,
        this.#jsonDepth,
        (rest) => copiedMessage(rest as unknown as JsonRpcMessage),
      );
      if (listing !== undefined) reportTo(this.#owner.options.onError, listing.fault);
      return listing?.message;
    } catch {
      return undefined;
    }
  }

  get #jsonDepth(): number {
    return (this.#owner.options.limits ?? resolveLimits(undefined)).jsonDepth;
  }

  #tooDeep(): TransportError {
    const value = this.#jsonDepth;
    const text = `Reading a message of the server: it nests deeper than ${value} levels (limit jsonDepth)`;
    return new TransportError("limit", text, { data: { limit: "jsonDepth", value } });
  }

  #failed(): JsonRpcResponse {
    return errorResponse(this.#request?.id, ERROR_CODES.internal_error, "Internal error");
  }

  /** What nests too deep before the answer is left out and told, as where it is read from text; the call goes on. */
  #copiedPart(part: JsonRpcMessage): JsonRpcMessage | undefined {
    try {
      return copiedMessage(part);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      reportTo(this.#owner.options.onError, this.#tooDeep());
      return undefined;
    }
  }

  /** A request that cannot be copied was never sent. */
  #copiedRequest(): JsonRpcRequest {
    try {
      const request = this.#request as JsonRpcRequest;
      return this.#owned ? takenRequest(request) : copiedMessage(request);
    } catch (error) {
      this.#settle();
      throw error;
    }
  }

  async #rest(parts: AsyncIterator<JsonRpcMessage>): Promise<Step> {
    let answer: JsonRpcMessage | undefined;
    try {
      for (;;) {
        const step = await parts.next();
        if (step.done === true) break;
        if (!("method" in step.value)) {
          answer = step.value;
          break;
        }
        const copied = this.#copiedPart(step.value);
        if (copied === undefined) continue;
        if (isRequest(copied)) {
          await this.#owner.incoming.take(copied);
          continue;
        }
        this.#reject = undefined;
        return { done: false, value: copied };
      }
    } catch {
      answer = this.#failed();
    }
    this.#settle();
    if (answer !== undefined) {
      closeStream(parts);
      return { done: false, value: this.#copiedAnswer(answer) };
    }
    throw new TransportError("closed", "Reading the answer of the server: its stream ended without a response");
  }

  #settle(): void {
    this.#reject = undefined;
    if (this.#state !== "open") return;
    this.#state = "done";
    if (!this.listening) this.#owner.open.delete(this);
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  #throwFailure(): Promise<Step> {
    const error = this.#failure?.error;
    this.#failure = undefined;
    return Promise.reject(error);
  }
}

/** The iterator is somebody else's: what it throws, at once or later, is its own. */
function closeStream(parts: AsyncIterator<JsonRpcMessage> | undefined): void {
  (async () => await parts?.return?.())().catch(() => undefined);
}

/** Servers of other authors may give anything. */
function isAnswer(given: unknown): boolean {
  if (!isJsonObject(given)) return false;
  const { result, error } = given;
  if (result !== undefined) return isJsonObject(result);
  return isJsonObject(error) && typeof error.code === "number" && typeof error.message === "string";
}

function call(listener: () => void): void {
  try {
    listener();
  } catch {
    // A listener's fault is its own.
  }
}
