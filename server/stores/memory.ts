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
import { checkOptionNames } from "../../protocol/unknown_option.ts";
import { MemoryStore } from "./memory_store.ts";
import type { Store } from "./store.ts";

export type { EventBus } from "./event_bus.ts";
export { memoryBus } from "./memory_bus.ts";
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
 * @throws {TypeError} For an option that nobody reads, and for a `maxEntries` that is not a positive integer.
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  checkOptionNames(options, KNOWN, "memoryStore.");
  const { maxEntries = MEMORY_STORE_ENTRIES } = options;
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) throw new TypeError("maxEntries: Expected a positive integer");
  return new MemoryStore(maxEntries);
}

const KNOWN: ReadonlySet<string> = new Set(["maxEntries"]);
