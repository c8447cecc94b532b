/** Sets of scopes: read, united, compared. */

/** One scope (RFC 6749 § 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Reads scopes that are separated by spaces (RFC 6749 § 3.3). What cannot be a scope is left out.
 *
 * @param text The value of a `scope` parameter.
 * @returns The scopes in their order, each once.
 */
export function readScopes(text: string | undefined): readonly string[] {
  return uniteScopes((text ?? "").split(" "));
}

/**
 * Unites sets of scopes (MCP 2026-07-28, Authorization § Step-Up Authorization Flow).
 *
 * @returns Every scope once, in the order in which they first occur; what cannot be a scope is left out.
 */
export function uniteScopes(...sets: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(sets.flat())].filter((scope) => SCOPE.test(scope));
}

/** Does `granted` hold every scope of `wanted`? Names are compared as they are: which scope implies another only servers know. */
export function coversScopes(granted: readonly string[], wanted: readonly string[]): boolean {
  const all = new Set(granted);
  return wanted.every((scope) => all.has(scope));
}
