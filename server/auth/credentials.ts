/** Reads the `Authorization` header of a request: the only place where a token is looked for. */
import { TOKEN_LIMITS } from "../../protocol/limits.ts";

/** What a request brings along. */
export type Credentials =
  | { readonly kind: "none" }
  | { readonly kind: "malformed"; readonly fault: string }
  | { readonly kind: "token"; readonly scheme: "bearer" | "dpop"; readonly token: string };

const NONE: Credentials = { kind: "none" };
const SCHEME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;
/** RFC 6750 § 2.1: one or more spaces, then a `b64token`. */
const TOKEN = /^ +([A-Za-z0-9\-._~+/]+=*)$/;

/**
 * Reads credentials (RFC 6750 § 2.1; RFC 9449 § 7.1). The scheme counts without regard to case; other schemes are no
 * credentials. Two headers arrive joined by a comma, which no token holds.
 */
export function readCredentials(header: string | null): Credentials {
  if (header === null || header === "") return NONE;
  const { headerLength } = TOKEN_LIMITS;
  if (header.length > headerLength) return malformed(`it is longer than ${headerLength} characters`);
  const scheme = SCHEME.exec(header)?.[0];
  if (scheme === undefined) return malformed("it does not begin with a scheme");
  const name = scheme.toLowerCase();
  if (name !== "bearer" && name !== "dpop") return NONE;
  const token = TOKEN.exec(header.slice(scheme.length))?.[1];
  return token === undefined
    ? malformed("the scheme is not followed by exactly one token")
    : { kind: "token", scheme: name, token };
}

function malformed(fault: string): Credentials {
  return { kind: "malformed", fault };
}
