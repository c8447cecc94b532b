/** Cached answers in a store: what of them is still fresh, and what has to go. */
import { STORE_WAIT } from "../../protocol/limits.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { DeadlineWatch } from "../waits/deadline_watch.ts";
import type { CacheStore } from "../options.ts";
import { untilDue } from "../waits/until_due.ts";
import { readCacheEntry, writeCacheEntry } from "./cache_entry.ts";
import type { CacheEntry } from "./cache_entry.ts";
import { CacheLedger } from "./cache_ledger.ts";
import { CacheMarks } from "./cache_marks.ts";
import { isSound, isStaleBy } from "./cache_rules.ts";
import type { CacheChange, CacheSubject } from "./cache_rules.ts";
import type { CacheHost } from "./cache_types.ts";

/** A point in time on two clocks: one that nobody sets, and one that goes on while the machine sleeps. */
export interface CacheMoment {
  /** Milliseconds on the clock of `performance.now()`. */
  readonly steady: number;
  /** Milliseconds since the epoch. */
  readonly wall: number;
}

/** What a shelf needs. */
export interface CacheShelfOptions extends Pick<CacheHost, "limits" | "report">, Partial<Pick<CacheHost, "watch">> {
  /** Where the answers are; memory by default. */
  readonly store?: CacheStore | undefined;
  /** The time. */
  readonly now?: (() => CacheMoment) | undefined;
  /** Milliseconds that the store may take to give an answer. */
  readonly storeWait?: number | undefined;
}

/** One answer to be kept. */
export interface CachedAnswer {
  /** What it is about. */
  readonly subject: CacheSubject;
  /** When it was asked for. */
  readonly asked: CacheMoment;
  /** When it arrived. */
  readonly arrived: CacheMoment;
  /** For how many milliseconds from then it is fresh. */
  readonly ttlMs: number;
  /** Its JSON. */
  readonly text: string;
}

interface Kept extends Omit<CachedAnswer, "text"> {
  readonly n: number;
  /** The entry, until the store has it. */
  entry: string | undefined;
}

/** Keeps answers. The bounds hold for what this connection has put into the store, whatever the store does itself. */
export class CacheShelf {
  readonly #options: CacheShelfOptions;
  readonly #store: CacheStore;
  readonly #ledger: CacheLedger<Kept>;
  readonly #marks: CacheMarks;
  readonly #watch: DeadlineWatch;
  readonly #id = crypto.randomUUID();
  #count = 0;

  /** Holds nothing that it has put there itself. */
  constructor(options: CacheShelfOptions) {
    const { store, limits: { cacheEntries, cacheBytes } } = options;
    this.#options = options;
    this.#watch = options.watch ?? new DeadlineWatch();
    this.#store = store ?? memoryStore();
    this.#ledger = new CacheLedger({ entries: cacheEntries, bytes: cacheBytes });
    this.#marks = new CacheMarks(cacheEntries);
  }

  /** The time. */
  now(): CacheMoment {
    return this.#options.now?.() ?? { steady: performance.now(), wall: Date.now() };
  }

  /** Has this connection put an answer under the key? */
  has(key: string): boolean {
    return this.#ledger.peek(key) !== undefined;
  }

  /**
   * Finds an answer that is fresh. What the store does wrong is reported, and counts as no answer. Never rejects.
   *
   * @param shared May others have put it there?
   * @returns A copy of its own.
   */
  async read(key: string, subject: CacheSubject, shared: boolean): Promise<JsonObject | undefined> {
    const value = this.#ledger.peek(key)?.entry ?? await this.#ask(() => this.#inTime(this.#store.get(key)));
    if (value === undefined || value === null) return undefined;
    const entry = readCacheEntry(value);
    if (entry === undefined || !isSound(subject.method, entry.result)) {
      this.#options.report(new Error("Reading the cache: the store gave something else than was put into it"));
      return undefined;
    }
    const own = entry.by === this.#id;
    // Another connection may have put a newer answer in place of ours.
    if (own ? this.#isCurrent(key, entry.n) : shared && this.#isUsable(subject, entry)) {
      if (own) this.#ledger.touch(key);
      return entry.result;
    }
    if (own) this.delete(key);
    return undefined;
  }

  /** Keeps an answer, unless it is too large or a newer one is there. What is there instead goes in any case. */
  put(key: string, { text, ...answer }: CachedAnswer): void {
    const { subject, asked, arrived, ttlMs } = answer;
    const there = this.#ledger.peek(key);
    if (there !== undefined && there.asked.steady > asked.steady) return;
    const bytes = this.#sizeOf(text);
    if (!this.#ledger.fits(bytes)) return this.delete(key);
    const n = ++this.#count;
    const head = { by: this.#id, n, asked: asked.wall, arrived: arrived.wall, ttlMs };
    const kept: Kept = { subject, asked, arrived, ttlMs, n, entry: writeCacheEntry(head, text) };
    for (const gone of this.#ledger.add(key, kept, bytes)) this.#forget(gone);
    void this.#write(key, kept);
  }

  /** Takes an answer out. */
  delete(key: string): void {
    this.#ledger.delete(key);
    this.#forget(key);
  }

  /** Takes out what a change makes stale; what others have put there before it is not used any more. */
  dropStale(change: CacheChange): void {
    this.#marks.add(change, this.now().wall);
    for (const key of this.#ledger.keys(({ subject }) => isStaleBy(change, subject))) this.delete(key);
  }

  /** Fresh on both clocks: neither setting one back nor a sleep of the machine makes an answer last longer. */
  #isCurrent(key: string, n: number): boolean {
    const kept = this.#ledger.peek(key);
    if (kept === undefined || kept.n !== n) return false;
    const { steady, wall } = this.now();
    return Math.max(steady - kept.arrived.steady, wall - kept.arrived.wall) < kept.ttlMs;
  }

  #isUsable(subject: CacheSubject, { asked, arrived, ttlMs }: CacheEntry): boolean {
    const age = this.now().wall - arrived;
    return age >= 0 && age < Math.min(ttlMs, this.#options.limits.cacheTtl) && !this.#marks.isStale(subject, asked);
  }

  #sizeOf(text: string): number {
    // UTF-8 has at least as many bytes as a string has units; what is too large by that is not encoded.
    return this.#ledger.fits(text.length) ? new TextEncoder().encode(text).length : text.length;
  }

  async #write(key: string, kept: Kept): Promise<void> {
    const { entry, ttlMs } = kept;
    const done = await this.#ask(async () => {
      await this.#store.set(key, entry, ttlMs);
      return true;
    });
    kept.entry = undefined;
    if (done === undefined && this.#ledger.peek(key) === kept) this.#ledger.delete(key);
    // It was taken out while the store was at work.
    if (done === true && !this.has(key)) this.#forget(key);
  }

  #forget(key: string): void {
    void this.#ask(() => this.#store.delete(key));
  }

  /** What the store of a program gives, unless that takes so long that the server would have answered. */
  async #inTime<T>(given: T | PromiseLike<T>): Promise<T> {
    if (typeof given !== "object" || given === null || !("then" in given)) return given as T;
    const { storeWait = STORE_WAIT.cache } = this.#options;
    const watch = this.#watch;
    if (watch.ended !== undefined) return await given;
    const late = (): Error => new Error(`Reading the cache: the store gave no answer within ${storeWait} ms`);
    return await untilDue(Promise.resolve(given), { watch, due: performance.now() + storeWait, late });
  }

  /** Never rejects. */
  async #ask<T>(work: () => T | PromiseLike<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      // Once the client is closed, nobody waits for the store.
      const { ended } = this.#watch;
      if (ended === undefined || cause !== ended.error) {
        this.#options.report(new Error("Using the cache: the store failed", { cause }));
      }
      return undefined;
    }
  }
}

/** The books take out what has no room, so this needs no bounds of its own. */
function memoryStore(): CacheStore {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
  };
}
