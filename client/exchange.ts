/** One request on its way: what it sends, what it waits for, and every way in which it can end. */
import { isMcpError, TransportError } from "../protocol/errors.ts";
import { ownMember } from "../protocol/json.ts";
import { httpStatusOf, isRequest, isResponse, withHttpStatus } from "../protocol/json_rpc.ts";
import { peerError } from "../protocol/peer_error.ts";
import type { Dialect, WrittenRequest } from "../protocol/dialect.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcNotification, JsonRpcResponse, Progress } from "../protocol/types.ts";
import type { ExchangeOptions, Transport } from "../transports/transport.ts";
import type { Deadline, DeadlineWatch } from "./waits/deadline_watch.ts";
import { onAbort } from "./waits/on_abort.ts";
import type { SentSecrets } from "./secrets/sent_secrets.ts";
import { timeoutError } from "./waits/timeout_error.ts";
import { unansweredError } from "./input/unanswered_error.ts";
import type { Unanswered } from "./input/unanswered_error.ts";

/** The open call on whose stream a message came. */
export interface Origin {
  /** Its method. */
  readonly method: string;
  /** The tool, prompt or resource. */
  readonly name: string | undefined;
  /** What tells it from others. */
  readonly label: unknown;
  /** Aborts when the call is given up. */
  readonly signal: AbortSignal;
  /** Questions of the server on its stream that wait for their answer; while there are any, only the total time counts. */
  asked: number;
  /** A question of the server on its stream that got no answer here. */
  unanswered: Unanswered | undefined;
}

/** Questions of the server that cannot be traced to a call. */
export interface StrayQuestions {
  /** Is one being answered? Any open call may wait for it. */
  readonly answering: boolean;
  /** The question that was refused with these words. */
  unanswered(refusal: string): Unanswered | undefined;
}

/** What all exchanges of a client share. */
export interface ExchangeSettings {
  /** The carrier. */
  readonly transport: Transport;
  /** Watches the deadlines of open exchanges. */
  readonly watch: DeadlineWatch;
  /** Takes messages that are neither progress nor the response; the next one waits for a promise that comes back. */
  readonly stray: (message: JsonRpcMessage, origin?: Origin) => Promise<void> | undefined;
  /** Questions of the server that cannot be traced to a call; undefined before the first one. */
  readonly questions?: (() => StrayQuestions | undefined) | undefined;
  /** The credentials that errors are told without. */
  readonly secrets?: SentSecrets | undefined;
  /** Told of faults that can reach no call any more. */
  readonly report: (error: unknown) => void;
}

/** The terms of one exchange. */
export interface ExchangeTerms {
  /** Aborts it. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds without an answer or progress. */
  readonly timeout: number;
  /** When it must be over in any case, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** The milliseconds that it was given in all, for the error. */
  readonly total?: number | undefined;
  /** Which limits the two times come from, for the error. */
  readonly limitNames?: readonly [timeout: string, total: string] | undefined;
  /** The token under which progress comes in. */
  readonly progressToken?: string | number | undefined;
  /** The dialect that it is spoken in, which knows its own error codes. */
  readonly dialect?: Dialect | undefined;
  /** Tells this call from others. */
  readonly label?: unknown;
  /** Takes progress. */
  readonly onProgress?: ((progress: Progress) => unknown) | undefined;
  /** What the carrier is told about it beside its headers. */
  readonly carry?: Pick<ExchangeOptions, "opensSession" | "resumable" | "list"> | undefined;
  /** Called with the error when the exchange is given up; for carriers that do not tell the server. */
  readonly onLeave?: ((error: unknown) => void) | undefined;
}

/**
 * Sends a request and waits for its result.
 *
 * @returns The result as it came.
 * @throws {ProtocolError} When the peer answers with an error.
 * @throws {TransportError} When the connection ends, nothing comes in time, or the answer is not an answer to this request.
 * @throws The reason of the signal when it aborts, and what `onProgress` throws.
 */
export function exchange(settings: ExchangeSettings, request: WrittenRequest, terms: ExchangeTerms): Promise<JsonObject> {
  if (terms.signal?.aborted === true) return Promise.reject(terms.signal.reason);
  return new Promise((resolve, reject) => {
    void new Exchange(settings, request, terms, resolve, reject).run();
  });
}

class Exchange implements Deadline, Origin {
  due: number;
  #deadline: number;
  asked = 0;
  unanswered: Unanswered | undefined;
  readonly #settings: ExchangeSettings;
  readonly #request: WrittenRequest;
  readonly #terms: ExchangeTerms;
  readonly #resolve: (result: JsonObject) => void;
  readonly #reject: (error: unknown) => void;
  #abort: AbortController | undefined;
  #left: { readonly error: unknown } | undefined;
  /** The answer's stream, where ending it is the only way to leave it. */
  #stream: Partial<AsyncIterator<JsonRpcMessage>> | undefined;
  #lastProgress = -Infinity;
  #leaveSignal: (() => void) | undefined;
  #open = true;

  constructor(
    settings: ExchangeSettings,
    request: WrittenRequest,
    terms: ExchangeTerms,
    resolve: (result: JsonObject) => void,
    reject: (error: unknown) => void,
  ) {
    this.#settings = settings;
    this.#request = request;
    this.#terms = terms;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#deadline = terms.deadline;
    this.due = Math.min(performance.now() + terms.timeout, terms.deadline);
  }

  /** Never rejects. */
  async run(): Promise<void> {
    this.#settings.watch.add(this);
    const { signal } = this.#terms;
    if (signal !== undefined) this.#leaveSignal = onAbort(signal, () => this.fail(signal.reason));
    const { message, headers } = this.#request;
    const { transport } = this.#settings;
    try {
      const options: ExchangeOptions = transport.endsWithStream === true
        ? { headers, owned: true }
        : { headers, signal: this.signal };
      const { carry } = this.#terms;
      const stream = transport.exchange(message, carry === undefined ? options : { ...carry, ...options });
      if (transport.endsWithStream === true) this.#stream = stream as AsyncIterableIterator<JsonRpcMessage>;
      for await (const arrived of stream) {
        if (!this.#open) return;
        if (isResponse(arrived)) return this.#answered(arrived);
        if (arrived.method === "notifications/progress" && !isRequest(arrived)) this.#progressed(arrived);
        else await this.#settings.stray(arrived, this);
      }
      this.#end(new TransportError("closed", `Waiting for the answer to ${message.method}: the stream ended without it`));
    } catch (error) {
      this.#end(this.#open ? localError(error, message.method) : undefined);
    }
  }

  get method(): string {
    return this.#request.message.method;
  }

  get name(): string | undefined {
    const { name, uri } = this.#request.message.params ?? {};
    const named = name ?? uri;
    return typeof named === "string" ? named : undefined;
  }

  get label(): unknown {
    return this.#terms.label;
  }

  /** Made when it is first asked for. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#left !== undefined) this.#abort.abort(this.#left.error);
    }
    return this.#abort.signal;
  }

  fail(error: unknown): void {
    if (!this.#open) return;
    this.#end(error);
    this.#left = { error };
    this.#abort?.abort(error);
    // A carrier of somebody else may throw here, and others still wait for their end.
    (async () => await this.#stream?.return?.(error))().catch(() => undefined);
    this.#terms.onLeave?.(error);
  }

  onHeld(milliseconds: number): void {
    this.#deadline += milliseconds;
  }

  onDue(): void {
    const total = this.due >= this.#deadline;
    if (!total && (this.asked > 0 || this.#settings.questions?.()?.answering === true)) {
      this.due = Math.min(performance.now() + this.#terms.timeout, this.#deadline);
      return this.#settings.watch.add(this);
    }
    const { timeout, limitNames, total: all } = this.#terms;
    this.fail(timeoutError({ method: this.method, timeout: total ? undefined : timeout, total: all, limitNames }));
  }

  #answered(response: JsonRpcResponse): void {
    const { id, method } = this.#request.message;
    if ("error" in response) {
      // An error without an id is the answer to whatever was sent on this exchange (JSON-RPC 2.0 § 5).
      if (response.id === undefined || response.id === id) {
        const error = withHttpStatus(
          peerError(response.error, this.#terms.dialect?.errorReason(response.error.code, method)),
          httpStatusOf(response),
        );
        const unanswered = this.unanswered ?? this.#settings.questions?.()?.unanswered(error.message);
        return this.#end(unanswered === undefined ? error : unansweredError(this, unanswered, error));
      }
    } else if (response.id === id) {
      this.#close();
      return this.#resolve(response.result);
    }
    this.#end(new TransportError("not_mcp", `Waiting for the answer to ${method}: a response with another id came`));
  }

  /** MCP 2026-07-28, Progress: the token as it was given, and a value that grows. Anything else is no progress of this call. */
  #progressed(notification: JsonRpcNotification): void {
    const progress = readProgress(notification, this.#terms.progressToken);
    if (progress === undefined || progress.progress <= this.#lastProgress) return;
    this.#lastProgress = progress.progress;
    this.due = Math.min(performance.now() + this.#terms.timeout, this.#deadline);
    if (this.#terms.onProgress === undefined) return;
    try {
      const returned = this.#terms.onProgress(progress);
      if (returned instanceof Promise) returned.catch((error) => this.#callbackFailed(error));
    } catch (error) {
      this.#callbackFailed(error);
    }
  }

  #callbackFailed(error: unknown): void {
    if (this.#open) this.fail(error);
    else this.#settings.report(error);
  }

  #end(error: unknown): void {
    if (!this.#open) return;
    this.#close();
    this.#settings.secrets?.hide(error);
    this.#reject(error);
  }

  #close(): void {
    this.#open = false;
    this.#settings.watch.delete(this);
    this.#leaveSignal?.();
  }
}

function readProgress({ params }: JsonRpcNotification, token: string | number | undefined): Progress | undefined {
  if (params === undefined || token === undefined || ownMember(params, "progressToken") !== token) return undefined;
  const { progress, total, message } = params;
  if (typeof progress !== "number" || !Number.isFinite(progress)) return undefined;
  return {
    progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}

/** Errors of this package stay as they are; what a carrier of somebody else throws is a connection that failed. */
function localError(error: unknown, method: string): unknown {
  if (isMcpError(error) || error instanceof TypeError) return error;
  return new TransportError("closed", `Waiting for the answer to ${method}: the connection failed`, { cause: error });
}
