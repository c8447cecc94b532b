/** The keys under which the questions of one run of a handler are asked and answered. */
import type { Question } from "../../protocol/context.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { jsonFault } from "../json/json_fault.ts";
import { digestOf } from "./digest.ts";
import { questionFault } from "./question_fault.ts";

/** Hex digits of a digest that a key made from it shows. */
const SHOWN_DIGITS = 16;

const KINDS: ReadonlyMap<string, string> = new Map([["sampling/createMessage", "sampling"], ["roots/list", "roots"]]);

/** Gives each question of one run of a handler its key. */
export class QuestionKeys {
  readonly #used = new Set<string>();

  /**
   * The key of a question: the given one, or one made from its kind and params, so that the order of questions does not
   * matter. The same question asked again gets an ordinal.
   *
   * @param path Where the question stands, for errors.
   * @throws {TypeError} For what is not a question, and when a given key is no text, or belongs to another question of this run.
   */
  keyOf(question: Question<unknown>, given: string | undefined, path: string): string {
    const fault = jsonFault(question, path) ?? questionFault(question as unknown as JsonObject, path);
    if (fault !== undefined) throw new TypeError(fault);
    if (given !== undefined) return this.#take(given);
    const made = `${kindOf(question)}-${digestOfQuestion(question).slice(0, SHOWN_DIGITS)}`;
    let key = made;
    for (let ordinal = 2; this.#used.has(key); ordinal++) key = `${made}-${ordinal}`;
    this.#used.add(key);
    return key;
  }

  #take(given: string): string {
    if (typeof given !== "string") throw new TypeError("key: Expected a string");
    if (this.#used.has(given)) {
      throw new TypeError(`key: Two questions of one call have the key ${JSON.stringify(given)}; give each its own`);
    }
    this.#used.add(given);
    return given;
  }
}

/** Tells a question from others, by its kind and params. */
export function digestOfQuestion(question: Question<unknown>): string {
  return digestOf(JSON.stringify([question.method, question.params ?? null]));
}

/** The error for a question that was another one in an earlier round. */
export function otherQuestion(key: string): TypeError {
  return new TypeError(
    `key: The question with the key ${JSON.stringify(key)} differs from the one that was asked in an earlier round`,
  );
}

const MADE = /^([a-z]+)-[0-9a-f]{16}(-\d+)?$/;

/** Are these keys of two questions of one kind, made from their words and not given? */
export function areAlike(key: string, other: string): boolean {
  const kind = MADE.exec(key)?.[1];
  return kind !== undefined && key !== other && MADE.exec(other)?.[1] === kind;
}

/** The error for a question whose words change from run to run: no answer ever fits it. */
export function changingQuestion(key: string, first: string, second: string): TypeError {
  return new TypeError(
    `key: The questions "${first}" and "${second}" were answered and not asked again, and "${key}" is asked instead: ` +
      "a question that changes from run to run needs a key of its own",
  );
}

function kindOf({ method, params }: Question<unknown>): string {
  return KINDS.get(method) ?? ((params as JsonObject | undefined)?.mode === "url" ? "url" : "form");
}
