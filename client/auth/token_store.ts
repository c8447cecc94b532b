/** Where tokens and registrations are kept: the contract, and the store that lives in memory. */
import type { Awaitable } from "../../protocol/types.ts";

/** Tokens and registrations, by issuer and resource. Keys hold no secrets; values do. */
export interface TokenStore {
  /** Reads a value. */
  get(key: string): Awaitable<string | undefined>;
  /** Keeps a value. */
  set(key: string, value: string): Awaitable<void>;
  /** Forgets a value. */
  delete(key: string): Awaitable<void>;
  /**
   * Runs `fn` while no other holder of `key` runs, in this process or another; for stores that are shared. Nobody waits for it any
   * more when `signal` aborts: a wait that keeps a timer should then end, without `fn`.
   */
  lock?<T>(key: string, fn: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Keeps tokens for as long as the process lives. */
export function memoryTokenStore(): TokenStore {
  const values = new Map<string, string>();
  const locks = keyedLock();
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
    lock: locks,
  };
}

/** Runs functions of the same key one after the other. */
export function keyedLock(): <T>(key: string, fn: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, fn) => {
    const before = tails.get(key);
    const own = (before ?? Promise.resolve()).then(fn, fn);
    tails.set(key, own);
    try {
      return await own;
    } finally {
      if (tails.get(key) === own) tails.delete(key);
    }
  };
}
