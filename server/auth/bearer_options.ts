/** What a protected server is defined with, and its check. */
import { uniteScopes } from "../../protocol/auth/scopes.ts";
import { checkObject } from "../../protocol/unknown_option.ts";
import type { DpopMode } from "./refusals.ts";
import { checkAddress, checkIssuer } from "./secure_url.ts";
import type { TokenVerifier } from "./token_verifier.ts";

/** Options of `bearer()`. */
export interface BearerOptions<Claims> {
  /** Checks tokens: `jwt()`, `introspection()`, or a function of your own. */
  readonly verify: TokenVerifier<Claims>;
  /**
   * The identifier of this server (RFC 8707), usually its public address such as `https://example.com/mcp`; tokens for another
   * audience are refused. It is published and compared character by character.
   */
  readonly resource: string;
  /** The issuers of the tokens, at least one; clients find them in the metadata. */
  readonly authorizationServers: readonly string[];
  /** Scopes every call needs. Those of single tools, resources and prompts stand there. */
  readonly scopes?: readonly string[] | undefined;
  /** Scopes that the metadata lists beside those that every call needs, so that clients ask for them at once. */
  readonly scopesSupported?: readonly string[] | undefined;
  /**
   * Does what a caller was granted cover what is needed? For scopes that imply others (MCP 2026-07-28, Authorization § Step-Up
   * Authorization Flow). By default every scope must have been granted by its name.
   */
  readonly covers?: ((granted: readonly string[], needed: readonly string[]) => boolean) | undefined;
  /**
   * Tokens that are bound to a key (RFC 9449): refused by default ("off"), taken with a proof beside other ones ("allowed"), or
   * the only ones that are taken ("required").
   */
  readonly dpop?: DpopMode | undefined;
  /** The name of this server in its metadata, for people. */
  readonly name?: string | undefined;
  /** A page for developers, named in the metadata. */
  readonly documentation?: string | undefined;
}

const KNOWN: readonly string[] = [
  "verify",
  "resource",
  "authorizationServers",
  "scopes",
  "scopesSupported",
  "covers",
  "dpop",
  "name",
  "documentation",
];

/**
 * Checks the options of `bearer()`.
 *
 * @throws {TypeError} Naming the option and the rule.
 */
export function checkBearer<Claims>(options: BearerOptions<Claims>): void {
  checkObject(options, "bearer");
  for (const key of Object.keys(options)) if (!KNOWN.includes(key)) throw new TypeError(`bearer.${key}: Unknown option`);
  const { verify, resource, authorizationServers, covers, dpop } = options;
  if (typeof verify !== "function") throw new TypeError("bearer.verify: Expected a function");
  checkAddress(resource, "bearer.resource");
  if (!Array.isArray(authorizationServers) || authorizationServers.length === 0) {
    throw new TypeError("bearer.authorizationServers: Expected a list of at least one issuer");
  }
  authorizationServers.forEach((issuer, at) => checkIssuer(issuer, `bearer.authorizationServers[${at}]`));
  checkScopeList(options.scopes, "bearer.scopes");
  checkScopeList(options.scopesSupported, "bearer.scopesSupported");
  if (covers !== undefined && typeof covers !== "function") throw new TypeError("bearer.covers: Expected a function");
  if (dpop !== undefined && dpop !== "off" && dpop !== "allowed" && dpop !== "required") {
    throw new TypeError('bearer.dpop: Expected "off", "allowed" or "required"');
  }
  for (const key of ["name", "documentation"] as const) {
    if (options[key] !== undefined && typeof options[key] !== "string") throw new TypeError(`bearer.${key}: Expected a string`);
  }
}

/** Scopes of a server, which never ask for `offline_access` (MCP 2026-07-28, Authorization § Refresh Tokens). */
function checkScopeList(scopes: readonly string[] | undefined, path: string): void {
  if (scopes === undefined) return;
  if (!Array.isArray(scopes) || scopes.some((one) => typeof one !== "string") || uniteScopes(scopes).length !== scopes.length) {
    throw new TypeError(`${path}: Expected a list of scopes, each once, without blanks, quotes and backslashes (RFC 6749 § 3.3)`);
  }
  if (scopes.includes("offline_access")) {
    throw new TypeError(`${path}: offline_access is not a scope of a server, whether to ask for it is the client's choice`);
  }
}
