/** Rounds of input: asks the handlers, sends the answers, and goes on until there is a result. */
import { InputRequiredError, TransportError } from "../../protocol/errors.ts";
import type { InputRequiredReason } from "../../protocol/errors.ts";
import type { ResultIn } from "../../protocol/dialect.ts";
import { INPUT_QUESTIONS } from "../../protocol/limits.ts";
import type { InputResponses } from "../../protocol/types.ts";
import { mapBounded } from "../map_bounded.ts";
import type { Sending } from "../connection_settings.ts";
import type { Deadline } from "../waits/deadline_watch.ts";
import { onAbort } from "../waits/on_abort.ts";
import type { CallOptions, InputContext, PendingInput } from "../options.ts";
import type { AskingCall, InputSettings, RunRounds } from "./asking_call.ts";
import { answerInput } from "./input_answers.ts";
import type { AnswerInput, InputAnswer } from "./input_answers.ts";
import { handlerFault, shownCall } from "./unanswered_error.ts";
import type { NamedCall } from "./unanswered_error.ts";
import { untilOver } from "./until_over.ts";
import type { TimedCall } from "./until_over.ts";

/** Who answers, and what runs the call that goes on later. */
export interface RoundSettings extends InputSettings {
  /** Runs a call from its beginning. */
  readonly run: RunRounds<Sending>;
}

/** A call that goes on after its first answer. */
export interface RunningCall<R> extends TimedCall {
  /** Its connection. */
  readonly connection: Sending;
  /** Who answers. */
  readonly settings: RoundSettings;
  /** The call. */
  readonly call: AskingCall<R>;
  /** The options that the program gave. */
  readonly options: CallOptions;
}

type Asked = Extract<ResultIn, { readonly type: "input_required" }>;

/**
 * Goes on after the first answer of a call that is not its result: questions are answered, and extensions follow theirs.
 *
 * @throws {InputRequiredError} When nobody answers a question, a handler fails, the time is over meanwhile, or there are
 * more rounds than `limits.inputRounds`.
 * @throws {TransportError} "limit" when there are more than 100 questions in one round; no handler is asked then.
 */
export async function goOn<R>(running: RunningCall<R>, first: ResultIn): Promise<R | PendingInput<R>> {
  const { connection, call, options, times } = running;
  const { limits } = connection.settings;
  let answer = first;
  for (let rounds = 1;; rounds++) {
    if (answer.type === "complete") return untilOver(call.read(answer.result), running);
    if (answer.type === "extension") return await follow(running, answer);
    checkQuestions(call, answer);
    if (options.input === "manual") return pendingInput(running, answer);
    // The connection may have been closed since the answer came: then nobody is asked any more.
    const { ended } = connection.watch;
    if (ended !== undefined) throw ended.error;
    if (rounds > limits.inputRounds) {
      const text = `the server asked in more than ${limits.inputRounds} rounds (limit inputRounds)`;
      throw stopped(running, answer, "rounds", { found: text });
    }
    const { requestState } = answer;
    const inputResponses = await new Answering(running, answer).run();
    answer = await call.send({ options, times, inputResponses, requestState });
  }
}

/** What an extension's result holds is for the extension to read, and how the call goes on. */
async function follow<R>(
  { connection, settings, call, options }: RunningCall<R>,
  answer: Extract<ResultIn, { readonly type: "extension" }>,
): Promise<R | PendingInput<R>> {
  const send = connection.settings.extensions?.follow(connection, call.method, options, answer);
  if (send === undefined) return answer.result as unknown as R;
  const { inputResponses: _responses, requestState: _state, ...rest } = options;
  return await settings.run(connection, settings, { ...call, send }, rest);
}

function pendingInput<R>({ connection, settings, call, options }: RunningCall<R>, asked: Asked): PendingInput<R> {
  const pending = {
    resultType: "input_required",
    inputRequests: asked.requests,
    requestState: asked.requestState,
  };
  const resume: PendingInput<R>["resume"] = (responses, changes = {}) =>
    settings.run(connection, settings, call, { ...options, ...changes, ...next(asked, responses), input: "manual" });
  // What is left is plain JSON, which a program can keep.
  return Object.defineProperty(pending, "resume", { value: resume }) as unknown as PendingInput<R>;
}

function stopped<R>(
  { connection, settings, call, options }: RunningCall<R>,
  asked: Asked,
  reason: InputRequiredReason,
  { found, cause }: { readonly found: string; readonly cause?: unknown },
): InputRequiredError<R> {
  return new InputRequiredError<R>(reason, `Answering the questions of ${shownCall(call)}: ${found}`, {
    requests: asked.requests,
    requestState: asked.requestState,
    cause,
    resume: async (responses) =>
      await settings.run(connection, settings, call, { ...options, ...next(asked, responses), input: "auto" }) as R,
  });
}

/** Each question may open a window before a person: what one answer brings is bounded, whoever answers. */
function checkQuestions(call: NamedCall, { requests }: Asked): void {
  const { length } = Object.keys(requests);
  if (length <= INPUT_QUESTIONS) return;
  const text = `Answering the questions of ${shownCall(call)}: ${length} questions in one round, at most ${INPUT_QUESTIONS}`;
  throw new TransportError("limit", `${text} (limit inputQuestions)`, {
    data: { limit: "inputQuestions", value: INPUT_QUESTIONS },
  });
}

/** What belongs to the next round: the answers, and the state of this round or none. */
function next({ requestState }: Asked, inputResponses: InputResponses): Pick<CallOptions, "inputResponses" | "requestState"> {
  return { inputResponses, requestState };
}

/** The answers of one round: handlers run until all are done, one fails, the caller gives up or the time is over. */
class Answering<R> implements Deadline {
  due: number;
  readonly #running: RunningCall<R>;
  readonly #asked: Asked;
  readonly #abort = new AbortController();
  #reject: (error: unknown) => void = () => undefined;

  constructor(running: RunningCall<R>, asked: Asked) {
    this.#running = running;
    this.#asked = asked;
    this.due = running.times.deadline;
  }

  /** The answers by key; undefined when there were no questions, so that the call goes on with its state alone. */
  async run(): Promise<InputResponses | undefined> {
    const answers = this.#findAnswers();
    if (answers.length === 0) return undefined;
    const { connection: { watch }, options: { signal } } = this.#running;
    signal?.throwIfAborted();
    watch.add(this);
    const leaveSignal = onAbort(signal, () => this.fail(signal?.reason));
    try {
      return await new Promise((resolve, reject) => {
        this.#reject = reject;
        this.#answerAll(answers).then((pairs) => resolve(Object.fromEntries(pairs)), (error) => this.#handlerFailed(error));
      });
    } finally {
      watch.delete(this);
      leaveSignal();
    }
  }

  onDue(): void {
    this.fail(this.#stopped("timeout", "its total time is over (limit requestTotalTimeout)"));
  }

  fail(error: unknown): void {
    this.#reject(error);
    this.#abort.abort(error);
  }

  #findAnswers(): readonly (readonly [key: string, answer: AnswerInput])[] {
    const { connection, settings } = this.#running;
    return Object.entries(this.#asked.requests).map(([key, request]) => {
      const answer = answerInput(request, settings.inputs, connection.settings.capabilities);
      if (answer === undefined) throw this.#stopped("no_handler", `there is no handler for ${request.method}`);
      return [key, answer] as const;
    });
  }

  async #answerAll(answers: readonly (readonly [string, AnswerInput])[]): Promise<readonly (readonly [string, InputAnswer])[]> {
    const { connection, settings, call: { method, name }, options: { label } } = this.#running;
    const answer = async ([key, run]: readonly [string, AnswerInput]): Promise<readonly [string, InputAnswer]> => {
      const ctx: InputContext = { signal: this.#abort.signal, key, request: { method, name, label } };
      return [key, await run(ctx)];
    };
    const atOnce = settings.parallel ? connection.settings.limits.serverRequests : 1;
    return await mapBounded(answers, atOnce, answer, () => this.#abort.signal.aborted);
  }

  #handlerFailed(error: unknown): void {
    this.fail(this.#stopped("handler_failed", handlerFault(error), error));
  }

  #stopped(reason: InputRequiredReason, found: string, cause?: unknown): InputRequiredError<R> {
    return stopped(this.#running, this.#asked, reason, { found, cause });
  }
}
