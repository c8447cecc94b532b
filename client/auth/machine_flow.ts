/** What flows without a person have in common: one token request, in the name of a client that belongs to one issuer. */
import type { AuthProvider } from "../authorized_fetch.ts";
import type { Awaitable } from "../../protocol/types.ts";
import type { ClientAuthentication } from "./client_authentication.ts";
import type { FlowOptions } from "./flow_options.ts";
import type { GrantSession } from "./grant.ts";
import { bindIssuer, boundIssuer, checkIssuerOptions } from "./issuer_binding.ts";
import type { IssuerOptions } from "./issuer_binding.ts";
import { flowProvider } from "./provider.ts";
import { tokenSet } from "./token_answer.ts";
import { requestTokens } from "./token_endpoint.ts";
import type { TokenRequest } from "./token_endpoint.ts";

/** One flow without a person. */
export interface MachineFlow {
  /** What its options are called in errors. */
  readonly path: string;
  /** Its options. */
  readonly options: FlowOptions;
  /** The client, and the issuer that it belongs to. */
  readonly client: IssuerOptions & { readonly id: string };
  /** How the client proves who it is. */
  readonly authentication: ClientAuthentication;
  /** Scopes that are asked for in any case. */
  readonly scopes: readonly string[];
  /** Makes the token request. */
  readonly request: (session: GrantSession, scopes: readonly string[]) => Awaitable<TokenRequest["grant"]>;
}

/**
 * Makes the provider of such a flow. Tokens are asked for anew when they end; a refusal is final.
 *
 * @throws {TypeError} For malformed options.
 */
export function machineProvider({ path, options, client, authentication, scopes, request }: MachineFlow): AuthProvider {
  if (typeof client.id !== "string") throw new TypeError(`${path}.clientId: Expected a text`);
  checkIssuerOptions(client, path);
  return flowProvider(
    {
      identity: `${path} ${client.id}`,
      interactive: false,
      stepsUp: true,
      scopes,
      issuer: (store) => boundIssuer(store, client),
      obtain: async (session, wanted) => {
        await bindIssuer(session, client);
        const { http, discovered: { server }, proofs, signal } = session;
        const grant = await request(session, wanted);
        const outcome = await requestTokens({ http, server, client: { id: client.id, authentication }, proofs, signal, grant });
        if (!outcome.ok) throw outcome.error;
        return { ...tokenSet(outcome.answer, session, client.id, wanted), refreshToken: undefined };
      },
    },
    options,
    path,
  );
}
