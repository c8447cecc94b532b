/** Proof of possession: a key, and a fresh proof for every request (RFC 9449). */
import { allowInsecureRequests, customFetch, DPoP, generateKeyPair, protectedResourceRequest } from "oauth4webapi";
import type { DPoPHandle } from "oauth4webapi";
import type { SigningKey } from "./signing_key.ts";

/** Proofs with one key. Nonces are kept by origin, as each server gives them. */
export interface Proofs {
  /** Adds proofs to token requests, and keeps their nonces. */
  readonly handle: DPoPHandle;
  /** The private key as a JWK, for the store. */
  readonly key: object;
  /** Makes the headers of a request to the resource. */
  headers(url: string, method: string, accessToken: string): Promise<{ readonly [name: string]: string }>;
  /** Takes the nonce that the resource wants from now on (RFC 9449 § 8.2 and § 9). */
  nonce(url: string, nonce: string): void;
}

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;

/**
 * Makes proofs with a stored key, or with a new one for ES256.
 *
 * @param stored A private JWK.
 */
export async function openProofs(stored: object | undefined): Promise<Proofs> {
  const { subtle } = globalThis.crypto;
  const key = stored ?? await subtle.exportKey("jwk", (await generateKeyPair("ES256", { extractable: true })).privateKey);
  const { d: _, ...open } = key as Record<string, unknown>;
  const load = (jwk: object, usage: "sign" | "verify"): Promise<SigningKey> =>
    subtle.importKey("jwk", { ...jwk, key_ops: [usage], ext: true }, CURVE, usage === "verify", [usage]);
  const pair = { privateKey: await load(key, "sign"), publicKey: await load(open, "verify") };
  const handle = DPoP({}, pair);
  const nonces = new Map<string, string>();
  return {
    handle,
    key,
    nonce: (url, nonce) => void nonces.set(new URL(url).origin, nonce),
    headers: async (url, method, accessToken) => {
      const target = new URL(url);
      const nonce = nonces.get(target.origin);
      // The handle learns nonces from answers alone, so the new one is shown to it as an answer to a request that nobody sends.
      if (nonce !== undefined) await prove(handle, target, method, accessToken, nonce);
      nonces.delete(target.origin);
      return await prove(handle, target, method, accessToken, undefined);
    },
  };
}

/** The headers that the library would send; nothing is sent. */
async function prove(
  handle: DPoPHandle,
  url: URL,
  method: string,
  accessToken: string,
  nonce: string | undefined,
): Promise<{ readonly [name: string]: string }> {
  let headers: { readonly [name: string]: string } = {};
  await protectedResourceRequest(accessToken, method, url, undefined, undefined, {
    DPoP: handle,
    // Whether the address is secure was asked before the token was wanted.
    [allowInsecureRequests]: true,
    [customFetch]: (_url: string, init: { readonly headers: { readonly [name: string]: string } }) => {
      headers = init.headers;
      return Promise.resolve(new Response(null, nonce === undefined ? {} : { headers: { "dpop-nonce": nonce } }));
    },
  });
  const { authorization = "", dpop = "" } = headers;
  return { authorization, dpop };
}
