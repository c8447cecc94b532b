/** Answers of a client that is asked by requests, kept for handlers that ask by hand and run again. */
import type { Answers, Question } from "../../protocol/context.ts";
import type { Awaitable } from "../../protocol/types.ts";
import type { Asker, AskTerms } from "./asker.ts";
import type { CallInput } from "./call_input.ts";
import { digestOfQuestion, otherQuestion } from "./question_keys.ts";

interface Answered {
  readonly digest: string;
  readonly answer: unknown;
}

/** What the runs of one handler share. */
interface Shared {
  readonly asker: Asker;
  readonly answers: Map<string, Answered>;
}

/** What a run begins with when the one before asked by hand. */
interface Run {
  readonly number: number;
  readonly state: unknown;
  readonly byHand: ReadonlyMap<string, Answered>;
}

/** The answers of one run of a handler, on a connection on which the client is asked by requests. */
export class RequestedInput implements CallInput {
  /** A question waits for its answer here; no run is suspended. */
  readonly suspended = false;
  readonly #shared: Shared;
  readonly #run: Run;

  /** Begins with the first run; {@linkcode RequestedInput.again} makes the others. */
  constructor(asker: Asker, shared?: Shared, run?: Run) {
    this.#shared = shared ?? { asker, answers: new Map() };
    this.#run = run ?? { number: 1, state: undefined, byHand: new Map() };
  }

  /** The state that the handler gave by hand in the run before. */
  get state(): unknown {
    return this.#run.state;
  }

  /** How many times the handler was run with this one. */
  get runs(): number {
    return this.#run.number;
  }

  /**
   * Asks what was not answered in an earlier run.
   *
   * @throws {TypeError} For a question that differs from what was asked under its key in an earlier run.
   */
  async ask(questions: ReadonlyMap<string, Question<unknown>>, terms: AskTerms): Promise<ReadonlyMap<string, unknown>> {
    const { asker, answers } = this.#shared;
    const open = new Map<string, Question<unknown>>();
    for (const [key, question] of questions) {
      const kept = answers.get(key);
      if (kept === undefined) open.set(key, question);
      else if (kept.digest !== digestOfQuestion(question)) throw otherQuestion(key);
    }
    if (open.size > 0) keep(answers, open, await asker.ask(open, terms));
    return new Map([...questions.keys()].map((key) => [key, structuredClone(answers.get(key)?.answer)]));
  }

  /** Runs `fn` once over all runs of the handler. */
  once(key: string, fn: () => Awaitable<unknown>): Promise<unknown> {
    return this.#shared.asker.once(key, fn);
  }

  /** The answers to what the run before asked by hand. */
  answers<const Q extends { readonly [key: string]: Question<unknown> }>(questions: Q): Partial<Answers<Q>> {
    const read: [string, unknown][] = [];
    for (const [key, question] of Object.entries(questions)) {
      const answered = this.#run.byHand.get(key);
      if (answered?.digest === digestOfQuestion(question)) read.push([key, structuredClone(answered.answer)]);
    }
    return Object.fromEntries(read) as Partial<Answers<Q>>;
  }

  /** Puts questions that a handler asks by hand, and makes what its next run begins with. */
  async again(questions: ReadonlyMap<string, Question<unknown>>, state: unknown): Promise<RequestedInput> {
    const { asker } = this.#shared;
    const byHand = new Map<string, Answered>();
    if (questions.size > 0) keep(byHand, questions, await asker.ask(questions, {}));
    return new RequestedInput(asker, this.#shared, { number: this.#run.number + 1, state, byHand });
  }
}

function keep(
  into: Map<string, Answered>,
  questions: ReadonlyMap<string, Question<unknown>>,
  answers: ReadonlyMap<string, unknown>,
): void {
  for (const [key, question] of questions) {
    if (answers.has(key)) into.set(key, { digest: digestOfQuestion(question), answer: answers.get(key) });
  }
}
