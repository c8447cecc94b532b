/** Workload identity: a JWT of the platform is the grant (extension `auth/wif`; RFC 7523 § 2.1). */
import { genericTokenEndpointRequest } from "oauth4webapi";
import { readScopes } from "../../protocol/auth/scopes.ts";
import type { Awaitable } from "../../protocol/types.ts";
import type { AuthProvider } from "../authorized_fetch.ts";
import { checkFlowOptions } from "./flow_options.ts";
import type { FlowOptions } from "./flow_options.ts";
import { JWT_BEARER } from "./grant_types.ts";
import type { IssuerOptions } from "./issuer_binding.ts";
import { machineProvider } from "./machine_flow.ts";
import { tokenParameters } from "./token_answer.ts";

/** Options of the workload identity flow. */
export interface WorkloadIdentityOptions extends FlowOptions, IssuerOptions {
  /** Gives the platform's JWT. It is asked for every token request, so that no JWT is sent twice. */
  readonly assertion: (
    info: { readonly issuer: string; readonly tokenEndpoint: string | undefined; readonly signal: AbortSignal },
  ) => Awaitable<string>;
  /** The client's identifier, where the authorization server wants one. */
  readonly clientId?: string | undefined;
  /** Scopes that are asked for in any case, separated by spaces. */
  readonly scope?: string | undefined;
}

/**
 * Exchanges a JWT of the platform for a token. Any refusal ends the attempt: the same JWT is never sent again, and no other grant is
 * tried.
 *
 * @throws {TypeError} For malformed options, and without `issuer`.
 */
export function workloadIdentity(options: WorkloadIdentityOptions): AuthProvider {
  checkFlowOptions(options, "workloadIdentity", ["assertion", "clientId", "scope", "issuer", "trustAnnouncedIssuer"]);
  const { assertion, clientId, issuer, trustAnnouncedIssuer } = options;
  if (typeof assertion !== "function") throw new TypeError("workloadIdentity.assertion: Expected a function");
  return machineProvider({
    path: "workloadIdentity",
    options,
    client: { id: clientId ?? "workload", issuer, trustAnnouncedIssuer },
    authentication: { method: "none" },
    scopes: readScopes(options.scope),
    request: async ({ discovered: { resource, server }, signal }, scopes) => {
      const jwt = await assertion({ issuer: server.issuer, tokenEndpoint: server.token_endpoint, signal });
      const parameters = tokenParameters(resource, scopes, { assertion: jwt });
      // The text of the extension asks for no client, so one is named only when there is one.
      return (as, client, auth, more) =>
        genericTokenEndpointRequest(as, client, clientId === undefined ? () => undefined : auth, JWT_BEARER, parameters, more);
    },
  });
}
