/** One cached answer as the store keeps it: a text, so that nothing that is handed out can change it. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/types.ts";

/** What the text of an entry holds. */
export interface CacheEntry {
  /** Which connection stored it. */
  readonly by: string;
  /** Its number among those of that connection. */
  readonly n: number;
  /** When it was asked for, in milliseconds since the epoch. */
  readonly asked: number;
  /** When it arrived, in milliseconds since the epoch. */
  readonly arrived: number;
  /** For how many milliseconds from then it is fresh. */
  readonly ttlMs: number;
  /** The answer. */
  readonly result: JsonObject;
}

/** Writes an entry around the text of its answer. */
export function writeCacheEntry(head: Omit<CacheEntry, "result">, resultText: string): string {
  const { by, n, asked, arrived, ttlMs } = head;
  return `{"head":${JSON.stringify({ by, n, asked, arrived, ttlMs })},"result":${resultText}}`;
}

/** Reads an entry, its answer a copy of its own; undefined for anything that is none. */
export function readCacheEntry(value: unknown): CacheEntry | undefined {
  if (typeof value !== "string") return undefined;
  let read: unknown;
  try {
    read = JSON.parse(value);
  } catch {
    return undefined;
  }
  if (!isJsonObject(read)) return undefined;
  const { head, result } = read;
  if (!isJsonObject(head) || !isJsonObject(result)) return undefined;
  const { by, n, asked, arrived, ttlMs } = head;
  const numbers = [n, asked, arrived, ttlMs];
  if (typeof by !== "string" || !numbers.every((number) => typeof number === "number")) return undefined;
  return { by, n, asked, arrived, ttlMs, result } as CacheEntry;
}
