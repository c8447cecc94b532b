/** Proof key for code exchange: a verifier and its S256 challenge (RFC 7636). */
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from "oauth4webapi";

/** A verifier, which stays secret until the code is exchanged, and its challenge. */
export interface ProofKey {
  /** 43 random characters. */
  readonly verifier: string;
  /** The verifier's SHA-256 digest. */
  readonly challenge: string;
}

/** Makes a new pair. */
export async function makeProofKey(): Promise<ProofKey> {
  const verifier = generateRandomCodeVerifier();
  return { verifier, challenge: await calculatePKCECodeChallenge(verifier) };
}
