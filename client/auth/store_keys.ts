/** Keys of a store: they name issuer, resource and client, and hold nothing secret. */
import { encodeHex } from "../../protocol/hex.ts";

/** What is kept. */
export type StoredKind = "server" | "tokens" | "client" | "binding";

/**
 * Makes a key. A query may be secret (some servers take their key there), so only its digest is in the key.
 *
 * @param kind What is kept.
 * @param parts Addresses and identifiers.
 */
export async function storeKey(kind: StoredKind, ...parts: readonly string[]): Promise<string> {
  return JSON.stringify([kind, ...await Promise.all(parts.map(publicPart))]);
}

async function publicPart(part: string): Promise<string> {
  const at = part.search(/[?#]/);
  if (at < 0) return part;
  const digest = await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(part));
  return `${part.slice(0, at)}?sha-256=${encodeHex(digest)}`;
}
