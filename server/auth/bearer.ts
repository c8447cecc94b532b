/** Lets callers in by their access token, or answers with a challenge. */
import type { AuthInfo } from "../../protocol/auth/auth_info.ts";
import type { Authenticator } from "../../protocol/auth/authenticator.ts";
import { saysYes } from "../../protocol/auth/says_yes.ts";
import { coversScopes, uniteScopes } from "../../protocol/auth/scopes.ts";
import { TOKEN_LIMITS } from "../../protocol/limits.ts";
import { refusalWarnings } from "./refusal_warnings.ts";
import type { Warn, WarnOfRefusal } from "./refusal_warnings.ts";
import { checkBearer } from "./bearer_options.ts";
import type { BearerOptions } from "./bearer_options.ts";
import { readCredentials } from "./credentials.ts";
import { PROOF_ALGORITHMS, proofChecker } from "./dpop.ts";
import type { ProofChecker } from "./dpop.ts";
import { publishMetadata } from "./metadata.ts";
import { createRefusals } from "./refusals.ts";
import type { Refusals } from "./refusals.ts";
import type { VerifiedToken } from "./token_verifier.ts";

/**
 * Bearer tokens, challenges, and the protected-resource metadata document (MCP 2026-07-28, Authorization; RFC 6750; RFC 9728).
 * Tokens come from the `Authorization` header alone. Each request is checked; nothing about a token is taken from other headers,
 * from the address or from the body, and no token is passed on: handlers see who calls (`ctx.auth`, `auth.of(ctx)`), not with what.
 *
 * A stream that lasts (`subscriptions/listen`, the GET stream of a session) ends when its token is not taken any more, by the end of
 * the body: its client opens it again with the next one. A call that was let in is answered.
 *
 * @example A server for callers with tokens
 * ```ts
 * import { defineServer, tool } from "@causeway/mcp/server";
 * import { bearer, jwt } from "@causeway/mcp/server/auth";
 *
 * const resource = "https://mcp.example.com/mcp";
 * const issuer = "https://login.example.com";
 * const auth = bearer({ resource, authorizationServers: [issuer], verify: jwt({ issuer, audience: resource }) });
 * const server = defineServer({
 *   name: "notes",
 *   version: "1.0.0",
 *   auth,
 *   tools: [tool({ name: "whoami", scopes: ["profile"], handler: (_args, ctx) => auth.of(ctx).principal })],
 * });
 * console.log((await server.fetch(new Request("http://localhost/mcp", { method: "POST" }))).status); // 401
 * ```
 *
 * @returns What `defineServer({ auth })` takes.
 * @throws {TypeError} For options that are wrong; the message begins with `bearer.` and the option.
 */
export function bearer<Claims>(options: BearerOptions<Claims>): Authenticator<Claims> {
  checkBearer(options);
  const { resource, scopes = [], covers = coversScopes, dpop = "off" } = options;
  const scopesSupported = uniteScopes(scopes, options.scopesSupported ?? []);
  const bound = dpop === "off"
    ? {}
    : { dpop_signing_alg_values_supported: PROOF_ALGORITHMS, dpop_bound_access_tokens_required: dpop === "required" };
  const metadata = publishMetadata({
    resource,
    authorization_servers: options.authorizationServers,
    scopes_supported: scopesSupported.length === 0 ? undefined : scopesSupported,
    resource_name: options.name,
    resource_documentation: options.documentation,
    ...bound,
  });
  const refusals = createRefusals({ resourceMetadata: metadata.url, scopes, dpop, algorithms: PROOF_ALGORITHMS });
  const gate: Gate<Claims> = { options, refusals, proves: proofChecker(resource), tell: refusalWarnings() };
  return Object.freeze({
    authenticate: (request: Request, warn?: Warn) => admit(request, gate, warn),
    of: (ctx: { readonly auth: AuthInfo | undefined }): AuthInfo<Claims> => {
      if (ctx.auth === undefined) throw new TypeError("auth.of: The request has no verified caller");
      return ctx.auth as AuthInfo<Claims>;
    },
    metadata: metadata.answer,
    covers,
    stepUp: (needed: readonly string[]) => refusals.stepUp(uniteScopes(scopes, needed)),
  });
}

interface Gate<Claims> {
  readonly options: BearerOptions<Claims>;
  readonly refusals: Refusals;
  readonly proves: ProofChecker;
  readonly tell: WarnOfRefusal;
}

/** Token, then proof, then scopes: a token that counts for nothing must not lead to a request for more scopes. */
async function admit<Claims>(request: Request, gate: Gate<Claims>, warn?: Warn): Promise<AuthInfo<Claims> | Response> {
  const { options, refusals, proves, tell } = gate;
  const { dpop = "off", scopes = [], covers = coversScopes, resource } = options;
  const credentials = readCredentials(request.headers.get("Authorization"));
  // Every client asks once without a token, to find out where to get one: of that nobody is told.
  if (credentials.kind === "none") return refusals.missing();
  if (credentials.kind === "malformed") {
    tell(warn, "header", credentials.fault);
    return refusals.malformed(credentials.fault);
  }
  const { scheme, token } = credentials;
  if (scheme === "dpop" && dpop === "off") {
    tell(warn, "token", "it came with the scheme DPoP, which is not taken here (bearer.dpop)");
    return refusals.missing();
  }
  const invalid = (why: string): Response => {
    tell(warn, "token", why);
    return refusals.invalid(scheme);
  };
  if (scheme === "bearer" && dpop === "required") return invalid("it came without a proof (bearer.dpop)");
  let why = "bearer.verify does not take it";
  const found = await options.verify(token, request, (given) => {
    why = String(given).replaceAll(token, "***");
  }, warn);
  if (found === undefined) return invalid(why);
  const { principal, clientId, expiresAt, claims, keyThumbprint } = checked(found);
  if (!isForUs(found, resource)) return invalid("it was issued for another server (bearer.resource)");
  if (isOver(expiresAt)) return invalid("it is over");
  // A token that is bound to a key is worth nothing without the key, and the scheme says which kind a token is (RFC 9449 § 7.1).
  if ((keyThumbprint !== undefined) !== (scheme === "dpop")) {
    return invalid(`it is ${keyThumbprint === undefined ? "not " : ""}bound to a key, and came with the other scheme`);
  }
  if (keyThumbprint !== undefined && !await proves(request, token, keyThumbprint)) {
    tell(warn, "proof", "it is missing, or not valid for this request");
    return refusals.proof();
  }
  if (scopes.length > 0 && !saysYes(covers(found.scopes, scopes))) {
    tell(warn, "scopes", `the token lacks some of ${scopes.join(" ")} (bearer.scopes)`);
    return refusals.scope(scheme);
  }
  return Object.freeze({ principal, clientId, scopes: Object.freeze([...found.scopes]), expiresAt, claims });
}

/** A verifier of the application's own may be wrong; nobody is let in then. */
function checked<Claims>(found: VerifiedToken<Claims>): VerifiedToken<Claims> {
  if (typeof found !== "object" || found === null || typeof found.principal !== "string" || found.principal === "") {
    throw new TypeError("bearer.verify: Expected undefined, or a caller with a principal");
  }
  if (!Array.isArray(found.scopes)) throw new TypeError("bearer.verify: Expected the scopes of the caller to be a list");
  const { expiresAt } = found;
  // Compared with the clock, what is not a number would never be over.
  if (expiresAt !== undefined && (typeof expiresAt !== "number" || Number.isNaN(expiresAt))) {
    throw new TypeError("bearer.verify: Expected expiresAt to be a number of seconds since 1970");
  }
  return found;
}

function isForUs({ audience }: VerifiedToken, resource: string): boolean {
  if (audience === undefined) return true;
  return typeof audience === "string" ? audience === resource : audience.includes(resource);
}

function isOver(expiresAt: number | undefined): boolean {
  return expiresAt !== undefined && expiresAt + TOKEN_LIMITS.clockSkew <= Date.now() / 1000;
}
