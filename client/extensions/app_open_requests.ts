/** The requests of a view that wait for their answers. */
import { ERROR_CODES } from "../../protocol/errors.ts";
import { errorResponse, resultResponse } from "../../protocol/json_rpc.ts";
import type { JsonObject, JsonRpcMessage, Progress, RequestId } from "../../protocol/types.ts";
import type { AppAnswers } from "./app_answers.ts";
import { bridgeErrorOf, DECLINED, progressTokenOf } from "./app_relay.ts";
import type { ViewRequest } from "./app_relay.ts";

/** What the requests need of the host. */
export interface OpenRequestsOptions {
  /** Requests that are worked on at once. */
  readonly limit: number;
  /** Answers them. */
  readonly answers: AppAnswers;
  /** Posts a message; says why it cannot be posted. */
  readonly post: (message: JsonRpcMessage) => string | undefined;
  /** Told of what failed on this side. */
  readonly report: (error: unknown) => void;
}

/** Answers requests, each once, unless its view wants no answer any more. */
export class AppOpenRequests {
  readonly #options: OpenRequestsOptions;
  readonly #open = new Map<RequestId, AbortController>();
  #running = 0;

  /** Has none yet. */
  constructor(options: OpenRequestsOptions) {
    this.#options = options;
  }

  /** Is there an open request with this id? */
  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** Answers a request; resolves when that is done. */
  async take(request: ViewRequest): Promise<void> {
    const { id, method } = request;
    const { limit, post, report } = this.#options;
    // What was given up counts until it has ended: who cancels at once could keep any number running otherwise.
    if (this.#running >= limit) {
      post(errorResponse(id, DECLINED, `Answering ${method}: ${limit} requests are open already`));
      return;
    }
    const controller = new AbortController();
    this.#open.set(id, controller);
    this.#running++;
    // After a cancellation the same id may stand for another request.
    const isOpen = (): boolean => this.#open.get(id) === controller;
    let answer: JsonRpcMessage;
    try {
      answer = resultResponse(id, await this.#result(request, controller.signal, isOpen));
    } catch (error) {
      const known = bridgeErrorOf(error);
      if (known === undefined && isOpen()) report(error);
      const { code, message, data } = known ??
        { code: ERROR_CODES.internal_error, message: `Answering ${method}: the host failed`, data: undefined };
      answer = errorResponse(id, code, message, data);
    } finally {
      this.#running--;
    }
    if (!isOpen()) return;
    this.#open.delete(id);
    const fault = post(answer);
    if (fault === undefined) return;
    report(new Error(`Answering ${method}: the answer cannot be sent: ${fault}`));
    post(errorResponse(id, ERROR_CODES.internal_error, `Answering ${method}: the answer cannot be sent: ${fault}`));
  }

  /** Gives up one; nobody waits for its answer. */
  giveUp(id: RequestId): void {
    const controller = this.#open.get(id);
    this.#open.delete(id);
    controller?.abort(new DOMException("The view wants no answer any more", "AbortError"));
  }

  /** Gives up all. */
  end(): void {
    for (const id of [...this.#open.keys()]) this.giveUp(id);
  }

  #result(request: ViewRequest, signal: AbortSignal, isOpen: () => boolean): Promise<JsonObject> {
    const progressToken = progressTokenOf(request.params);
    return this.#options.answers.answer(request, signal, (progress: Progress) => {
      if (!isOpen() || progressToken === undefined) return;
      const params = { progressToken, ...progress } as unknown as JsonObject;
      this.#options.post({ jsonrpc: "2.0", method: "notifications/progress", params });
    });
  }
}
