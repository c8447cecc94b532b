/** Credentials belong to the issuer that gave them, and go to no other (MCP 2026-07-28, Authorization Server Binding). */
import type { GrantSession } from "./grant.ts";
import { storeKey } from "./store_keys.ts";
import type { TokenStore } from "./token_store.ts";

/** Where a client is registered: as configured, otherwise where it was used first, for whichever server that was. */
export async function boundIssuer(
  store: TokenStore,
  client: { readonly id: string; readonly issuer?: string | undefined },
): Promise<string | undefined> {
  return client.issuer ?? await store.get(await storeKey("binding", client.id));
}

/**
 * Refuses to use a client anywhere but where it is registered, and remembers where it is used first.
 *
 * @throws {AuthorizationError} "issuer_mismatch".
 */
export async function bindIssuer(
  { store, discovered: { server: { issuer }, trace } }: GrantSession,
  client: { readonly id: string; readonly issuer?: string | undefined },
): Promise<void> {
  const expected = await boundIssuer(store, client);
  if (expected === undefined) return await store.set(await storeKey("binding", client.id), issuer);
  if (expected === issuer) return;
  throw trace.error(
    "issuer_mismatch",
    `Choosing an authorization server: the client is registered at ${expected}, and the server wants tokens of ${issuer}`,
  );
}
