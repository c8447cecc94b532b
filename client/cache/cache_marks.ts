/** Changes that were told, for what others put into a shared store before. */
import { areRelated } from "./cache_rules.ts";
import type { CacheChange, CacheSubject } from "./cache_rules.ts";

/** Remembers the last change of every list and of so many resources. */
export class CacheMarks {
  readonly #capacity: number;
  readonly #lists = new Map<string, number>();
  readonly #resources = new Map<string, number>();
  /** Every resource counts as changed at this time: marks of single ones were forgotten. */
  #all = -Infinity;

  /**
   * Knows of no change.
   *
   * @param capacity Resources at most; beyond that the oldest change counts for all.
   */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Remembers a change, in milliseconds since the epoch. */
  add({ methods, uri }: CacheChange, at: number): void {
    if (methods !== undefined) return methods.forEach((method) => this.#lists.set(method, at));
    this.#resources.delete(uri);
    this.#resources.set(uri, at);
    for (const [oldest, then] of this.#resources) {
      if (this.#resources.size <= this.#capacity) break;
      this.#resources.delete(oldest);
      this.#all = Math.max(this.#all, then);
    }
  }

  /** Was something about the subject changed since a time? */
  isStale({ method, uri }: CacheSubject, asked: number): boolean {
    if (asked <= (this.#lists.get(method) ?? -Infinity)) return true;
    if (uri === undefined) return false;
    if (asked <= this.#all) return true;
    for (const [changed, at] of this.#resources) if (asked <= at && areRelated(changed, uri)) return true;
    return false;
  }
}
