/** The contract of a store that instances of a server may share. */

/** A value with its key and version. */
export interface StoreEntry {
  /** The key under which it was set. */
  readonly key: readonly string[];
  /** Plain JSON. */
  readonly value: unknown;
  /** Changes with every `set`. */
  readonly version: string;
}

/** Keeps plain JSON for sessions, events and tasks. */
export interface Store {
  /** The value under a key; undefined when there is none or its time is over. */
  get(key: readonly string[]): Promise<{ readonly value: unknown; readonly version: string } | undefined>;
  /**
   * Keeps a value, for `ttl` milliseconds or for good. With `ifVersion` only when the entry still has that version, or,
   * with null, only when there is none. A store without room may forget an `expendable` one for another entry, the oldest first.
   *
   * @returns Whether it was kept.
   * @throws {RangeError} When there is no room; a new session is then refused, with status 503.
   */
  set(
    key: readonly string[],
    value: unknown,
    options?: {
      readonly ttl?: number | undefined;
      readonly ifVersion?: string | null | undefined;
      readonly expendable?: boolean | undefined;
    },
  ): Promise<boolean>;
  /** Forgets a key; does nothing when it is not there. */
  delete(key: readonly string[]): Promise<void>;
  /** Every entry whose key begins with these parts, in the order of their keys. */
  list(prefix: readonly string[]): AsyncIterable<StoreEntry>;
}
