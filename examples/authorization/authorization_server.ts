/** An authorization server on a free port of 127.0.0.1, made of `oidc-provider`. Everything it knows is gone when it ends. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
// @ts-types="./oidc_provider.d.ts"
import Provider, { errors } from "oidc-provider";
import { interact } from "./interaction.ts";
import { memory } from "./memory.ts";

/** How the server is set up. */
export interface AuthorizationServerOptions {
  /** Names and passwords. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Seconds an access token lasts; 300 by default. */
  readonly lifetime?: number | undefined;
  /** Told of every request, as in `POST /token`. */
  readonly onRequest?: ((line: string) => void) | undefined;
  /**
   * Fetches the metadata documents of clients. Without it only clients that register are taken: a `fetch` for addresses that
   * strangers name has to keep away from private networks.
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A running authorization server. */
export interface AuthorizationServer {
  /** Its identifier. */
  readonly issuer: string;
  /** Makes known a resource that tokens may be asked for, and its scopes with what each allows, in words. */
  protect(resource: string, scopes: Readonly<Record<string, string>>): void;
  /** Ends it. */
  close(): Promise<void>;
}

/** Starts the server. */
export async function startAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { accounts, onRequest } = options;
  const resources = new Map<string, Readonly<Record<string, string>>>();
  const words = new Map([["offline_access", "Stay signed in until you take it back"]]);
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, await configuration(options, resources));
  const interaction = {
    provider,
    signIn: (account: string, password: string) => Object.hasOwn(accounts, account) && accounts[account] === password,
    describe: (scope: string) => words.get(scope) ?? scope,
  };
  const answer = provider.callback();
  http.on("request", (request, response) => {
    const { pathname } = new URL(request.url ?? "/", issuer);
    onRequest?.(`${request.method} ${pathname}`);
    if (!pathname.startsWith("/interaction/")) return answer(request, response);
    interact(request, response, interaction).catch(() => response.destroy());
  });
  return {
    issuer,
    protect(resource, scopes) {
      resources.set(resource, scopes);
      for (const [scope, text] of Object.entries(scopes)) words.set(scope, text);
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

type Resources = ReadonlyMap<string, Readonly<Record<string, string>>>;

async function configuration(
  { lifetime = 300, fetch }: AuthorizationServerOptions,
  resources: Resources,
): Promise<object> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const day = 24 * 60 * 60;
  return {
    adapter: memory(),
    jwks: { keys: [{ ...await exportJWK(privateKey), alg: "ES256", use: "sig", kid: crypto.randomUUID() }] },
    cookies: { keys: [crypto.randomUUID()] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    scopes: ["offline_access"],
    // Which account a token is for; a real server would look it up.
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    // RFC 7636: for every client. RFC 9700 § 4.14: a refresh token serves once; when it is seen again all of its kin end.
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: { AccessToken: lifetime, AuthorizationCode: 60, Grant: day, Interaction: 600, RefreshToken: day, Session: day },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: () => true },
      // RFC 7591, and client identifiers that are the address of a metadata document.
      registration: { enabled: true },
      clientIdMetadataDocument: { enabled: fetch !== undefined, ack: "draft-02" },
      resourceIndicators: resourceIndicators(resources, lifetime),
    },
    ...(fetch === undefined ? {} : { fetch }),
  };
}

/** RFC 8707: a token is for the one resource that it was asked for, and a JWT (RFC 9068) that this resource checks by itself. */
function resourceIndicators(resources: Resources, lifetime: number): object {
  return {
    enabled: true,
    getResourceServerInfo(_context: unknown, resource: string) {
      const scopes = resources.get(resource);
      if (scopes === undefined) throw new errors.InvalidTarget();
      return {
        audience: resource,
        scope: Object.keys(scopes).join(" "),
        accessTokenFormat: "jwt",
        accessTokenTTL: lifetime,
        jwt: { sign: { alg: "ES256" } },
      };
    },
  };
}
