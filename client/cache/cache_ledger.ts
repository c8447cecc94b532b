/** The books of the cache: which keys there are, how large each is, and which one goes first. */

/** Bounds of {@linkcode CacheLedger}. */
export interface CacheLedgerOptions {
  /** Keys at most. */
  readonly entries: number;
  /** Bytes at most, of all items together. */
  readonly bytes: number;
}

interface Line<T> {
  readonly item: T;
  readonly bytes: number;
}

/** One item takes at most this part of all bytes, so that none drives out all others. */
const PARTS = 4;

/** Keeps items in the order of their last use, within bounds of number and size. */
export class CacheLedger<T> {
  readonly #options: CacheLedgerOptions;
  /** The one that was used longest ago comes first. */
  readonly #lines = new Map<string, Line<T>>();
  #bytes = 0;

  /** Empty. */
  constructor(options: CacheLedgerOptions) {
    this.#options = options;
  }

  /** How many items there are. */
  get size(): number {
    return this.#lines.size;
  }

  /** How many bytes they have together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** May an item of this size be kept at all? */
  fits(bytes: number): boolean {
    const { entries, bytes: all } = this.#options;
    return entries > 0 && bytes * PARTS <= all;
  }

  /** The item under a key. Looking at it is no use of it. */
  peek(key: string): T | undefined {
    return this.#lines.get(key)?.item;
  }

  /** The item was used. */
  touch(key: string): void {
    const line = this.#lines.get(key);
    if (line === undefined) return;
    this.#lines.delete(key);
    this.#lines.set(key, line);
  }

  /**
   * Puts an item in, in place of any other under its key. The caller has asked {@linkcode CacheLedger.fits}.
   *
   * @returns The keys of the items that had to go.
   */
  add(key: string, item: T, bytes: number): readonly string[] {
    this.delete(key);
    this.#lines.set(key, { item, bytes });
    this.#bytes += bytes;
    const gone: string[] = [];
    for (const oldest of this.#lines.keys()) {
      if (this.size <= this.#options.entries && this.#bytes <= this.#options.bytes) break;
      this.delete(oldest);
      gone.push(oldest);
    }
    return gone;
  }

  /** Takes an item out. */
  delete(key: string): void {
    const line = this.#lines.get(key);
    if (line === undefined) return;
    this.#lines.delete(key);
    this.#bytes -= line.bytes;
  }

  /** The keys of all items that match, the one that was used longest ago first. */
  keys(matches: (item: T) => boolean): readonly string[] {
    return [...this.#lines].filter(([, { item }]) => matches(item)).map(([key]) => key);
  }
}
