/** All that an error shows, for tests that look for secrets in it. */
import assert from "node:assert/strict";
import { memoryTokenStore } from "../../../client/auth/mod.ts";
import type { TokenStore } from "../../../client/auth/mod.ts";

/** How every secret of these tests begins. */
export const MARK = /secret-[\w-]+/;

/** Everything that an error shows, to any depth. */
export function shownOf(error: unknown): string {
  const parts = [Deno.inspect(error, { depth: 20, showHidden: true }), String(error)];
  for (let one = error; one instanceof Error; one = one.cause) {
    parts.push(one.message, one.stack ?? "", JSON.stringify(one, Object.getOwnPropertyNames(one)));
    // Of `data` the line above has what is a property of the error too.
    if ("data" in one) parts.push(JSON.stringify(one.data) ?? "");
  }
  return parts.join("\n");
}

/** Looks for secrets in an error. */
export function assertNoSecret(error: unknown): true {
  assert.doesNotMatch(shownOf(error), MARK);
  return true;
}

/** A store in memory that tells under which keys it was asked. */
export function storeWithKeys(): { readonly store: TokenStore; readonly keys: readonly string[] } {
  const keys: string[] = [];
  const memory = memoryTokenStore();
  const store: TokenStore = {
    get: (key) => (keys.push(key), memory.get(key)),
    set: (key, value) => (keys.push(key), memory.set(key, value)),
    delete: (key) => (keys.push(key), memory.delete(key)),
  };
  return { store, keys };
}
