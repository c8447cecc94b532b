/** The tokens that one client has for one server, and the text in which a store keeps them. */
import { isJsonObject } from "../../protocol/json.ts";

/** Tokens, and what they were given for. */
export interface TokenSet {
  /** The issuer that gave them. */
  readonly issuer: string;
  /** The resource that they are for. */
  readonly resource: string;
  /** The client that they were given to. */
  readonly clientId: string;
  /** What requests carry. */
  readonly accessToken: string;
  /** How they carry it. */
  readonly tokenType: "bearer" | "dpop";
  /** Milliseconds since the epoch at which it ends, where the server says so. */
  readonly expiresAt?: number | undefined;
  /** Milliseconds since the epoch from which on it is renewed. */
  readonly renewAt?: number | undefined;
  /** What brings the next access token. */
  readonly refreshToken?: string | undefined;
  /** The scopes that were granted. */
  readonly granted: readonly string[];
  /** The scopes that were asked for. */
  readonly requested: readonly string[];
  /** The private key that they are bound to, as a JWK. */
  readonly proofKey?: object | undefined;
}

/** Writes tokens for a store. */
export function writeTokenSet(tokens: TokenSet): string {
  return JSON.stringify(tokens);
}

/** Reads tokens of a store; undefined for anything else. */
export function readTokenSet(text: string | undefined): TokenSet | undefined {
  const value = readStored(text);
  if (value === undefined) return undefined;
  const { issuer, resource, clientId, accessToken, tokenType, expiresAt, renewAt, refreshToken, granted, requested, proofKey } =
    value;
  if (typeof issuer !== "string" || typeof resource !== "string" || typeof clientId !== "string") return undefined;
  if (!isAccessToken(accessToken) || (tokenType !== "bearer" && tokenType !== "dpop")) return undefined;
  if (!isTexts(granted) || !isTexts(requested)) return undefined;
  return {
    issuer,
    resource,
    clientId,
    accessToken,
    tokenType,
    expiresAt: typeof expiresAt === "number" ? expiresAt : undefined,
    renewAt: typeof renewAt === "number" ? renewAt : undefined,
    refreshToken: typeof refreshToken === "string" ? refreshToken : undefined,
    granted,
    requested,
    proofKey: isJsonObject(proofKey) ? proofKey : undefined,
  };
}

/** Is it a token that a header can carry (RFC 6749, Appendix A.12)? What refuses others later would quote them. */
export function isAccessToken(value: unknown): value is string {
  return typeof value === "string" && /^[\x20-\x7e]+$/.test(value);
}

/** Reads an object of a store; undefined for anything else. */
export function readStored(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
