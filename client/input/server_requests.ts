/** Answers the requests of a server, in the revisions where it has any: through the same handlers as its input requests. */
import { requestFault } from "../../protocol/broken_request.ts";
import type { Dialect, Outcome } from "../../protocol/dialect.ts";
import { ERROR_CODES, ProtocolError, TransportError } from "../../protocol/errors.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { errorResponse } from "../../protocol/json_rpc.ts";
import { kindOf } from "../../protocol/kind_of.ts";
import type { JsonRpcErrorObject } from "../../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../../protocol/limits.ts";
import { rarely } from "../../protocol/rarely.ts";
import type { Rarely } from "../../protocol/rarely.ts";
import { shown } from "../../protocol/shown.ts";
import type {
  ClientCapabilities,
  InputRequest,
  JsonObject,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
} from "../../protocol/types.ts";
import type { Origin } from "../exchange.ts";
import { onAbort } from "../waits/on_abort.ts";
import type { InputHandlers } from "../options.ts";
import { answerInput } from "./input_answers.ts";
import type { AnswerInput } from "./input_answers.ts";
import type { Unanswered } from "./unanswered_error.ts";

/** What answering needs. */
export interface ServerRequestsOptions {
  /** Who answers. */
  readonly inputs: InputHandlers;
  /** What was declared. */
  readonly capabilities: ClientCapabilities;
  /** Bounds: `serverRequests` at once, `subscriptionBuffer` that wait, and as many answers that are on their way. */
  readonly limits: Pick<ResolvedLimits, "serverRequests" | "subscriptionBuffer">;
  /** Sends an answer. */
  readonly send: (response: JsonRpcResponse) => Promise<void>;
  /** Told what handlers throw, which requests are broken, and what could not be sent. */
  readonly report: (error: unknown) => void;
}

/** One request that is not answered yet. */
interface Question {
  readonly id: RequestId;
  readonly request: InputRequest;
  readonly write: (answer: JsonObject) => JsonObject;
  readonly answer: AnswerInput;
  readonly origin: Origin | undefined;
  readonly abort: AbortController;
  readonly onLeave: () => void;
  /** Hears of the end of its call no longer. */
  leave: () => void;
}

/** The requests of one server that are being answered (MCP 2025-11-25, Elicitation, Sampling, Roots, Ping). */
export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  readonly #open = new Map<RequestId, Question>();
  readonly #waiting: Question[] = [];
  #running = 0;
  /** Answers that are on their way. */
  #unsent = 0;
  /** Called when an answer has gone out, or nothing more will be. */
  #onSent: (() => void)[] = [];
  #strays = 0;
  /** The last unanswered question that cannot be traced to a call, with the words of its refusal. */
  #unanswered: readonly [refusal: string, question: Unanswered] | undefined;
  /** Requests under the id of another one. */
  readonly #repeated: Rarely;
  /** Requests whose params are broken. */
  readonly #broken: Rarely;
  #ended = false;

  /** Answers nothing yet. */
  constructor(options: ServerRequestsOptions) {
    this.#options = options;
    this.#repeated = rarely(options.report);
    this.#broken = rarely(options.report);
  }

  /** Is a request being answered that cannot be traced to a call? */
  get answering(): boolean {
    return this.#strays > 0;
  }

  /** The question that was refused with these words: a server that passes them on as the error of a call means that question. */
  unanswered(refusal: string): Unanswered | undefined {
    return this.#unanswered?.[0] === refusal ? this.#unanswered[1] : undefined;
  }

  /**
   * Takes a request. Never throws. Every request gets an answer, and each answer may be an HTTP request: so a promise that
   * comes back asks whoever brings requests to wait for it, because too many answers have not gone out yet.
   *
   * @param message The request.
   * @param dialect The dialect in use, which begins with a handshake.
   * @param origin The call on whose stream it came, when it is known.
   */
  take(message: JsonRpcRequest, dialect: Dialect, origin: Origin | undefined): Promise<void> | undefined {
    if (this.#ended) return undefined;
    this.#take(message, dialect, origin);
    return this.#unsent < this.#options.limits.subscriptionBuffer ? undefined : this.#sent();
  }

  /** The server does not want an answer any more: the handler's signal aborts, and nothing is sent. */
  cancel(id: unknown): void {
    const question = this.#open.get(id as RequestId);
    if (question === undefined) return;
    this.#forget(question);
    question.abort.abort(new ProtocolError(ERROR_CODES.internal_error, "The server cancelled its request"));
  }

  /** Ends all of them without an answer. With `forever`, later ones are not taken. */
  abortAll(error: unknown, forever: boolean): void {
    this.#ended ||= forever;
    if (forever) this.#release();
    for (const question of [...this.#open.values()]) {
      this.#forget(question);
      question.abort.abort(error);
    }
  }

  #take(message: JsonRpcRequest, dialect: Dialect, origin: Origin | undefined): void {
    // MCP 2025-11-25, Ping: at once, with an empty result.
    if (message.method === "ping") return this.#send({ jsonrpc: "2.0", id: message.id, result: {} });
    if (this.#open.has(message.id)) {
      const text = `Receiving ${message.method} of the server: its id is that of a request that is not answered yet`;
      return this.#repeated((soFar) => new ProtocolError(ERROR_CODES.invalid_request, text + soFar));
    }
    const read = this.#read(message, dialect, origin);
    if (!read.ok) return this.#refuse(message.id, read.error);
    const question = read.value;
    this.#open.set(question.id, question);
    if (origin === undefined) this.#strays++;
    else origin.asked++;
    // The call may have been given up while this was loaded.
    if (origin?.signal.aborted === true) return question.onLeave();
    question.leave = onAbort(origin?.signal, question.onLeave);
    if (this.#running < this.#options.limits.serverRequests) void this.#run(question);
    else this.#waiting.push(question);
  }

  #read(message: JsonRpcRequest, dialect: Dialect, origin: Origin | undefined): Outcome<Question> {
    const { limits, inputs, capabilities } = this.#options;
    const { handshake } = dialect;
    const { id, method } = message;
    const unread = requestFault(message);
    // Whoever read it has told of it.
    if (unread !== undefined) return { ok: false, error: unread };
    const unknown = `Method not found: revision ${dialect.version} has no such request`;
    if (handshake === undefined) return refusal(ERROR_CODES.method_not_found, unknown);
    const read = shapeFault(message) ?? handshake.readQuestion(message);
    if (!read.ok) {
      if (read.error.code !== ERROR_CODES.method_not_found) this.#tellBroken(method, read.error.message);
      return read;
    }
    const request = read.value;
    const answer = answerInput(request, inputs, capabilities);
    if (answer === undefined) {
      const [code, text] = noHandler(request, inputs);
      this.#lacks(origin, text, { key: String(id), request });
      return refusal(code, text);
    }
    if (this.#running >= limits.serverRequests && this.#waiting.length >= limits.subscriptionBuffer) {
      const text = `Answering ${method}: ${limits.serverRequests} requests are being answered and ` +
        `${limits.subscriptionBuffer} wait (limits serverRequests and subscriptionBuffer)`;
      return refusal(ERROR_CODES.internal_error, text);
    }
    const write = (given: JsonObject): JsonObject => handshake.writeAnswer(request, given);
    const question: Question = {
      id,
      request,
      write,
      answer,
      origin,
      abort: new AbortController(),
      onLeave: () => this.#left(question),
      leave: () => undefined,
    };
    return { ok: true, value: question };
  }

  async #run(question: Question): Promise<void> {
    const { id, origin, abort } = question;
    this.#running++;
    let response: JsonRpcResponse;
    try {
      const call = origin === undefined ? undefined : { method: origin.method, name: origin.name, label: origin.label };
      const broken = (fault: string): ProtocolError => {
        const text = `Invalid params: ${fault}`;
        this.#tellBroken(question.request.method, text);
        return ProtocolError.invalidParams(text);
      };
      const given = await question.answer({ signal: abort.signal, key: String(id), request: call }, broken);
      response = { jsonrpc: "2.0", id, result: question.write(given as unknown as JsonObject) };
    } catch (error) {
      response = this.#failed(question, error);
    }
    this.#running--;
    // It may have been cancelled meanwhile.
    if (this.#open.get(id) === question) {
      this.#forget(question);
      this.#send(response);
    }
    const next = this.#waiting.shift();
    if (next !== undefined) void this.#run(next);
  }

  /** What a handler throws on purpose goes to the server; everything else is told here and masked there. */
  #failed({ id, request, origin, abort }: Question, error: unknown): JsonRpcResponse {
    const masked = `Internal error: the client failed to answer ${request.method}`;
    const { code, message, data } = error instanceof ProtocolError
      ? error
      : { code: ERROR_CODES.internal_error, message: masked, data: undefined };
    if (!abort.signal.aborted) {
      this.#lacks(origin, message, { key: String(id), request, failure: { thrown: error } });
      if (message === masked) this.#options.report(error);
    }
    return errorResponse(id, code, message, data);
  }

  #tellBroken(method: string, fault: string): void {
    const text = `Reading a question of the server (${shown(method)}): ${fault}`;
    this.#broken((soFar) => new TransportError("not_mcp", text + soFar));
  }

  /** Remembers a question without an answer, because the call that asked it may fail for that. */
  #lacks(origin: Origin | undefined, refusal: string, question: Unanswered): void {
    if (origin !== undefined) origin.unanswered = question;
    else this.#unanswered = [refusal, question];
  }

  /** The call to which the question belongs was given up. */
  #left(question: Question): void {
    if (this.#open.get(question.id) !== question) return;
    this.#forget(question);
    question.abort.abort(question.origin?.signal.reason);
    const text = `Answering ${question.request.method}: the call that led to it was given up`;
    this.#refuse(question.id, { code: ERROR_CODES.internal_error, message: text });
  }

  #forget(question: Question): void {
    const { id, origin } = question;
    this.#open.delete(id);
    const index = this.#waiting.indexOf(question);
    if (index >= 0) this.#waiting.splice(index, 1);
    if (origin === undefined) this.#strays--;
    else origin.asked--;
    question.leave();
  }

  #refuse(id: RequestId, { code, message, data }: JsonRpcErrorObject): void {
    this.#send(errorResponse(id, code, message, data));
  }

  #send(response: JsonRpcResponse): void {
    if (this.#ended) return;
    this.#unsent++;
    this.#options.send(response).catch((error) => {
      if (!this.#ended) this.#options.report(error);
    }).finally(() => {
      this.#unsent--;
      this.#release();
    });
  }

  /** Waits until there is room for one more answer. */
  async #sent(): Promise<void> {
    while (!this.#ended && this.#unsent >= this.#options.limits.subscriptionBuffer) {
      await new Promise<void>((resolve) => this.#onSent.push(resolve));
    }
  }

  #release(): void {
    for (const release of this.#onSent.splice(0)) release();
  }
}

function refusal(code: number, message: string): Outcome<never> & { readonly ok: false } {
  return { ok: false, error: { code, message } };
}

/** What is wrong with what every request has. Carriers that read no text have not looked. */
function shapeFault({ params = {} }: JsonRpcRequest): (Outcome<never> & { readonly ok: false }) | undefined {
  if (!isJsonObject(params)) {
    const text = `Invalid request: params must be an object, received ${kindOf(params)}`;
    return refusal(ERROR_CODES.invalid_request, text);
  }
  if (!Object.hasOwn(params, "_meta") || isJsonObject(params._meta)) return undefined;
  return refusal(ERROR_CODES.invalid_params, "Invalid params: _meta must be an object");
}

/** An elicitation in a mode that was not declared has wrong params (MCP 2025-11-25, Elicitation § Error Handling). */
function noHandler({ method }: InputRequest, { form, url }: InputHandlers): readonly [code: number, message: string] {
  if (method === "elicitation/create" && (form !== undefined || url !== undefined)) {
    return [ERROR_CODES.invalid_params, "Invalid params: this client does not have that mode of elicitation"];
  }
  return [ERROR_CODES.method_not_found, `Method not found: this client has no handler for ${method}`];
}
