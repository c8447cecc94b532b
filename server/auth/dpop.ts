/** Checks proofs of possession: whoever sends a token that is bound to a key has to hold the key (RFC 9449). */
import { base64url, calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from "jose";
import type { JWK, JWTPayload } from "jose";
import { TOKEN_LIMITS } from "../../protocol/limits.ts";

/** How proofs may be signed: asymmetric algorithms only. */
export const PROOF_ALGORITHMS: readonly string[] = ["ES256", "ES384", "ES512", "EdDSA", "Ed25519", "PS256", "RS256"];

/** Says whether a request comes with a proof for a token that is bound to the key of this thumbprint. */
export type ProofChecker = (request: Request, token: string, thumbprint: string) => Promise<boolean>;

/**
 * Makes the checks of RFC 9449 § 4.3 and § 7.1. Where a proof must be for is the origin of `resource` with the path of the
 * request, or `resource` itself: a server behind a proxy does not know its own address, and headers that tell it may be forged.
 * A proof counts once in this process.
 */
export function proofChecker(resource: string): ProofChecker {
  const own = new URL(resource);
  const seen = new Map<string, number>();
  const isNew = (key: string): boolean => {
    const now = Date.now();
    for (const [oldest, until] of seen) {
      if (until > now && seen.size < TOKEN_LIMITS.proofs) break;
      seen.delete(oldest);
    }
    if (seen.has(key)) return false;
    // A proof that is early can be sent until it is old.
    seen.set(key, now + 2 * TOKEN_LIMITS.proofAge * 1000);
    return true;
  };
  return async (request, token, thumbprint) => {
    const proof = request.headers.get("dpop");
    // Two headers arrive joined by a comma, which no JWT holds.
    if (proof === null || proof.length > TOKEN_LIMITS.headerLength || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(proof)) return false;
    const claims = await verify(proof, thumbprint);
    if (claims === undefined || !isFor(claims, request, own)) return false;
    const { iat, jti, ath } = claims;
    if (typeof iat !== "number" || Math.abs(Date.now() / 1000 - iat) > TOKEN_LIMITS.proofAge) return false;
    if (typeof jti !== "string" || jti === "" || ath !== await digest(token)) return false;
    return isNew(await digest(`${thumbprint}.${jti}`));
  };
}

/** Type, algorithm, key and signature; the key has to be the one that the token is bound to. */
async function verify(proof: string, thumbprint: string): Promise<JWTPayload | undefined> {
  try {
    const verified = await jwtVerify(proof, EmbeddedJWK, { typ: "dpop+jwt", algorithms: [...PROOF_ALGORITHMS] });
    const jwk = verified.protectedHeader.jwk as JWK;
    return await calculateJwkThumbprint(jwk) === thumbprint ? verified.payload : undefined;
  } catch {
    return undefined;
  }
}

/** `htm` and `htu`, the latter without query and fragment (RFC 9449 § 4.3). */
function isFor({ htm, htu }: JWTPayload, request: Request, own: URL): boolean {
  if (htm !== request.method || typeof htu !== "string" || !URL.canParse(htu) || !URL.canParse(request.url)) return false;
  const target = new URL(htu);
  if (target.origin !== own.origin) return false;
  return target.pathname === new URL(request.url).pathname || target.pathname === own.pathname;
}

async function digest(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
