/** Keys that sign client assertions: read from PEM, from a JWK, or taken as they are. */

/** The platform's own keys, structurally, since their type belongs to the DOM library. */
export type SigningKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

/** Algorithms of signatures (RFC 7518 § 3.1; RFC 8037 § 3.1) as WebCrypto calls them. */
const ALGORITHMS: ReadonlyMap<string, { readonly name: string; readonly hash?: string; readonly namedCurve?: string }> = new Map([
  ["ES256", { name: "ECDSA", namedCurve: "P-256" }],
  ["ES384", { name: "ECDSA", namedCurve: "P-384" }],
  ["ES512", { name: "ECDSA", namedCurve: "P-521" }],
  ["RS256", { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }],
  ["RS384", { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" }],
  ["RS512", { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" }],
  ["PS256", { name: "RSA-PSS", hash: "SHA-256" }],
  ["PS384", { name: "RSA-PSS", hash: "SHA-384" }],
  ["PS512", { name: "RSA-PSS", hash: "SHA-512" }],
  ["EdDSA", { name: "Ed25519" }],
  ["Ed25519", { name: "Ed25519" }],
]);

/**
 * Makes a private key that can sign.
 *
 * @param key PKCS#8 PEM, a JWK, or a `CryptoKey`.
 * @param algorithm Such as `ES256`.
 * @throws {TypeError} When it is none of them, or no key for the algorithm; the key is not in the message.
 */
export async function importSigningKey(key: string | object, algorithm: string): Promise<SigningKey> {
  const parameters = ALGORITHMS.get(algorithm);
  if (parameters === undefined) throw new TypeError("authentication.algorithm: Expected the name of an asymmetric algorithm");
  if (typeof key === "object" && "usages" in key && "algorithm" in key) return key as SigningKey;
  try {
    const { subtle } = globalThis.crypto;
    if (typeof key === "string") return await subtle.importKey("pkcs8", pemBytes(key), parameters, false, ["sign"]);
    return await subtle.importKey("jwk", key as JsonWebKey, parameters, false, ["sign"]);
  } catch {
    throw new TypeError(`authentication.key: Expected a private key for ${algorithm}`);
  }
}

/** The bytes of a PEM block (RFC 7468 § 10). */
function pemBytes(pem: string): Uint8Array<ArrayBuffer> {
  const base64 = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.exec(pem)?.[1] ?? "";
  return Uint8Array.from(globalThis.atob(base64.replace(/\s/g, "")), (char) => char.charCodeAt(0));
}
