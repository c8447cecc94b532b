/** Verifies access tokens that are JWTs. */
import { decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { JWTPayload, JWTVerifyOptions } from "jose";
import type { JsonObject } from "../../protocol/json.ts";
import { TOKEN_LIMITS } from "../../protocol/limits.ts";
import { checkObject } from "../../protocol/unknown_option.ts";
import { callerOf } from "./claims.ts";
import type { ReadClaims, TokenClaims } from "./claims.ts";
import { keySource } from "./key_source.ts";
import type { IssuerKeys } from "./key_source.ts";
import type { Fetch } from "./remote_json.ts";
import { checkAddress, checkIssuer } from "./secure_url.ts";
import type { TokenVerifier } from "./token_verifier.ts";

/** Options of {@linkcode jwt}. */
export interface JwtOptions<Claims = TokenClaims> {
  /** Who issues the tokens; `iss` has to be identical, character by character. */
  readonly issuer: string;
  /** This server's identifier, as `resource` of `bearer()`; it has to be in `aud`, exactly. */
  readonly audience: string;
  /** Where the issuer's keys are; found in its metadata by default (RFC 8414). */
  readonly jwks?: string | URL | undefined;
  /** Signature algorithms that are accepted; the asymmetric ones by default. Others cannot be added. */
  readonly algorithms?: readonly string[] | undefined;
  /** Accept only tokens that say they are access tokens (RFC 9068 § 2.1). By default `typ` is not looked at. */
  readonly type?: "at+jwt" | undefined;
  /** Checks and types the claims; a throw refuses the token. */
  readonly claims?: ReadClaims<Claims> | undefined;
  /** Sends requests for metadata and keys; the platform's `fetch` by default. */
  readonly fetch?: Fetch | undefined;
}

/** With a shared secret, whoever can check a token could also make one. */
const ALGORITHMS: readonly string[] = [
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
];

/**
 * Verifies JWT access tokens against a JWKS that is cached and rotated (RFC 9068 § 4; RFC 8725 § 3). Signature, issuer, audience
 * and expiry have to be there and right; clocks may differ by 30 seconds.
 *
 * @returns A verifier for `bearer()`. It rejects when the keys cannot be had.
 * @throws {TypeError} For options that are wrong; the message begins with `jwt.` and the option.
 */
export function jwt<Claims = TokenClaims>(options: JwtOptions<Claims>): TokenVerifier<Claims> {
  checkObject(options, "jwt");
  const { issuer, audience, type, claims, algorithms = ALGORITHMS } = options;
  checkJwt(options);
  const jwks = options.jwks === undefined ? undefined : String(options.jwks);
  const keys = keySource({ issuer, jwks, fetch: options.fetch });
  const allowed = new Set(algorithms);
  const expected: JWTVerifyOptions = {
    issuer,
    audience,
    algorithms: [...algorithms],
    clockTolerance: TOKEN_LIMITS.clockSkew,
    requiredClaims: ["iss", "aud", "exp"],
    ...(type === undefined ? {} : { typ: type }),
  };
  return async (token, _request, explain, warn) => {
    const header = readHeader(token);
    if (header === undefined || !allowed.has(header.alg)) {
      explain?.(header === undefined ? "it is not a JWT" : "its algorithm is not taken (jwt.algorithms)");
      return undefined;
    }
    const payload = await verify(token, await keys(header.kid, warn), expected, explain);
    if (payload === undefined) return undefined;
    const caller = callerOf(issuer, payload as JsonObject, claims);
    if (caller === undefined) explain?.("its claims name no caller, or jwt.claims does not take them");
    return caller;
  };
}

/** Whatever is wrong with a token, it is not valid; only keys that cannot be had are another matter. */
async function verify(
  token: string,
  { set, published }: IssuerKeys,
  expected: JWTVerifyOptions,
  explain: ((why: string) => void) | undefined,
): Promise<JWTPayload | undefined> {
  try {
    return (await jwtVerify(token, set, expected)).payload;
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return await tryEach(error, token, expected, explain);
    explain?.(faultOf(error, published));
    return undefined;
  }
}

/** A token may mean several keys: whichever fits its signature decides. */
async function tryEach(
  keys: InstanceType<typeof errors.JWKSMultipleMatchingKeys>,
  token: string,
  expected: JWTVerifyOptions,
  explain: ((why: string) => void) | undefined,
): Promise<JWTPayload | undefined> {
  let left: number = TOKEN_LIMITS.candidates;
  for await (const key of keys) {
    try {
      return (await jwtVerify(token, key, expected)).payload;
    } catch (error) {
      // Claims are looked at once the signature fits.
      if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) {
        explain?.(claimFault(error));
        return undefined;
      }
      if (--left === 0) break;
    }
  }
  const tried = left === 0 ? `first ${TOKEN_LIMITS.candidates} keys of its issuer that it may mean` : "keys of its issuer";
  explain?.(`none of the ${tried} fits its signature`);
  return undefined;
}

function claimFault(error: errors.JWTExpired | errors.JWTClaimValidationFailed): string {
  return error instanceof errors.JWTExpired ? "it is over" : `its claim ${error.claim} is missing, or not what is expected`;
}

/** What the library says of it, in its own words for kinds of faults: they hold nothing of the token. */
function faultOf(error: unknown, published: number): string {
  if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) return claimFault(error);
  if (error instanceof errors.JWKSNoMatchingKey) {
    const { keys } = TOKEN_LIMITS;
    return `its issuer has no key for it${
      published > keys ? ` among the first ${keys} of the ${published} that it publishes` : ""
    }`;
  }
  // Of the token the library says what is wrong with it; other errors come from the platform, when it is given the key.
  return error instanceof errors.JOSEError
    ? `it is not valid (${error.code})`
    : "the key that its issuer has for it cannot be used";
}

function readHeader(token: string): { readonly alg: string; readonly kid: string | undefined } | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return typeof alg === "string" && (kid === undefined || typeof kid === "string") ? { alg, kid } : undefined;
  } catch {
    return undefined;
  }
}

function checkJwt<Claims>({ issuer, audience, jwks, algorithms, type, claims, ...rest }: JwtOptions<Claims>): void {
  for (const key of Object.keys(rest)) if (key !== "fetch") throw new TypeError(`jwt.${key}: Unknown option`);
  checkIssuer(issuer, "jwt.issuer");
  if (typeof audience !== "string" || audience === "") throw new TypeError("jwt.audience: Expected a non-empty string");
  if (jwks !== undefined) checkAddress(String(jwks), "jwt.jwks");
  if (algorithms !== undefined && !(Array.isArray(algorithms) && algorithms.length > 0)) {
    throw new TypeError("jwt.algorithms: Expected a list of algorithms");
  }
  for (const one of algorithms ?? []) {
    if (!ALGORITHMS.includes(one)) throw new TypeError(`jwt.algorithms: Expected some of ${ALGORITHMS.join(", ")}`);
  }
  if (type !== undefined && type !== "at+jwt") throw new TypeError('jwt.type: Expected "at+jwt"');
  if (claims !== undefined && typeof claims !== "function") throw new TypeError("jwt.claims: Expected a function");
}
