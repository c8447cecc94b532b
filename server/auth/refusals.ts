/** The answers to callers that are not let in. */
import { printChallenge } from "../../protocol/auth/print_challenge.ts";
import type { ChallengeParams } from "../../protocol/auth/print_challenge.ts";

/** Which tokens a server takes: any, also those that are bound to a key, or only those. */
export type DpopMode = "off" | "allowed" | "required";

/** What challenges tell. */
export interface RefusalFacts {
  /** The address of the metadata. */
  readonly resourceMetadata: string;
  /** Scopes that every call needs. */
  readonly scopes: readonly string[];
  /** Which tokens are taken. */
  readonly dpop: DpopMode;
  /** How proofs may be signed. */
  readonly algorithms: readonly string[];
}

/** The answers to callers that are not let in (RFC 6750 § 3.1; RFC 9449 § 7.1). */
export interface Refusals {
  /** Nobody tried to say who calls: 401, without an error. */
  missing(): Response;
  /** The header is no credential: 400. */
  malformed(fault: string): Response;
  /** The token counts for nothing here: 401. */
  invalid(scheme: Scheme): Response;
  /** The proof of possession is missing or wrong: 401. */
  proof(): Response;
  /** The token lacks scopes that every call needs: 403. */
  scope(scheme: Scheme): Response;
  /** The `WWW-Authenticate` value that names all scopes of an operation. */
  stepUp(needed: readonly string[]): string;
}

/** The scheme that a client used. */
export type Scheme = "bearer" | "dpop";

const DESCRIPTIONS = {
  missing: "Unauthorized: the request has no access token",
  invalid: "Unauthorized: the access token is not valid for this server",
  proof: "Unauthorized: the DPoP proof is missing or not valid for this request",
  scope: "Forbidden: the access token lacks scopes",
} as const;

/** JSON-RPC 2.0 § 5.1: the request cannot be taken. */
const INVALID_REQUEST = -32600;

/** Makes the answers of one server. Nothing in them comes from the request. */
export function createRefusals({ resourceMetadata, scopes, dpop, algorithms }: RefusalFacts): Refusals {
  const resource_metadata = resourceMetadata;
  const all = (needed: readonly string[]): string | undefined => needed.length === 0 ? undefined : needed.join(" ");
  const bearer = (params: ChallengeParams): string => printChallenge("Bearer", { ...params, resource_metadata });
  const bound = (params: ChallengeParams): string =>
    printChallenge("DPoP", { ...params, resource_metadata, algs: algorithms.join(" ") });
  const challenge = (scheme: Scheme, params: ChallengeParams): string =>
    dpop === "required" || scheme === "dpop" ? bound(params) : bearer(params);
  const fail = (status: number, challenges: string, sentence: string): Response => refuse(status, challenges, sentence);
  const scope = all(scopes);
  return {
    missing: () => {
      const plain = { scope };
      const both = dpop === "allowed" ? `${bearer(plain)}, ${bound(plain)}` : challenge("bearer", plain);
      return fail(401, both, DESCRIPTIONS.missing);
    },
    malformed: (fault) => {
      const sentence = `Bad request: the Authorization header cannot be read, ${fault}`;
      return fail(400, challenge("bearer", { error: "invalid_request", error_description: sentence }), sentence);
    },
    invalid: (scheme) => {
      const params = { error: "invalid_token", error_description: DESCRIPTIONS.invalid, scope };
      return fail(401, challenge(scheme, params), DESCRIPTIONS.invalid);
    },
    proof: () => {
      const params = { error: "invalid_dpop_proof", error_description: DESCRIPTIONS.proof, scope };
      return fail(401, bound(params), DESCRIPTIONS.proof);
    },
    scope: (scheme) => {
      const params = { error: "insufficient_scope", error_description: DESCRIPTIONS.scope, scope };
      return fail(403, challenge(scheme, params), DESCRIPTIONS.scope);
    },
    stepUp: (needed) =>
      challenge("bearer", { error: "insufficient_scope", error_description: DESCRIPTIONS.scope, scope: all(needed) }),
  };
}

function refuse(status: number, challenges: string, message: string): Response {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: INVALID_REQUEST, message } });
  return new Response(body, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", "www-authenticate": challenges },
  });
}
