/** Requests of a host to a view, until they are answered. */
import { ProtocolError, TransportError } from "../../protocol/errors.ts";
import type { ViewMessage } from "../../protocol/extensions/bridge/bridge_types.ts";
import type { JsonObject, JsonRpcMessage, RequestId } from "../../protocol/types.ts";

interface Question {
  readonly method: string;
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Asks a view. */
export class AppQuestions {
  readonly #send: (message: JsonRpcMessage) => void;
  readonly #open = new Map<RequestId, Question>();
  #lastId = 0;

  /** Asks through a function that sends. */
  constructor(send: (message: JsonRpcMessage) => void) {
    this.#send = send;
  }

  /** The method of an open request, by its id. */
  get(id: RequestId): string | undefined {
    return this.#open.get(id)?.method;
  }

  /**
   * Asks and waits.
   *
   * @throws {ProtocolError} What the view answers.
   * @throws {TransportError} "timeout" without an answer in time; "closed" at the end.
   */
  ask(method: string, params: JsonObject, timeout: number): Promise<JsonObject> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#send({ jsonrpc: "2.0", id, method, params });
      const timer = setTimeout(() => {
        this.#open.delete(id);
        reject(new TransportError("timeout", `Sending ${method}: the view did not answer within ${timeout} ms`));
      }, timeout);
      this.#open.set(id, { method, resolve, reject, timer });
    });
  }

  /** Takes an answer. */
  settle(answer: Extract<ViewMessage, { readonly kind: "response" }>): void {
    const question = this.#open.get(answer.id);
    if (question === undefined) return;
    this.#open.delete(answer.id);
    clearTimeout(question.timer);
    if ("result" in answer) question.resolve(answer.result);
    else question.reject(new ProtocolError(answer.error.code, answer.error.message, { data: answer.error.data }));
  }

  /** Gives up all that is open. */
  end(reason: TransportError): void {
    for (const { reject, timer } of this.#open.values()) {
      clearTimeout(timer);
      reject(reason);
    }
    this.#open.clear();
  }
}
