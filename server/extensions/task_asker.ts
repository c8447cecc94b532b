/** Questions of a task: they wait in its record until `tasks/update` brings the answers. */
import type { Question } from "../../protocol/context.ts";
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { TASK_LIMITS } from "../../protocol/limits.ts";
import type { Awaitable, InputRequest, InputRequests, JsonObject } from "../../protocol/types.ts";
import { loadInterpreter } from "../../protocol/validators/interpreter.ts";
import { readAnswers } from "../input/answers.ts";
import type { Asker } from "../input/asker.ts";
import type { Exchange } from "../core.ts";
import { checkCapabilities } from "../input/missing_capability.ts";
import { RunOnce } from "../input/run_once.ts";

type Questions = ReadonlyMap<string, Question<unknown>>;

interface Waiter {
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (reason: unknown) => void;
}

/** Asks through the record of a task. */
export class TaskAsker implements Asker {
  readonly #exchange: Exchange;
  readonly #put: (requests: InputRequests) => Promise<void>;
  readonly #once = new RunOnce();
  readonly #used = new Set<string>();
  readonly #waiting = new Map<string, Waiter>();

  /**
   * Asks nothing yet.
   *
   * @param exchange The exchange of the task.
   * @param put Puts questions into the record; rejects when the task has ended.
   */
  constructor(exchange: Exchange, put: (requests: InputRequests) => Promise<void>) {
    this.#exchange = exchange;
    this.#put = put;
    exchange.signal.addEventListener("abort", () => {
      for (const { reject } of this.#waiting.values()) reject(exchange.signal.reason);
      this.#waiting.clear();
    });
  }

  /** Asks several questions at once. An answer that does not fit is asked for again, under another key. */
  async ask(questions: Questions): Promise<ReadonlyMap<string, unknown>> {
    const { request } = this.#exchange;
    checkCapabilities(questions.values() as unknown as Iterable<InputRequest>, request.clientCapabilities);
    const interpreter = await loadInterpreter({ now: () => performance.now() });
    const answers = new Map<string, unknown>();
    let open = questions;
    for (let asks = 0; open.size > 0; asks++) {
      if (asks >= TASK_LIMITS.asks) throw unfit(TASK_LIMITS.asks);
      const given = await this.#askOnce(open);
      const again = new Map<string, Question<unknown>>();
      for (const [key, question] of open) {
        const read: { readonly answer?: unknown } = readAnswers(
          { answer: given.get(key) },
          { answer: question },
          (schema) => interpreter.compile(schema),
        );
        if (Object.hasOwn(read, "answer")) answers.set(key, read.answer);
        else again.set(key, question);
      }
      open = again;
    }
    return answers;
  }

  /** Runs `fn` once in the task. */
  once(key: string, fn: () => Awaitable<unknown>): Promise<unknown> {
    return this.#once.run(key, fn);
  }

  /** Is a question with this key open here? */
  waitsFor(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** Takes answers in; those that nobody waits for are left. */
  take(answers: { readonly [key: string]: unknown }): void {
    for (const [key, answer] of Object.entries(answers)) {
      const waiter = this.#waiting.get(key);
      if (waiter === undefined || !isJsonObject(answer)) continue;
      this.#waiting.delete(key);
      waiter.resolve(answer);
    }
  }

  async #askOnce(questions: Questions): Promise<ReadonlyMap<string, JsonObject>> {
    this.#exchange.signal.throwIfAborted();
    if (this.#waiting.size + questions.size > TASK_LIMITS.questions) {
      throw new TypeError(`ctx: A task can ask ${TASK_LIMITS.questions} questions at once`);
    }
    const keys = new Map([...questions.keys()].map((key) => [key, this.#unused(key)]));
    const answers = [...keys].map(async ([key, wire]) => [key, await this.#wait(wire)] as const);
    const all = Promise.all(answers);
    all.catch(() => undefined);
    const requests = [...keys].map(([key, wire]) => [wire, questions.get(key) as unknown as InputRequest] as const);
    try {
      await this.#put(Object.fromEntries(requests));
    } catch (error) {
      for (const wire of keys.values()) this.#waiting.delete(wire);
      throw error;
    }
    return new Map(await all);
  }

  #wait(wire: string): Promise<JsonObject> {
    return new Promise((resolve, reject) => this.#waiting.set(wire, { resolve, reject }));
  }

  /** A key names one question for the whole life of the task (SEP-2663, Input Required). */
  #unused(key: string): string {
    let wire = key;
    for (let ordinal = 2; this.#used.has(wire); ordinal++) wire = `${key}-${ordinal}`;
    this.#used.add(wire);
    return wire;
  }
}

function unfit(asks: number): ProtocolError {
  const message = `Asking the client: ${asks} answers in a row do not fit the question`;
  return new ProtocolError(ERROR_CODES.internal_error, message, { data: { reason: "invalid_answer" } });
}
