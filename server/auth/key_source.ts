/** The keys of an issuer: fetched when they are needed, kept, renewed, and never fetched as often as a stranger likes. */
import { createLocalJWKSet } from "jose";
import type { JSONWebKeySet } from "jose";
import { serverMetadataUrls } from "../../protocol/auth/metadata.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { TOKEN_LIMITS } from "../../protocol/limits.ts";
import type { Warn } from "./refusal_warnings.ts";
import { remoteJson } from "./remote_json.ts";
import type { Fetch } from "./remote_json.ts";
import { addressFault } from "./secure_url.ts";

/** Keys to choose from. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

/** The keys of an issuer. */
export interface IssuerKeys {
  /** Those that count. */
  readonly set: KeySet;
  /** How many the issuer publishes; only the first ones count. */
  readonly published: number;
}

/**
 * The keys that a token with this key id is checked with. `warn` is told, once for each renewal that fails, where those of before
 * serve on.
 *
 * @throws {Error} When the keys cannot be had.
 */
export type KeySource = (kid: string | undefined, warn?: Warn) => Promise<IssuerKeys>;

/** Where keys come from. */
export interface KeySourceOptions {
  /** Whose keys. */
  readonly issuer: string;
  /** Where they are; found in the issuer's metadata when undefined. */
  readonly jwks: string | undefined;
  /** Sends requests; the platform's `fetch` when undefined. */
  readonly fetch: Fetch | undefined;
}

interface HeldKeys extends IssuerKeys {
  readonly ids: ReadonlySet<string>;
  readonly since: number;
}

/**
 * Makes a source of keys. One request at a time; a key id that is not known leads to a request only when the last one is long
 * enough ago, and a failed request is not repeated at once. When keys that are old cannot be renewed they serve a while longer, and
 * after the first failure nobody waits for it.
 */
export function keySource(options: KeySourceOptions): KeySource {
  let held: HeldKeys | undefined;
  let triedAt = -Infinity;
  let failure: unknown;
  let pending: Promise<void> | undefined;
  const load = async (warn: Warn | undefined): Promise<void> => {
    try {
      held = await fetchKeys(options);
      failure = undefined;
    } catch (error) {
      failure = error;
      // Without keys that serve, every caller's request tells of it.
      if (warn !== undefined && held !== undefined && isKept(held)) warn(notRenewed(options.issuer, held, error));
    } finally {
      triedAt = Date.now();
      pending = undefined;
    }
  };
  const renew = (warn: Warn | undefined): Promise<void> => pending ??= load(warn);
  return async (kid, warn) => {
    const { keyAge, keyCooldown, keyRetry } = TOKEN_LIMITS;
    const now = Date.now();
    const isFresh = held !== undefined && now - held.since < keyAge;
    const isKnown = held !== undefined && (kid === undefined || held.ids.has(kid));
    const pause = failure === undefined ? isFresh ? keyCooldown : 0 : keyRetry;
    if ((!isFresh || !isKnown) && (pending !== undefined || now - triedAt >= pause)) {
      const renewing = renew(warn);
      // Callers whose key is there need not wait again for an issuer that did not answer the last time.
      const servesOn = failure !== undefined && held !== undefined && isKnown && isKept(held, now);
      if (!servesOn) await renewing;
    }
    if (held !== undefined && isKept(held)) return held;
    throw failure;
  };
}

/** May they serve although they can not be renewed? */
function isKept({ since }: HeldKeys, now = Date.now()): boolean {
  return now - since < TOKEN_LIMITS.staleKeyAge;
}

function notRenewed(issuer: string, { since }: HeldKeys, error: unknown): Error {
  const left = Math.ceil((since + TOKEN_LIMITS.staleKeyAge - Date.now()) / 1000);
  const why = error instanceof Error ? error.message : "the request failed";
  return new Error(`Renewing the keys of ${issuer}: ${why}. The earlier ones serve on for ${left} s at most`, { cause: error });
}

async function fetchKeys({ issuer, jwks, fetch }: KeySourceOptions): Promise<HeldKeys> {
  const document = await remoteJson(jwks ?? await findKeys(issuer, fetch), fetch, { headers: { accept: "application/json" } });
  const listed = ownMember(document, "keys");
  if (!Array.isArray(listed)) throw new Error(`The keys of ${issuer}: the answer has no list of keys`);
  const keys = listed.filter(isJsonObject).slice(0, TOKEN_LIMITS.keys);
  const ids = new Set(keys.map((key) => ownMember(key, "kid")).filter((kid): kid is string => typeof kid === "string"));
  const set = createLocalJWKSet({ keys } as unknown as JSONWebKeySet);
  return { set, published: listed.length, ids, since: Date.now() };
}

/** `jwks_uri` of the metadata whose issuer is identical (RFC 8414 § 3.3). */
async function findKeys(issuer: string, fetch: Fetch | undefined): Promise<string> {
  const faults: string[] = [];
  for (const url of serverMetadataUrls(issuer)) {
    let document: JsonObject;
    try {
      document = await remoteJson(url, fetch, { headers: { accept: "application/json" } });
    } catch (error) {
      faults.push((error as Error).message);
      continue;
    }
    const uri = ownMember(document, "jwks_uri");
    if (ownMember(document, "issuer") !== issuer) faults.push(`GET ${url}: the metadata is that of another issuer`);
    else if (typeof uri !== "string") faults.push(`GET ${url}: the metadata has no jwks_uri`);
    else if (addressFault(uri) !== undefined) faults.push(`GET ${url}: jwks_uri is not as it must be. ${addressFault(uri)}`);
    else return uri;
  }
  throw new Error(`The keys of ${issuer} were not found. ${faults.join("; ")}`);
}
