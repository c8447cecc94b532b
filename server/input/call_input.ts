/** What the rounds of one call need, beside questions: the answers and the state of handlers that ask by hand. */
import type { Answers, Question } from "../../protocol/context.ts";
import type { Asker } from "./asker.ts";

/** Where one run of a handler gets its answers from. */
export interface CallInput extends Asker {
  /** The state that the handler gave by hand in the round before. */
  readonly state: unknown;
  /** Was a question asked that the next round has to answer? Then nothing that the handler still does counts. */
  readonly suspended: boolean;
  /** The answers that came with this round and fit their questions, for handlers that ask by hand. */
  answers<const Q extends { readonly [key: string]: Question<unknown> }>(questions: Q): Partial<Answers<Q>>;
}
