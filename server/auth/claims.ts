/** Claims of a token → a caller. */
import { readScopes, uniteScopes } from "../../protocol/auth/scopes.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { AUTHORIZATION_LIMITS } from "../../protocol/limits.ts";
import type { VerifiedToken } from "./token_verifier.ts";

/** The claims of a token whose origin is beyond doubt. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** Checks and types the claims; a throw refuses the token. */
export type ReadClaims<Claims> = (claims: TokenClaims) => Claims;

/**
 * Makes a caller of claims (RFC 9068 § 2.2; RFC 7662 § 2.2). Its principal is issuer, subject and client together: stable when a
 * token is renewed, and of no other issuer's making.
 *
 * @param issuer Whose claims they are.
 * @param claims The claims.
 * @param read Checks and types them; undefined leaves them as they are.
 * @returns The caller; undefined when nobody is named, or only by something that is not text (RFC 7519 § 4.1.2), when the token is bound
 * to something that is not checked here (RFC 8705 § 3.1), when its end is not a number (RFC 7662 § 2.2), and when `read` throws.
 */
export function callerOf<Claims>(
  issuer: string,
  claims: JsonObject,
  read: ReadClaims<Claims> | undefined,
): VerifiedToken<Claims> | undefined {
  const clientId = text(claims, "client_id") ?? text(claims, "azp");
  const named = ownMember(claims, "sub") ?? undefined;
  // A subject that is no text cannot be told from others: taken for none, all people of one client would be one caller.
  const subject = named === undefined ? clientId : text(claims, "sub");
  const binding = ownMember(claims, "cnf");
  const keyThumbprint = isJsonObject(binding) ? text(binding, "jkt") : undefined;
  if (subject === undefined || (binding !== undefined && keyThumbprint === undefined)) return undefined;
  // Taken for none, an end that is no time would never come.
  const expiresAt = ownMember(claims, "exp") ?? undefined;
  if (expiresAt !== undefined && typeof expiresAt !== "number") return undefined;
  const typed = typedClaims(claims, read);
  if (typed === undefined) return undefined;
  return {
    principal: JSON.stringify([issuer, subject, clientId ?? null]),
    clientId,
    scopes: scopesOf(claims),
    expiresAt,
    claims: typed.claims,
    audience: audienceOf(claims),
    keyThumbprint,
  };
}

/** For whom a token is: the texts of `aud`. */
export function audienceOf(claims: JsonObject): readonly string[] {
  const audience = ownMember(claims, "aud");
  return (Array.isArray(audience) ? audience : [audience]).filter((one): one is string => typeof one === "string");
}

function typedClaims<Claims>(
  claims: JsonObject,
  read: ReadClaims<Claims> | undefined,
): { readonly claims: Claims } | undefined {
  if (read === undefined) return { claims: claims as Claims };
  try {
    return { claims: read(claims) };
  } catch {
    return undefined;
  }
}

/** A text with spaces (RFC 9068 § 2.2.3), or a list under either of the names that are in use. */
function scopesOf(claims: JsonObject): readonly string[] {
  const given = ownMember(claims, "scope") ?? ownMember(claims, "scp");
  const scopes = Array.isArray(given)
    ? uniteScopes(given.filter((one): one is string => typeof one === "string"))
    : readScopes(typeof given === "string" ? given : undefined);
  return scopes.slice(0, AUTHORIZATION_LIMITS.scopes);
}

function text(claims: JsonObject, name: string): string | undefined {
  const value = ownMember(claims, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}
