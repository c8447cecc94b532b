/** How a client proves who it is to an authorization server. */
import { ClientSecretPost, None, PrivateKeyJwt } from "oauth4webapi";
import type { ClientAuth } from "oauth4webapi";
import type { ServerMetadata } from "../../protocol/auth/metadata.ts";
import { checkObject } from "../../protocol/unknown_option.ts";
import { importSigningKey } from "./signing_key.ts";

/** How a client proves who it is. */
export type ClientAuthentication =
  | {
    /** Not at all: a public client. */
    readonly method: "none";
  }
  | {
    /** With a secret, in the header (form-encoded, RFC 6749 § 2.3.1) or in the body. */
    readonly method: "client_secret_basic" | "client_secret_post";
    /** The secret. */
    readonly secret: string;
  }
  | {
    /** With a JWT that it signs (RFC 7523 § 2.2), for the issuer as audience. */
    readonly method: "private_key_jwt";
    /** PKCS#8 PEM, a JWK, or a `CryptoKey`. */
    readonly key: string | object;
    /** Such as `ES256`. */
    readonly algorithm: string;
    /** `kid` of the JWT. */
    readonly keyId?: string | undefined;
  };

/** A client as one authorization server knows it. */
export interface ClientIdentity {
  /** Its identifier there. */
  readonly id: string;
  /** How it proves who it is. */
  readonly authentication: ClientAuthentication;
}

/** Makes what signs or fills in token requests. */
export async function clientAuth(authentication: ClientAuthentication): Promise<ClientAuth> {
  switch (authentication.method) {
    case "none":
      return None();
    case "client_secret_basic":
      return basic(authentication.secret);
    case "client_secret_post":
      return ClientSecretPost(authentication.secret);
    case "private_key_jwt": {
      const key = await importSigningKey(authentication.key, authentication.algorithm);
      return PrivateKeyJwt(authentication.keyId === undefined ? { key } : { key, kid: authentication.keyId });
    }
  }
}

/**
 * RFC 6749 § 2.3.1 and Appendix B. The library encodes what the form encoding leaves as it is (`-`, `.`, `_`), which servers that
 * compare without decoding do not know again.
 */
function basic(secret: string): ClientAuth {
  const encode = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);
  return (_server, { client_id: id }, _body, headers) =>
    headers.set("authorization", `Basic ${globalThis.btoa(`${encode(id)}:${encode(secret)}`)}`);
}

/**
 * Chooses the method for a client that has a secret or none: the one that it was registered with, as far as the server knows
 * it, otherwise the first that the server knows (RFC 8414 § 2: `client_secret_basic` when it lists none).
 *
 * @param server The authorization server.
 * @param secret The client's secret.
 * @param registered `token_endpoint_auth_method` of the registration.
 */
export function chooseAuthentication(
  server: ServerMetadata,
  secret: string | undefined,
  registered: string | undefined,
): ClientAuthentication {
  if (secret === undefined || registered === "none") return { method: "none" };
  const known = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const wanted = METHODS.find((one) => one === registered);
  const method = METHODS.find((one) => one === wanted && known.includes(one)) ?? METHODS.find((one) => known.includes(one)) ??
    wanted;
  if (method === undefined && known.includes("none")) return { method: "none" };
  return { method: method ?? "client_secret_basic", secret };
}

const METHODS = ["client_secret_basic", "client_secret_post"] as const;

/**
 * Checks the options of a program.
 *
 * @throws {TypeError} For another method, or one without what it needs; no secret is in the message.
 */
export function checkAuthentication(authentication: ClientAuthentication | undefined, path: string): void {
  if (authentication === undefined) return;
  checkObject(authentication, path);
  const { method } = authentication;
  if (method === "none") return;
  if (method === "client_secret_basic" || method === "client_secret_post") {
    if (typeof authentication.secret === "string" && authentication.secret !== "") return;
    throw new TypeError(`${path}.secret: Expected a text that is not empty`);
  }
  if (method !== "private_key_jwt") throw new TypeError(`${path}.method: Expected a known method`);
  if (typeof authentication.algorithm !== "string") throw new TypeError(`${path}.algorithm: Expected the name of an algorithm`);
}
