/** Machine to machine: the client gets tokens in its own name (extension `oauth-client-credentials`; RFC 6749 § 4.4). */
import { clientCredentialsGrantRequest } from "oauth4webapi";
import { readScopes } from "../../protocol/auth/scopes.ts";
import type { AuthProvider } from "../authorized_fetch.ts";
import { checkAuthentication } from "./client_authentication.ts";
import type { ClientAuthentication } from "./client_authentication.ts";
import { checkFlowOptions } from "./flow_options.ts";
import type { FlowOptions } from "./flow_options.ts";
import type { IssuerOptions } from "./issuer_binding.ts";
import { machineProvider } from "./machine_flow.ts";
import { tokenParameters } from "./token_answer.ts";

/** Options of the client credentials flow. */
export interface ClientCredentialsOptions extends FlowOptions, IssuerOptions {
  /** The client's identifier at the authorization server. */
  readonly clientId: string;
  /** How it proves who it is. */
  readonly authentication: ClientAuthentication;
  /** Scopes that are asked for in any case, separated by spaces. */
  readonly scope?: string | undefined;
}

/**
 * Machine to machine: no person takes part.
 *
 * ```ts
 * import { clientCredentials } from "@causeway/mcp/client/auth";
 *
 * const auth = clientCredentials({
 *   clientId: "nightly-report",
 *   issuer: "https://login.example.com",
 *   authentication: { method: "client_secret_basic", secret: "from your vault" },
 * });
 * // const client = await connect("https://mcp.example.com/mcp", { auth });
 * ```
 *
 * @throws {TypeError} For malformed options, and without `issuer`.
 */
export function clientCredentials(options: ClientCredentialsOptions): AuthProvider {
  checkFlowOptions(options, "clientCredentials", ["clientId", "authentication", "scope", "issuer", "trustAnnouncedIssuer"]);
  const { clientId: id, issuer, trustAnnouncedIssuer, authentication } = options;
  checkAuthentication(authentication, "clientCredentials.authentication");
  return machineProvider({
    path: "clientCredentials",
    options,
    client: { id, issuer, trustAnnouncedIssuer },
    scopes: readScopes(options.scope),
    authentication,
    request: ({ discovered: { resource } }, scopes) => (as, client, auth, more) =>
      clientCredentialsGrantRequest(as, client, auth, tokenParameters(resource, scopes), more),
  });
}
