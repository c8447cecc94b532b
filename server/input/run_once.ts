/** `ctx.once`: results that are kept under a key. */
import type { Awaitable } from "../../protocol/types.ts";
import { jsonFault } from "../json/json_fault.ts";

/** Keeps the results of what runs once. A result is copied on its way in and out, so that nobody changes what is kept. */
export class RunOnce {
  readonly #results: Map<string, unknown>;
  readonly #running = new Map<string, Promise<unknown>>();

  /** Begins with results of earlier rounds. */
  constructor(results: Iterable<readonly [string, unknown]> = []) {
    this.#results = new Map(results);
  }

  /** The results that are kept, by key. */
  get results(): ReadonlyMap<string, unknown> {
    return this.#results;
  }

  /**
   * Gives the result under a key, and makes it when there is none. What fails is not kept.
   *
   * @throws {TypeError} When the key is no text, and when the result is not JSON; the message names the key.
   */
  async run(key: string, fn: () => Awaitable<unknown>): Promise<unknown> {
    if (typeof key !== "string") throw new TypeError("ctx.once: Expected a string as key");
    if (!this.#results.has(key)) {
      let running = this.#running.get(key);
      if (running === undefined) {
        running = this.#make(key, fn).finally(() => this.#running.delete(key));
        this.#running.set(key, running);
      }
      await running;
    }
    return structuredClone(this.#results.get(key));
  }

  /** Waits until nothing runs any more; what failed has told its caller. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  async #make(key: string, fn: () => Awaitable<unknown>): Promise<void> {
    const value = await fn();
    const fault = jsonFault(value, `ctx.once(${JSON.stringify(key)})`);
    if (fault !== undefined) throw new TypeError(fault);
    const text = JSON.stringify(value);
    this.#results.set(key, text === undefined ? undefined : JSON.parse(text));
  }
}
