/** A store whose calls end in time. */
import { STORE_WAIT } from "../../protocol/limits.ts";
import { endsWithin } from "../../transports/ends_within.ts";
import type { Store } from "../stores/store.ts";

/**
 * Puts a bound on the time of every call of a store: one that takes longer has failed, since requests wait for it.
 *
 * @param store Any store.
 * @param wait Milliseconds.
 * @returns The same store; for `list` the bound holds for each entry.
 */
export function timedStore(store: Store, wait: number = STORE_WAIT.sessions): Store {
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    if (await endsWithin(work, wait)) return await work;
    throw new Error(`Using the store of the sessions: it gave no answer within ${wait} ms`);
  };
  return {
    get: (key) => inTime(store.get(key)),
    set: (key, value, options) => inTime(store.set(key, value, options)),
    delete: (key) => inTime(store.delete(key)),
    async *list(prefix) {
      const entries = store.list(prefix)[Symbol.asyncIterator]();
      for (let step = await inTime(entries.next()); step.done !== true; step = await inTime(entries.next())) yield step.value;
    },
  };
}
