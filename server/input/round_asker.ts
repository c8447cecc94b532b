/** Straight-line questions as rounds: a question without an answer suspends the handler, which runs again with the answer. */
import type { Answers, Question } from "../../protocol/context.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { ROUND_QUESTIONS } from "../../protocol/limits.ts";
import type { Awaitable, InputRequest, JsonObject, JsonValue } from "../../protocol/types.ts";
import { fitAnswer, readAnswers } from "./answers.ts";
import type { CompileForm } from "./answers.ts";
import type { CallInput } from "./call_input.ts";
import type { Exchange } from "../core.ts";
import { checkCapabilities } from "./missing_capability.ts";
import { areAlike, changingQuestion, digestOfQuestion, otherQuestion } from "./question_keys.ts";
import { emptyMemory } from "./round_memory.ts";
import type { KeptAnswer, RoundMemory } from "./round_memory.ts";
import { RunOnce } from "./run_once.ts";

/** What a later round begins with. */
export interface LaterRound {
  /** What the rounds before left. */
  readonly memory: RoundMemory;
  /** `params.inputResponses` as it came. */
  readonly responses: JsonObject | undefined;
  /** Compiles the schema of a form. */
  readonly compile: CompileForm;
}

/** What the next round begins with. */
export interface NextRound {
  /** The questions that wait for an answer, by key. */
  readonly questions: ReadonlyMap<string, Question<unknown>>;
  /** What is to be remembered. */
  readonly memory: RoundMemory;
}

/** Thrown to end a run of a handler that has to wait for an answer. */
class Suspension extends Error {
  override readonly name = "Suspension";

  constructor() {
    super("The handler waits for an answer and runs again when it is there; let this error pass");
  }
}

/** The answers of one round, and the questions for the next (MCP 2026-07-28, Multi Round-Trip Requests). */
export class RoundAsker implements CallInput {
  /** The state that the handler gave by hand in the round before. */
  readonly state: unknown;
  readonly #exchange: Exchange;
  readonly #round: LaterRound | undefined;
  readonly #memory: RoundMemory;
  readonly #answers: Map<string, KeptAnswer>;
  readonly #readByHand = new Map<string, KeptAnswer>();
  /** The keys whose answers this run of the handler has read. */
  readonly #read = new Set<string>();
  readonly #open = new Map<string, Question<unknown>>();
  readonly #once: RunOnce;
  readonly #faults = new WeakSet<object>();
  readonly #suspension = new Suspension();
  #parked = false;

  /** Takes part in one round of a call; in the first one when `round` is absent, where `once` may have run something already. */
  constructor(exchange: Exchange, round?: LaterRound, once?: RunOnce) {
    this.#exchange = exchange;
    this.#round = round;
    this.#memory = round?.memory ?? emptyMemory();
    this.#answers = new Map(this.#memory.answers);
    this.#once = once ?? new RunOnce(this.#memory.results);
    this.state = structuredClone(this.#memory.state);
  }

  /** Does a question wait for the next round? */
  get suspended(): boolean {
    return this.#open.size > 0;
  }

  /**
   * Gives the answers when all are there. Otherwise the handler is suspended, and what has no answer goes out in one round
   * with what else is asked until the handler has ended.
   *
   * @throws {ProtocolError} -32021 when the client did not declare what a question needs.
   * @throws {TypeError} For a question that differs from what was asked under its key before.
   */
  async ask(questions: ReadonlyMap<string, Question<unknown>>): Promise<ReadonlyMap<string, unknown>> {
    if (this.#open.size >= ROUND_QUESTIONS) return await this.#park();
    try {
      return this.#find(questions);
    } catch (error) {
      if (error !== this.#suspension) this.#faults.add(error as object);
      throw error;
    }
  }

  /** Runs `fn` once over all rounds of the call. */
  once(key: string, fn: () => Awaitable<unknown>): Promise<unknown> {
    return this.#once.run(key, fn);
  }

  /** The answers that came with this round and fit their questions; with those of earlier rounds in which a question suspended. */
  answers<const Q extends { readonly [key: string]: Question<unknown> }>(questions: Q): Partial<Answers<Q>> {
    if (this.#round === undefined) return {};
    const responses: [string, JsonValue][] = [];
    for (const [key, question] of Object.entries(questions)) {
      const kept = this.#answers.get(key);
      const answer = ownMember(this.#round.responses ?? {}, key) ??
        (kept?.digest === digestOfQuestion(question) ? kept.answer : undefined);
      if (answer !== undefined) responses.push([key, structuredClone(answer) as JsonValue]);
    }
    const given = Object.fromEntries(responses);
    const read = readAnswers(structuredClone(given), questions, this.#round.compile);
    for (const key of Object.keys(read)) {
      this.#readByHand.set(key, { digest: digestOfQuestion(questions[key] as Question<unknown>), answer: given[key] });
    }
    return read;
  }

  /** Is an error the suspension, or does it carry it? Then nobody swallowed it. */
  carriesSuspension(error: unknown): boolean {
    if (error === this.#suspension) return true;
    if (error instanceof AggregateError) return error.errors.some((one) => one === this.#suspension);
    return error instanceof Error && error.cause === this.#suspension;
  }

  /** Is it an error with which a question was refused? It goes before the questions that wait. */
  isRefusal(error: unknown): boolean {
    return typeof error === "object" && error !== null && this.#faults.has(error);
  }

  /**
   * What the next round begins with when the handler asked in a straight line; waits for what runs once.
   *
   * @throws {TypeError} For a question whose words change in every run.
   */
  async suspend(): Promise<NextRound> {
    await this.#once.settled();
    for (const key of this.#open.keys()) this.#checkSteady(key);
    const asked = new Map([...this.#open].map(([key, question]) => [key, digestOfQuestion(question)]));
    const answers = new Map([...this.#answers, ...this.#readByHand, ...this.#unread()]);
    return { questions: this.#open, memory: { state: this.#memory.state, asked, answers, results: this.#once.results } };
  }

  /** What the next round remembers when the handler asks by hand and gives a state. */
  async remember(state: unknown): Promise<RoundMemory> {
    await this.#once.settled();
    return { state, asked: new Map(), answers: new Map([...this.#answers, ...this.#unread()]), results: this.#once.results };
  }

  #find(questions: ReadonlyMap<string, Question<unknown>>): ReadonlyMap<string, unknown> {
    const answers = new Map<string, unknown>();
    const open = new Map<string, Question<unknown>>();
    for (const [key, question] of questions) {
      const answer = this.#answerTo(key, question);
      if (answer === undefined) open.set(key, question);
      else answers.set(key, answer);
    }
    if (open.size === 0) return answers;
    checkCapabilities(open.values() as Iterable<InputRequest>, this.#exchange.request.clientCapabilities);
    for (const [key, question] of open) this.#open.set(key, question);
    throw this.#suspension;
  }

  /** A key made from words that change in every run finds no answer: the person would be asked until the rounds are over. */
  #checkSteady(key: string): void {
    const isOther = (other: string): boolean => areAlike(key, other) && !this.#read.has(other);
    const before = [...this.#memory.answers].find(([other, { passed }]) => passed === true && isOther(other));
    const last = [...this.#unread().keys()].find(isOther);
    if (before !== undefined && last !== undefined) throw changingQuestion(key, before[0], last);
  }

  /** A loop that swallows each suspension would never give the event loop its turn again: it waits here for its deadline. */
  #park(): Promise<never> {
    if (!this.#parked) {
      const sentence =
        `ctx: A handler asked ${ROUND_QUESTIONS} questions without an answer; a catch in a loop swallows the suspension`;
      this.#exchange.core.report(new Error(sentence), this.#exchange.request);
    }
    this.#parked = true;
    return new Promise(() => undefined);
  }

  /** The newest answer to a question, from this round or an earlier one; undefined when there is none that fits. */
  #answerTo(key: string, question: Question<unknown>): unknown {
    if (this.#round === undefined) return undefined;
    const kept = this.#answers.get(key);
    const asked = this.#memory.asked.get(key);
    const digest = digestOfQuestion(question);
    if ((asked ?? kept?.digest ?? digest) !== digest) throw otherQuestion(key);
    const response = asked === undefined ? undefined : ownMember(this.#round.responses ?? {}, key);
    const raw = response ?? kept?.answer;
    if (!isJsonObject(raw)) return undefined;
    const answer = fitAnswer(question, structuredClone(raw), this.#round.compile);
    if (answer === undefined) return undefined;
    this.#read.add(key);
    this.#answers.set(key, { digest, answer: raw });
    return answer;
  }

  /** Answers to questions that this run of the handler did not come to; a later one may. */
  #unread(): Map<string, KeptAnswer> {
    const unread = new Map<string, KeptAnswer>();
    for (const [key, digest] of this.#memory.asked) {
      const answer = ownMember(this.#round?.responses ?? {}, key);
      if (isJsonObject(answer) && !this.#open.has(key)) unread.set(key, { digest, answer, passed: true });
    }
    return unread;
  }
}
