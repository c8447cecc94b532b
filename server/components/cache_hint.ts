/** Cache hints: how long, and for whom, an answer may be kept. */
import type { CacheHint } from "../../protocol/types.ts";

/**
 * Checks a cache hint (MCP 2026-07-28, Caching): `ttlMs` is an integer of at least 0, `cacheScope` public or private.
 *
 * @throws {TypeError} Naming the path and the rule.
 */
export function checkCacheHint(hint: CacheHint | undefined, path: string): void {
  const fault = cacheHintFault(hint);
  if (fault !== undefined) throw new TypeError(`${path}.${fault}`);
}

/** Says what is wrong with a cache hint, or undefined. */
export function cacheHintFault(hint: CacheHint | undefined): string | undefined {
  if (hint === undefined) return undefined;
  const { ttlMs, cacheScope } = hint;
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs >= 0)) {
    return "ttlMs: Expected an integer of at least 0 milliseconds";
  }
  if (cacheScope !== undefined && cacheScope !== "public" && cacheScope !== "private") {
    return 'cacheScope: Expected "public" or "private"';
  }
  return undefined;
}
