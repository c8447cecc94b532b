/** Credentials belong to the issuer that gave them, and go to no other (MCP 2026-07-28, Authorization Server Binding). */
import { issuerFault } from "../../protocol/auth/metadata.ts";
import type { GrantSession } from "./grant.ts";
import { storeKey } from "./store_keys.ts";
import type { TokenStore } from "./token_store.ts";

/** What a program says about where its client is registered. */
export interface IssuerOptions {
  /**
   * The issuer that registered the client, letter by letter. Its credentials go to no other one, whichever a server names (MCP
   * 2026-07-28, Authorization Server Binding).
   */
  readonly issuer?: string | undefined;
  /**
   * In place of `issuer`: the credentials go to the first issuer that an MCP server names, and nowhere else from then on, as far as
   * the store remembers. Whoever runs that server, or stands between, chooses who gets them. Off by default.
   */
  readonly trustAnnouncedIssuer?: boolean | undefined;
}

/**
 * Checks that credentials have an issuer.
 *
 * @throws {TypeError} When they have none, or one that is not an identifier.
 */
export function checkIssuerOptions({ issuer, trustAnnouncedIssuer }: IssuerOptions, path: string): void {
  if (issuer !== undefined) return checkIssuer(issuer, `${path}.issuer`);
  if (trustAnnouncedIssuer === true) return;
  const rule =
    "the client's credentials go to no other (trustAnnouncedIssuer sends them to the first issuer that a server names)";
  throw new TypeError(`${path}.issuer: Expected the issuer that registered the client, since ${rule}`);
}

/**
 * Checks that a text can be an issuer's identifier.
 *
 * @param path Names the option.
 * @throws {TypeError} For any other text, which is not in the message.
 */
export function checkIssuer(issuer: unknown, path: string): void {
  const fault = typeof issuer === "string" ? issuerFault(issuer) : "it is no text";
  if (fault !== undefined) throw new TypeError(`${path}: Expected the identifier of an issuer, but ${fault}`);
}

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
  const expected = client.issuer ?? await firstIssuer(store, client.id, issuer);
  if (expected === issuer) return;
  throw trace.error(
    "issuer_mismatch",
    `Choosing an authorization server: the client is registered at ${expected}, and the server wants tokens of ${issuer}`,
  );
}

/** The issuer at which the client is first used. Of two servers that are asked at the same time, one comes first. */
async function firstIssuer(store: TokenStore, id: string, issuer: string): Promise<string> {
  const key = await storeKey("binding", id);
  const bind = async (): Promise<string> => {
    const bound = await store.get(key);
    if (bound === undefined) await store.set(key, issuer);
    return bound ?? issuer;
  };
  return await (store.lock === undefined ? bind() : store.lock(key, bind));
}
