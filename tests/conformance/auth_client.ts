/**
 * The client under test for authorization: does what `MCP_CONFORMANCE_SCENARIO` asks for at the URL given as last argument. The
 * person's browser is a request whose redirect is not followed.
 */
import { AuthorizationError, connect } from "@causeway/mcp/client";
import {
  type AuthProvider,
  clientCredentials,
  enterpriseManaged,
  oauth,
  type OAuthOptions,
  workloadIdentity,
} from "@causeway/mcp/client/auth";

/** What the suite gives along as JSON. */
export type Facts = Readonly<Record<string, string>>;

/** A scenario: how it authorizes, and how many calls it makes. */
interface Scenario {
  readonly auth: (facts: Facts) => AuthProvider;
  readonly calls?: number;
  readonly refused?: boolean;
}

const LOCAL = { allowInsecureLoopback: true } as const;
/** The machine scenarios tell of no issuer: the one that the suite's server names is the one. */
const MACHINE = { ...LOCAL, trustAnnouncedIssuer: true } as const;
const CLIENT_METADATA = "https://conformance-test.local/client-metadata.json";

const SCENARIOS: ReadonlyMap<string, Scenario> = new Map<string, Scenario>([
  ...[
    "metadata-default",
    "metadata-var1",
    "metadata-var2",
    "metadata-var3",
    "basic-cimd",
    "scope-from-www-authenticate",
    "scope-from-scopes-supported",
    "scope-omitted-when-undefined",
    "scope-step-up",
    "token-endpoint-auth-basic",
    "token-endpoint-auth-post",
    "token-endpoint-auth-none",
    "2025-03-26-oauth-metadata-backcompat",
    "2025-03-26-oauth-endpoint-fallback",
    "offline-access-scope",
    "offline-access-not-supported",
    "iss-supported",
    "iss-not-advertised",
  ].map((name) => [name, { auth: () => browser() }] as const),
  ...[
    "scope-retry-limit",
    "resource-mismatch",
    "iss-supported-missing",
    "iss-wrong-issuer",
    "iss-unexpected",
    "iss-normalized",
    "metadata-issuer-mismatch",
  ].map((name) => [name, { auth: () => browser(), refused: true }] as const),
  ["authorization-server-migration", { auth: () => browser(), calls: 3 }],
  ["pre-registration", {
    auth: ({ client_id: id = "", client_secret: secret = "", issuer }) =>
      browser({ client: { id, authentication: { method: "client_secret_basic", secret }, issuer } }),
  }],
  ["dpop", { auth: () => browser({ dpop: true }) }],
  ["dpop-nonce", { auth: () => browser({ dpop: true }) }],
  ["client-credentials-basic", {
    auth: ({ client_id: clientId = "", client_secret: secret = "" }) =>
      clientCredentials({ ...MACHINE, clientId, authentication: { method: "client_secret_basic", secret } }),
  }],
  ["client-credentials-jwt", {
    auth: ({ client_id: clientId = "", private_key_pem: key = "", signing_algorithm: algorithm = "" }) =>
      clientCredentials({ ...MACHINE, clientId, authentication: { method: "private_key_jwt", key, algorithm } }),
  }],
  ["enterprise-managed-authorization", {
    auth: ({ client_id: clientId = "", client_secret: secret = "", ...idp }) =>
      enterpriseManaged({
        ...MACHINE,
        clientId,
        authentication: { method: "client_secret_basic", secret },
        idp: {
          issuer: idp.idp_issuer ?? "",
          tokenEndpoint: idp.idp_token_endpoint,
          clientId: idp.idp_client_id ?? "",
          idToken: () => idp.idp_id_token ?? "",
        },
      }),
  }],
  ["wif-jwt-bearer", {
    auth: ({ client_id: clientId = "", valid_jwt: jwt = "" }) => workloadIdentity({ ...MACHINE, clientId, assertion: () => jwt }),
  }],
]);

function browser(options: OAuthOptions = {}): AuthProvider {
  return oauth({
    clientName: "Conformance client",
    clientMetadataUrl: CLIENT_METADATA,
    redirectUri: "http://localhost:3000/callback",
    ...LOCAL,
    open: async (url) => {
      const response = await fetch(url, { redirect: "manual" });
      await response.body?.cancel();
      const location = response.headers.get("location");
      if (location === null) throw new Error(`The authorization page answered ${response.status} without a redirect`);
      return location;
    },
    ...options,
  });
}

/**
 * Runs a scenario of authorization.
 *
 * @param name With or without `auth/` before it.
 * @throws When the scenario is unknown, or fails where it should not.
 */
export async function runAuthScenario(name: string, url: string, facts: Facts): Promise<void> {
  const scenario = SCENARIOS.get(name.replace(/^auth\//, ""));
  if (scenario === undefined) throw new Error(`Unknown scenario "${name}"`);
  try {
    await using client = await connect(url, { auth: scenario.auth(facts) });
    await client.listTools();
    for (let call = 0; call < (scenario.calls ?? 1); call++) await client.callTool("test-tool");
  } catch (error) {
    if (scenario.refused !== true || !(error instanceof AuthorizationError)) throw error;
  }
}

if (import.meta.main) {
  const facts = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}") as Facts;
  await runAuthScenario(Deno.env.get("MCP_CONFORMANCE_SCENARIO") ?? "", Deno.args.at(-1) ?? "", facts);
}
