/** The open questions of this process: requests that a server sent to a client and that still wait for its response. */
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { LONGEST_TIMER } from "../../protocol/limits.ts";
import type { ResolvedLimits } from "../../protocol/limits.ts";
import { peerError } from "../../protocol/peer_error.ts";
import type { JsonObject, JsonRpcResponse, RequestId } from "../../protocol/types.ts";
import type { Session } from "../../transports/transport.ts";

/** A question that was put into the books, before it is sent. */
export interface OpenQuestion {
  /** The client's result; rejects with its error, when it takes too long, when the session ends, and when it is dropped. */
  readonly answer: Promise<JsonObject>;
  /** Has the client answered, with a result or an error? */
  readonly answered: boolean;
  /** Gives it up; does nothing once it is answered. */
  drop(reason: unknown): void;
}

/**
 * The open questions of every session of this process. A response is matched within its session only, never by its bare id
 * (MCP 2025-11-25, Basic § Requests).
 */
export class Questions {
  readonly #limits: ResolvedLimits;
  readonly #sessions = new Map<Session, Books>();

  /** Takes the bounds. */
  constructor(limits: ResolvedLimits) {
    this.#limits = limits;
  }

  /** How many questions are open. */
  get size(): number {
    let size = 0;
    for (const { questions } of this.#sessions.values()) size += questions.size;
    return size;
  }

  /**
   * Opens a question. Its time begins now, and begins again with each report of the client's progress, for as long as a
   * session may last (MCP 2025-11-25, Lifecycle § Timeouts).
   *
   * @param session Who is asked.
   * @param id The JSON-RPC id of the question, and its progress token.
   * @param timeout Milliseconds; the limit `answerTimeout` when absent.
   * @throws {ProtocolError} -32603 when too many questions of the session are open.
   */
  open(session: Session, id: RequestId, timeout: number | undefined): OpenQuestion {
    const books = this.#booksOf(session);
    const { handlers, handlerQueue, answerTimeout, sessionAge } = this.#limits;
    const bound = handlers + handlerQueue;
    if (books.questions.size >= bound) {
      const message = `Capacity reached: ${bound} questions of one session are open (limits handlers ${handlers}, ` +
        `handlerQueue ${handlerQueue})`;
      throw new ProtocolError(ERROR_CODES.internal_error, message, {
        data: { reason: "capacity_reached", handlers, handlerQueue },
      });
    }
    const question = new Question(timeout, answerTimeout, sessionAge, () => this.#forget(session, books, id));
    books.questions.set(id, question);
    return question;
  }

  /** Takes a response in; false when no such question is open here. */
  answer(session: Session, response: JsonRpcResponse): boolean {
    const question = response.id === undefined ? undefined : this.#sessions.get(session)?.questions.get(response.id);
    if (question === undefined) return false;
    question.take(response);
    return true;
  }

  /**
   * Takes a report of progress in; false when no question with this token is open here. Only progress that grows is any
   * (MCP 2025-11-25, Progress § Progress Flow).
   */
  progress(session: Session, token: RequestId, progress: unknown): boolean {
    const question = this.#sessions.get(session)?.questions.get(token);
    if (typeof progress === "number") question?.extend(progress);
    return question !== undefined;
  }

  #booksOf(session: Session): Books {
    let books = this.#sessions.get(session);
    if (books === undefined) {
      const questions = new Map<RequestId, Question>();
      const ended = (): void => {
        for (const question of [...questions.values()]) question.drop(sessionEnded());
      };
      this.#sessions.set(session, books = { questions, detach: session.onEnd(ended) });
    }
    return books;
  }

  #forget(session: Session, books: Books, id: RequestId): void {
    books.questions.delete(id);
    if (books.questions.size > 0 || this.#sessions.get(session) !== books) return;
    books.detach();
    this.#sessions.delete(session);
  }
}

/** What is open in one session. */
interface Books {
  readonly questions: Map<RequestId, Question>;
  readonly detach: () => void;
}

class Question implements OpenQuestion {
  answered = false;
  readonly answer: Promise<JsonObject>;
  readonly #resolve: (result: JsonObject) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #onClosed: () => void;
  readonly #timeout: number;
  readonly #own: boolean;
  readonly #last: number;
  #until: number;
  #progress = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(timeout: number | undefined, usual: number, longest: number, onClosed: () => void) {
    let resolve: (result: JsonObject) => void = () => undefined;
    let reject: (reason: unknown) => void = () => undefined;
    // `Promise.withResolvers` would say it shorter; Node 20 does not have it.
    this.answer = new Promise((take, refuse) => [resolve, reject] = [take, refuse]);
    // Whoever waits hears of it; a call that does not wait any more must not end the process.
    this.answer.catch(() => undefined);
    this.#resolve = resolve;
    this.#reject = reject;
    this.#onClosed = onClosed;
    this.#timeout = timeout ?? usual;
    this.#own = timeout !== undefined;
    const now = performance.now();
    this.#last = now + Math.max(longest, this.#timeout);
    this.#until = now + this.#timeout;
    this.#arm(this.#timeout);
  }

  take(response: JsonRpcResponse): void {
    if (!this.#close()) return;
    this.answered = true;
    if ("result" in response) return this.#resolve(response.result);
    this.#reject(peerError(response.error));
  }

  drop(reason: unknown): void {
    if (this.#close()) this.#reject(reason);
  }

  /** The time begins again; the timer finds that out when it fires. */
  extend(progress: number): void {
    if (!(progress > this.#progress)) return;
    this.#progress = progress;
    this.#until = Math.min(performance.now() + this.#timeout, this.#last);
  }

  #arm(delay: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#until - performance.now();
      if (left > 0) this.#arm(left);
      else this.drop(unanswered(this.#timeout, this.#own));
    }, Math.min(delay, LONGEST_TIMER));
  }

  #close(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#onClosed();
    return true;
  }
}

function unanswered(timeout: number, own: boolean): ProtocolError {
  const message = `Asking the client: no answer for ${timeout} ms${own ? "" : " (limit answerTimeout)"}`;
  return new ProtocolError(ERROR_CODES.internal_error, message, { data: { reason: "timeout", limit: timeout } });
}

function sessionEnded(): ProtocolError {
  return new ProtocolError(ERROR_CODES.internal_error, "Asking the client: the session has ended", {
    data: { reason: "session_ended" },
  });
}
