/** Where the answers to a handler's questions come from: rounds of the same request, or requests to the client. */
import type { Question } from "../../protocol/context.ts";
import type { Awaitable } from "../../protocol/types.ts";

/** How questions are asked. */
export interface AskTerms {
  /** Milliseconds to wait where the client is asked by requests; the limit `answerTimeout` when absent. */
  readonly timeout?: number | undefined;
}

/** Gets answers for questions that a handler asks in the middle of its work. */
export interface Asker {
  /**
   * Asks several questions at once.
   *
   * @returns The answers by key, checked, as the questions are typed.
   * @throws {ProtocolError} -32021 when the client did not declare what a question needs, before anything is sent.
   */
  ask(questions: ReadonlyMap<string, Question<unknown>>, terms: AskTerms): Promise<ReadonlyMap<string, unknown>>;
  /** Runs `fn` once over all rounds of the call, and gives its JSON result in each of them. */
  once(key: string, fn: () => Awaitable<unknown>): Promise<unknown>;
}
