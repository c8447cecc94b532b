/**
 * What a single process needs of stores: a bus and a store in memory.
 *
 * @example Two servers in one process that tell each other of changes
 * ```ts
 * import { defineServer } from "@causeway/mcp/server";
 * import { memoryBus, memoryStore } from "@causeway/mcp/stores/memory";
 *
 * const shared = { bus: memoryBus(), sessions: { store: memoryStore() }, stateKeys: ["32 characters or more from a secret"] };
 * const first = defineServer({ name: "shop", version: "1.0.0", tools: [], ...shared });
 * const second = defineServer({ name: "shop", version: "1.0.0", tools: [], ...shared });
 * console.log(first.info.name, second.info.name);
 * ```
 *
 * @module
 */
import { MEMORY_STORE_ENTRIES } from "../../protocol/limits.ts";
import type { EventBus } from "./event_bus.ts";
import { MemoryStore } from "./memory_store.ts";
import type { Store } from "./store.ts";

export type { EventBus } from "./event_bus.ts";
export type { Store, StoreEntry } from "./store.ts";

/** Options of {@linkcode memoryStore}. */
export interface MemoryStoreOptions {
  /** Entries at most; 100,000 by default. For a further one the oldest event of a stream goes; without any it is refused. */
  readonly maxEntries?: number | undefined;
}

/**
 * Makes a store in the memory of this process. Values are kept as JSON text, so that nobody can change what another one
 * gets. There are no timers: what has expired is never given, and is forgotten while new entries come.
 *
 * @throws {TypeError} For a `maxEntries` that is no positive integer.
 */
export function memoryStore({ maxEntries = MEMORY_STORE_ENTRIES }: MemoryStoreOptions = {}): Store {
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) throw new TypeError("maxEntries: Expected a positive integer");
  return new MemoryStore(maxEntries);
}

/**
 * Makes a bus that reaches the listeners of this process. What a listener throws rejects `publish`, after the others
 * have heard of the event.
 */
export function memoryBus(): EventBus {
  const topics = new Map<string, Set<(event: unknown) => void>>();
  return {
    publish(topic, event): Promise<void> {
      const faults: unknown[] = [];
      for (const listener of topics.get(topic) ?? []) {
        try {
          listener(event);
        } catch (error) {
          faults.push(error);
        }
      }
      return faults.length === 0 ? Promise.resolve() : Promise.reject(faults[0]);
    },
    subscribe(topic, listener): () => void {
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners);
      const own = (event: unknown): void => listener(event);
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
  };
}
