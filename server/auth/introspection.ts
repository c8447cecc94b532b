/** Verifies tokens by asking the authorization server. */
import { encodeHex } from "../../protocol/hex.ts";
import { ownMember } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { TOKEN_LIMITS } from "../../protocol/limits.ts";
import { checkObject } from "../../protocol/unknown_option.ts";
import { audienceOf, callerOf } from "./claims.ts";
import type { ReadClaims, TokenClaims } from "./claims.ts";
import { remoteJson } from "./remote_json.ts";
import type { Fetch } from "./remote_json.ts";
import { checkAddress, checkIssuer } from "./secure_url.ts";
import type { TokenVerifier, VerifiedToken } from "./token_verifier.ts";

/** Options of {@linkcode introspection}. */
export interface IntrospectionOptions<Claims = TokenClaims> {
  /** Where the authorization server is asked. */
  readonly endpoint: string | URL;
  /** Who asks. */
  readonly clientId: string;
  /** Its secret, sent with HTTP Basic authentication. */
  readonly clientSecret: string;
  /** This server's identifier, as `resource` of `bearer()`; it has to be in `aud`, exactly. */
  readonly audience: string;
  /** Who issues the tokens: an answer that names another `iss` is refused. It counts as the issuer of answers that name none. */
  readonly issuer?: string | undefined;
  /** Milliseconds for which an answer is believed, so that a token may live on as long after it was revoked. 30,000; 0 asks always. */
  readonly ttlMs?: number | undefined;
  /** Checks and types the claims; a throw refuses the token. */
  readonly claims?: ReadClaims<Claims> | undefined;
  /** Sends the questions; the platform's `fetch` by default. */
  readonly fetch?: Fetch | undefined;
}

interface Answer<Claims> {
  readonly caller: VerifiedToken<Claims> | undefined;
  readonly until: number;
}

/**
 * Verifies tokens by asking the authorization server (RFC 7662). Answers are kept for a moment under a digest of the token, a
 * token is asked about once at a time, and the number of answers and of questions is bounded.
 *
 * @returns A verifier for `bearer()`. It rejects when the authorization server cannot be asked.
 * @throws {TypeError} For options that are wrong; the message begins with `introspection.` and the option.
 */
export function introspection<Claims = TokenClaims>(options: IntrospectionOptions<Claims>): TokenVerifier<Claims> {
  checkIntrospection(options);
  const { ttlMs = TOKEN_LIMITS.answerAge } = options;
  const accepted = new Map<string, Answer<Claims>>();
  // Apart, so that tokens which somebody makes up do not drive out what is known of those that are valid.
  const refused = new Map<string, Answer<Claims>>();
  const open = new Map<string, Promise<VerifiedToken<Claims> | undefined>>();
  const ask = questioner(options);
  const keep = (key: string, caller: VerifiedToken<Claims> | undefined): void => {
    const age = caller === undefined ? Math.min(ttlMs, TOKEN_LIMITS.refusalAge) : ttlMs;
    if (age === 0) return;
    const kept = caller === undefined ? refused : accepted;
    kept.delete(key);
    kept.set(key, { caller, until: Date.now() + age });
    if (kept.size > TOKEN_LIMITS.answers) kept.delete(kept.keys().next().value as string);
  };
  const verify = async (token: string): Promise<VerifiedToken<Claims> | undefined> => {
    const key = await digest(token);
    const known = [accepted.get(key), refused.get(key)].find((one) => one !== undefined && one.until > Date.now());
    if (known !== undefined) return isCurrent(known.caller) ? known.caller : undefined;
    const asked = open.get(key);
    if (asked !== undefined) return await asked;
    if (open.size >= TOKEN_LIMITS.questions) {
      throw new Error(`Introspection: ${TOKEN_LIMITS.questions} tokens are asked about already`);
    }
    const asking = ask(token).then((caller) => (keep(key, caller), caller)).finally(() => open.delete(key));
    open.set(key, asking);
    return await asking;
  };
  return async (token, _request, explain) => {
    const caller = await verify(token);
    if (caller === undefined) {
      explain?.("the authorization server does not call it active, from its issuer, and for this server and time");
    }
    return caller;
  };
}

/** Asks about one token. */
function questioner<Claims>(
  options: IntrospectionOptions<Claims>,
): (token: string) => Promise<VerifiedToken<Claims> | undefined> {
  const endpoint = String(options.endpoint);
  const { issuer, audience, claims, fetch } = options;
  const headers = {
    accept: "application/json",
    authorization: `Basic ${btoa(`${formEncoded(options.clientId)}:${formEncoded(options.clientSecret)}`)}`,
    "content-type": "application/x-www-form-urlencoded",
  };
  return async (token) => {
    const body = new URLSearchParams({ token, token_type_hint: "access_token" }).toString();
    const answer = await remoteJson(endpoint, fetch, { method: "POST", headers, body });
    // RFC 7662 § 2.2: what is not active may be anything.
    if (ownMember(answer, "active") !== true || !audienceOf(answer).includes(audience)) return undefined;
    const named = ownMember(answer, "iss");
    if (issuer !== undefined && named !== undefined && named !== issuer) return undefined;
    const caller = callerOf(typeof named === "string" ? named : issuer ?? endpoint, answer, claims);
    return isCurrent(caller) && hasBegun(answer) ? caller : undefined;
  };
}

function isCurrent(caller: VerifiedToken | undefined): boolean {
  return caller?.expiresAt === undefined || caller.expiresAt + TOKEN_LIMITS.clockSkew > Date.now() / 1000;
}

function hasBegun(answer: JsonObject): boolean {
  // What is no time has not come.
  const from = ownMember(answer, "nbf") ?? 0;
  return typeof from === "number" && from - TOKEN_LIMITS.clockSkew <= Date.now() / 1000;
}

/** Tokens are never kept, not even as keys. */
async function digest(token: string): Promise<string> {
  return encodeHex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
}

/** RFC 6749 § 2.3.1 and appendix B: id and secret are form-encoded before they are joined. */
function formEncoded(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}

function checkIntrospection<Claims>(options: IntrospectionOptions<Claims>): void {
  checkObject(options, "introspection");
  const known = ["endpoint", "clientId", "clientSecret", "audience", "issuer", "ttlMs", "claims", "fetch"];
  for (const key of Object.keys(options)) if (!known.includes(key)) throw new TypeError(`introspection.${key}: Unknown option`);
  checkAddress(String(options.endpoint), "introspection.endpoint");
  for (const key of ["clientId", "clientSecret", "audience"] as const) {
    if (typeof options[key] !== "string" || options[key] === "") {
      throw new TypeError(`introspection.${key}: Expected a non-empty string`);
    }
  }
  if (options.issuer !== undefined) checkIssuer(options.issuer, "introspection.issuer");
  if (options.ttlMs !== undefined && !(Number.isSafeInteger(options.ttlMs) && options.ttlMs >= 0)) {
    throw new TypeError("introspection.ttlMs: Expected an integer of at least 0 milliseconds");
  }
  if (options.claims !== undefined && typeof options.claims !== "function") {
    throw new TypeError("introspection.claims: Expected a function");
  }
}
