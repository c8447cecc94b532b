/** From the answer of a token endpoint to the tokens that are kept. */
import type { TokenEndpointResponse } from "oauth4webapi";
import { readScopes } from "../../protocol/auth/scopes.ts";
import { AuthorizationError } from "../../protocol/errors.ts";
import { AUTHORIZATION_LIMITS } from "../../protocol/limits.ts";
import type { GrantSession } from "./grant.ts";
import { isAccessToken } from "./token_set.ts";
import type { TokenSet } from "./token_set.ts";

/**
 * Makes the tokens to keep.
 *
 * @param answer What came.
 * @param session What it was asked for.
 * @param clientId Who asked.
 * @param requested The scopes that were asked for; granted ones, too, where the answer names none (RFC 6749 § 5.1).
 * @throws {AuthorizationError} When tokens that must be bound to a key are not, and for a token that no header can carry.
 */
export function tokenSet(
  answer: TokenEndpointResponse,
  { discovered: { resource, server: { issuer } }, proofs }: GrantSession,
  clientId: string,
  requested: readonly string[],
): TokenSet {
  const tokenType = answer.token_type.toLowerCase() === "dpop" ? "dpop" : "bearer";
  if ((tokenType === "dpop") !== (proofs !== undefined)) {
    const found = tokenType === "dpop"
      ? "it is bound to a key, which was not asked for"
      : "it is not bound to the key (RFC 9449 § 5)";
    throw new AuthorizationError("token_request_failed", `Asking for a token: ${found}`);
  }
  if (!isAccessToken(answer.access_token)) {
    throw new AuthorizationError("token_request_failed", "Asking for a token: it has characters that no header can carry");
  }
  const { expires_in: lifetime, refresh_token: refreshToken, scope } = answer;
  // A life of no length would mean a new token for every request; the server's 401 tells as well.
  const life = lifetime === undefined || lifetime <= 0 ? undefined : lifetime * 1000;
  const now = Date.now();
  return {
    issuer,
    resource,
    clientId,
    accessToken: answer.access_token,
    tokenType,
    expiresAt: life === undefined ? undefined : now + life,
    renewAt: life === undefined ? undefined : now + Math.max(life - AUTHORIZATION_LIMITS.renewBefore, life / 2),
    refreshToken,
    granted: scope === undefined ? requested : readScopes(scope),
    requested,
    proofKey: proofs?.key,
  };
}

/** The parameters that every grant has: the resource as it was published (RFC 8707 § 2.2), and the scopes where there are any. */
export function tokenParameters(
  resource: string,
  scopes: readonly string[],
  more: { readonly [name: string]: string } = {},
): URLSearchParams {
  return new URLSearchParams({ ...more, resource, ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }) });
}
