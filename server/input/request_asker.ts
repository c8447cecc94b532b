/** Asks a client in the middle of a call, by requests on the stream of that call; for connections that last. */
import type { Question } from "../../protocol/context.ts";
import type { Handshake } from "../../protocol/dialect.ts";
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import type { Awaitable, InputRequest, JsonObject, RequestId } from "../../protocol/types.ts";
import { interpretingValidator } from "../../protocol/validators/interpreting.ts";
import type { Session } from "../../transports/transport.ts";
import type { Exchange } from "../core.ts";
import { jsonFault } from "../json/json_fault.ts";
import { readAnswers } from "./answers.ts";
import type { CompileForm } from "./answers.ts";
import type { Asker, AskTerms } from "./asker.ts";
import { checkCapabilities } from "./missing_capability.ts";
import type { MissingCapability } from "./missing_capability.ts";
import { questionFault } from "./question_fault.ts";
import { Questions as OpenQuestions } from "./questions.ts";
import { RunOnce } from "./run_once.ts";

/**
 * Makes the asker of one call in a handshake revision: it sends a request for each question, one after the other, on the
 * stream of the call (MCP 2025-11-25, Streamable HTTP § Sending Messages), and waits for the responses. Meanwhile the handler's
 * deadline stands still and its slot is free.
 *
 * @param exchange The call.
 * @param once What ran once before the first question.
 */
export function requestAsker(exchange: Exchange, once: RunOnce = new RunOnce()): Asker {
  return new RequestAsker(exchange, once);
}

type Questions = ReadonlyMap<string, Question<unknown>>;

class RequestAsker implements Asker {
  readonly #exchange: Exchange;
  readonly #once: RunOnce;

  constructor(exchange: Exchange, once: RunOnce) {
    this.#exchange = exchange;
    this.#once = once;
  }

  async ask(questions: Questions, { timeout }: AskTerms): Promise<ReadonlyMap<string, unknown>> {
    const exchange = this.#exchange;
    const { session, handshake } = openSession(exchange);
    checkQuestions(questions);
    const missing: MissingCapability = (question, declared) => handshake.missingCapability(question, declared);
    checkCapabilities([...questions.values()].map(asRequest), exchange.request.clientCapabilities, missing);
    const interpreter = await interpretingValidator();
    return await exchange.aside(async () => {
      const answers = new Map<string, unknown>();
      for (const [key, question] of questions) {
        const result = await this.#send(session, handshake, asRequest(question), timeout);
        answers.set(key, checked(handshake, question, result, (schema) => interpreter.compile(schema)));
      }
      return answers;
    });
  }

  once(key: string, fn: () => Awaitable<unknown>): Promise<unknown> {
    return this.#once.run(key, fn);
  }

  /** Sends one question. Whatever ends it but the client is told to the client. */
  async #send(
    session: Session,
    handshake: Handshake,
    question: InputRequest,
    timeout: number | undefined,
  ): Promise<JsonObject> {
    const exchange = this.#exchange;
    if (exchange.done) throw givenUp();
    // Unique on every instance that serves the session, and in every process of it.
    const id = crypto.randomUUID();
    const written = handshake.writeQuestion({ id, question, progressToken: id, elicitationId: crypto.randomUUID() });
    if (!written.ok) throw new ProtocolError(written.error.code, written.error.message, { data: written.error.data });
    const { core } = exchange;
    const open = (core.questions ??= new OpenQuestions(core.limits)).open(session, id, timeout);
    const forget = exchange.whenSettled(() => open.drop(givenUp()));
    exchange.emit(written.value);
    try {
      return await open.answer;
    } catch (error) {
      if (!open.answered) this.#cancel(session, id, (error as Error).message);
      throw error;
    } finally {
      forget();
    }
  }

  /** The stream of a call that is over takes nothing; the session may. */
  #cancel(session: Session, requestId: RequestId, reason: string): void {
    const notice = { jsonrpc: "2.0" as const, method: "notifications/cancelled", params: { requestId, reason } };
    if (this.#exchange.done) session.send(notice);
    else this.#exchange.emit(notice);
  }
}

/** MCP 2025-11-25, Lifecycle § Initialization: before `notifications/initialized` a server asks nothing. */
function openSession({ dialect, info }: Exchange): { readonly session: Session; readonly handshake: Handshake } {
  const { session } = info.connection;
  const { handshake } = dialect;
  if (session === undefined || handshake === undefined) {
    const message = "Asking the client: this needs a session, which the server offers over HTTP with its option sessions";
    throw new ProtocolError(ERROR_CODES.internal_error, message, { data: { reason: "session_required" } });
  }
  if (session.state?.initialized !== true) {
    const message = "Asking the client: its session is not open before notifications/initialized";
    throw new ProtocolError(ERROR_CODES.internal_error, message, { data: { reason: "not_initialized" } });
  }
  return { session, handshake };
}

function checkQuestions(questions: Questions): void {
  for (const [key, question] of questions) {
    const fault = jsonFault(question, key) ?? questionFault(question as unknown as JsonObject, key);
    if (fault !== undefined) throw new TypeError(fault);
  }
}

function checked(handshake: Handshake, question: Question<unknown>, result: JsonObject, compile: CompileForm): unknown {
  const read = handshake.readAnswer(asRequest(question), result);
  const answers = read.ok ? readAnswers({ answer: read.value }, { answer: question }, compile) : {};
  if (Object.hasOwn(answers, "answer")) return (answers as { readonly answer: unknown }).answer;
  const message = `Asking the client: its answer to ${question.method} does not fit the question`;
  throw new ProtocolError(ERROR_CODES.internal_error, message, { data: { reason: "invalid_answer" } });
}

function asRequest(question: Question<unknown>): InputRequest {
  return question as unknown as InputRequest;
}

function givenUp(): DOMException {
  return new DOMException("The call was given up", "AbortError");
}
