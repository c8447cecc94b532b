/** Enterprise-managed authorization: the company's identity provider decides (extension `enterprise-managed-authorization`). */
import { genericTokenEndpointRequest } from "oauth4webapi";
import type { ServerMetadata } from "../../protocol/auth/metadata.ts";
import { readScopes } from "../../protocol/auth/scopes.ts";
import { transportFault } from "../../protocol/auth/transport_fault.ts";
import { AuthorizationError } from "../../protocol/errors.ts";
import type { Awaitable } from "../../protocol/types.ts";
import { checkObject, checkOptionNames } from "../../protocol/unknown_option.ts";
import type { AuthProvider } from "../authorized_fetch.ts";
import { authHttp } from "./auth_http.ts";
import { checkAuthentication } from "./client_authentication.ts";
import type { ClientAuthentication } from "./client_authentication.ts";
import { discoverServer } from "./discovery.ts";
import { checkFlowOptions } from "./flow_options.ts";
import type { FlowOptions } from "./flow_options.ts";
import type { GrantSession } from "./grant.ts";
import { ID_JAG, ID_JAG_PROFILE, ID_TOKEN, JWT_BEARER, TOKEN_EXCHANGE } from "./grant_types.ts";
import { checkIssuer } from "./issuer_binding.ts";
import type { IssuerOptions } from "./issuer_binding.ts";
import { machineProvider } from "./machine_flow.ts";
import { tokenParameters } from "./token_answer.ts";
import { requestTokens } from "./token_endpoint.ts";
import { beginTrace } from "./trace.ts";

/** Options of the enterprise-managed flow. */
export interface EnterpriseManagedOptions extends FlowOptions, IssuerOptions {
  /** The client's identifier at the MCP server's authorization server. */
  readonly clientId: string;
  /** How it proves who it is there; not at all by default. */
  readonly authentication?: ClientAuthentication | undefined;
  /** Scopes that are asked for in any case, separated by spaces. */
  readonly scope?: string | undefined;
  /** For authorization servers that take identity assertions and do not announce it. Off by default. */
  readonly allowUnannounced?: boolean | undefined;
  /** The company's identity provider. */
  readonly idp: {
    /** Its issuer. */
    readonly issuer: string;
    /** Where it exchanges tokens; from its metadata by default. */
    readonly tokenEndpoint?: string | undefined;
    /** The client's identifier there. */
    readonly clientId: string;
    /** How the client proves who it is there; not at all by default. */
    readonly authentication?: ClientAuthentication | undefined;
    /** Gives the id token of the person who has signed in. */
    readonly idToken: () => Awaitable<string>;
  };
}

/**
 * Exchanges the id token of a person for an identity assertion at the identity provider, and that for a token at the MCP server's
 * authorization server. Nobody is asked, and a refusal is final.
 *
 * @throws {TypeError} For malformed options, without `issuer`, and for an `idp` whose addresses are not https (nor, where
 * `allowInsecureLoopback` is on, http on a loopback host) or whose issuer has a query or a fragment.
 */
export function enterpriseManaged(options: EnterpriseManagedOptions): AuthProvider {
  checkFlowOptions(options, "enterpriseManaged", OWN);
  const { clientId: id, issuer, trustAnnouncedIssuer, authentication = { method: "none" }, idp } = options;
  checkAuthentication(authentication, "enterpriseManaged.authentication");
  checkAuthentication(idp?.authentication, "enterpriseManaged.idp.authentication");
  checkProvider(idp, options);
  return machineProvider({
    path: "enterpriseManaged",
    options,
    client: { id, issuer, trustAnnouncedIssuer },
    authentication,
    scopes: readScopes(options.scope),
    request: async (session, scopes) => {
      checkAnnounced(session, options);
      const assertion = await exchangeIdentity(session, scopes, options);
      const parameters = tokenParameters(session.discovered.resource, scopes, { assertion });
      return (as, client, auth, more) => genericTokenEndpointRequest(as, client, auth, JWT_BEARER, parameters, more);
    },
  });
}

/** The id token goes to no address that is not safe for it (OAuth 2.1 § 1.5). */
function checkProvider(idp: EnterpriseManagedOptions["idp"], { allowInsecureLoopback = false }: FlowOptions): void {
  const path = "enterpriseManaged.idp";
  checkObject(idp, path);
  checkOptionNames(idp, IDP, `${path}.`);
  if (typeof idp.clientId !== "string") throw new TypeError(`${path}.clientId: Expected a text`);
  if (typeof idp.idToken !== "function") throw new TypeError(`${path}.idToken: Expected a function`);
  checkIssuer(idp.issuer, `${path}.issuer`);
  for (const name of ["issuer", "tokenEndpoint"] as const) {
    const address = idp[name];
    if (address === undefined) continue;
    if (!URL.canParse(address)) throw new TypeError(`${path}.${name}: Expected an absolute URL`);
    const fault = transportFault(new URL(address), allowInsecureLoopback);
    if (fault !== undefined) throw new TypeError(`${path}.${name}: Expected an https URL, but ${fault}`);
  }
}

const IDP: ReadonlySet<string> = new Set(["issuer", "tokenEndpoint", "clientId", "authentication", "idToken"]);

const OWN = ["clientId", "authentication", "scope", "allowUnannounced", "idp", "issuer", "trustAnnouncedIssuer"] as const;

function checkAnnounced({ discovered: { server, trace } }: GrantSession, { allowUnannounced }: EnterpriseManagedOptions): void {
  const { authorization_grant_profiles_supported: profiles, grant_types_supported: grants } = server;
  if (allowUnannounced === true || profiles?.includes(ID_JAG_PROFILE) === true || grants?.includes(JWT_BEARER) === true) return;
  const found = "it does not announce that it takes identity assertions (allowUnannounced goes on all the same)";
  throw trace.error("discovery_failed", `Asking ${server.issuer} for a token: ${found}`);
}

/** The identity assertion for the MCP server's authorization server (RFC 8693 § 2). */
async function exchangeIdentity(
  { http: { endpoint, waits }, signal, discovered: { resource, server } }: GrantSession,
  scopes: readonly string[],
  options: EnterpriseManagedOptions,
): Promise<string> {
  const { idp } = options;
  // The program names it, not the server, so it may stand in the company's own network.
  const http = authHttp(endpoint, { ...options, allowPrivateNetwork: true }, waits);
  const parameters = tokenParameters(resource, scopes, {
    requested_token_type: ID_JAG,
    audience: server.issuer,
    subject_token: await idp.idToken(),
    subject_token_type: ID_TOKEN,
  });
  const outcome = await requestTokens({
    http,
    server: await identityProvider(http, options, signal),
    client: { id: idp.clientId, authentication: idp.authentication ?? { method: "none" } },
    proofs: undefined,
    signal,
    // It is not an access token, so it has no type of one (RFC 8693 § 2.2.1).
    tokenTypes: ["n_a"],
    grant: (as, client, auth, more) => genericTokenEndpointRequest(as, client, auth, TOKEN_EXCHANGE, parameters, more),
  });
  if (!outcome.ok) throw outcome.error;
  const { access_token: assertion, issued_token_type: issued, token_type: type } = outcome.answer;
  if (issued === ID_JAG && type === "n_a") return assertion;
  throw new AuthorizationError("token_request_failed", "Asking the identity provider: it gave another kind of token");
}

async function identityProvider(
  http: GrantSession["http"],
  { idp: { issuer, tokenEndpoint }, allowIssuerTrailingSlash = false }: EnterpriseManagedOptions,
  signal: AbortSignal,
): Promise<Pick<ServerMetadata, "issuer" | "token_endpoint">> {
  if (tokenEndpoint !== undefined) return { issuer, token_endpoint: tokenEndpoint };
  return await discoverServer(issuer, { http, allowIssuerTrailingSlash, signal }, beginTrace());
}
