/** The authorization code flow: a person allows the client what it asks for. */
import type { ServerMetadata } from "../../protocol/auth/metadata.ts";
import { readScopes, uniteScopes } from "../../protocol/auth/scopes.ts";
import { AuthorizationError } from "../../protocol/errors.ts";
import { AUTHORIZATION_LIMITS } from "../../protocol/limits.ts";
import { checkObject } from "../../protocol/unknown_option.ts";
import type { AuthProvider } from "../authorized_fetch.ts";
import { untilAborted } from "../waits/until_aborted.ts";
import { authorizationCodeGrantRequest, generateRandomState, refreshTokenGrantRequest } from "oauth4webapi";
import { addressFault } from "./addresses.ts";
import { readAuthorizationResponse } from "./authorization_response.ts";
import { checkAuthentication } from "./client_authentication.ts";
import { checkFlowOptions } from "./flow_options.ts";
import type { FlowOptions } from "./flow_options.ts";
import type { Grant, GrantSession } from "./grant.ts";
import { bindIssuer, boundIssuer, checkIssuerOptions } from "./issuer_binding.ts";
import { makeProofKey } from "./pkce.ts";
import { flowProvider } from "./provider.ts";
import { checkRedirectUri, openRedirectTarget } from "./redirect_target.ts";
import type { OpenPage, RedirectTarget } from "./redirect_target.ts";
import { forgetClient, knownClient, registerClient } from "./registration.ts";
import type { ClientOptions, RegisteredClient } from "./registration.ts";
import { tokenSet } from "./token_answer.ts";
import { requestTokens } from "./token_endpoint.ts";
import type { TokenOutcome } from "./token_endpoint.ts";
import type { TokenSet } from "./token_set.ts";

/** Options of the authorization code flow. */
export interface OAuthOptions extends FlowOptions, ClientOptions {
  /** Scopes that are asked for in any case, separated by spaces; by default those that the server names. */
  readonly scope?: string | undefined;
  /**
   * Whether `offline_access` is asked for where the authorization server lists it and other scopes are asked for, so that a refresh
   * token may come. On by default.
   */
  readonly offlineAccess?: boolean | undefined;
  /**
   * Shows the page; by default the browser is opened, for which Deno must allow `--allow-run=xdg-open` (on macOS `open`, on Windows
   * `rundll32`) and no variable of the environment. Returning a URL hands in the redirect; otherwise the loopback listener waits for
   * it, with `--allow-net=127.0.0.1`.
   */
  readonly open?: OpenPage | undefined;
  /** Where redirects go: https, or http on loopback. A free port of 127.0.0.1 by default. */
  readonly redirectUri?: string | URL | undefined;
  /** Milliseconds a person has; 300,000 by default. */
  readonly timeout?: number | undefined;
}

/**
 * Authorization code with PKCE, discovery, registration, refresh and step-up (MCP 2026-07-28, Authorization).
 *
 * ```ts
 * import { oauth } from "@causeway/mcp/client/auth";
 *
 * const auth = oauth({ clientName: "Example", open: (url) => console.log(`Please visit ${url}`) });
 * // const client = await connect("https://mcp.example.com/mcp", { auth });
 * ```
 *
 * @throws {TypeError} For a client with credentials and without their issuer, a client metadata URL that is not https with a path,
 * and a redirect that is neither https nor loopback.
 */
export function oauth(options: OAuthOptions = {}): AuthProvider {
  checkFlowOptions(options, "oauth", OWN);
  const { client, clientMetadataUrl, timeout } = options;
  if (client !== undefined) checkObject(client, "oauth.client");
  if (client !== undefined && (typeof client.id !== "string" || client.id === "")) {
    throw new TypeError("oauth.client.id: Expected a text that is not empty");
  }
  checkAuthentication(client?.authentication, "oauth.client.authentication");
  const isPublic = (client?.authentication?.method ?? "none") === "none";
  if (client !== undefined && (client.issuer !== undefined || !isPublic)) checkIssuerOptions(client, "oauth.client");
  checkAuthentication(options.clientMetadataAuthentication, "oauth.clientMetadataAuthentication");
  if (options.clientMetadataAuthentication?.method.startsWith("client_secret") === true) {
    throw new TypeError(
      "oauth.clientMetadataAuthentication.method: Expected private_key_jwt or none, since every server would get the secret",
    );
  }
  if (clientMetadataUrl !== undefined) checkMetadataUrl(clientMetadataUrl);
  if (timeout !== undefined && !(timeout > 0)) throw new TypeError("oauth.timeout: Expected milliseconds above 0");
  const redirectUri = checkRedirectUri(options.redirectUri, "oauth.redirectUri");
  return flowProvider(codeGrant(options, redirectUri), options, "oauth");
}

const OWN = [
  "client",
  "clientMetadataUrl",
  "clientMetadataAuthentication",
  "clientName",
  "scope",
  "offlineAccess",
  "open",
  "redirectUri",
  "timeout",
] as const satisfies readonly (keyof OAuthOptions)[];

/** MCP 2026-07-28, Client ID Metadata Documents § Implementation Requirements. */
function checkMetadataUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" && url.pathname !== "/" && url.hash === "" && url.username === "") return;
  throw new TypeError("oauth.clientMetadataUrl: Expected an https URL with a path");
}

function codeGrant(options: OAuthOptions, redirectUri: string | undefined): Grant {
  const { client } = options;
  return {
    identity: client?.id ?? options.clientMetadataUrl ?? "",
    interactive: true,
    stepsUp: true,
    scopes: readScopes(options.scope),
    issuer: (store) => client === undefined ? undefined : boundIssuer(store, client),
    obtain: (session, scopes) => obtain(session, scopes, options, redirectUri),
    refresh: (session, tokens) => refresh(session, tokens, options),
  };
}

async function obtain(
  session: GrantSession,
  wanted: readonly string[],
  options: OAuthOptions,
  redirectUri: string | undefined,
): Promise<TokenSet> {
  const { store, discovered: { server } } = session;
  checkServer(session);
  if (options.client !== undefined) await bindIssuer(session, options.client);
  const scopes = withOfflineAccess(wanted, server, options);
  for (let attempt = 0;; attempt++) {
    const { client, outcome } = await authorize(session, scopes, options, redirectUri);
    if (outcome.ok) return tokenSet(outcome.answer, session, client.id, scopes);
    const unknown = outcome.code === "invalid_client" || outcome.code === "unauthorized_client";
    if (!unknown || !client.dynamic || attempt > 0) throw outcome.error;
    await forgetClient(store, server.issuer, client.id);
  }
}

/** What has to hold before a person is sent anywhere (MCP 2026-07-28, Authorization Code Protection). */
function checkServer({ http, discovered: { server, assumed, trace } }: GrantSession): void {
  const { issuer, authorization_endpoint: page, token_endpoint: token, code_challenge_methods_supported: methods } = server;
  const attempt = `Asking ${issuer} for authorization`;
  if (page === undefined || !URL.canParse(page)) {
    throw trace.error("discovery_failed", `${attempt}: it has no authorization endpoint`);
  }
  if (token === undefined || !URL.canParse(token)) {
    throw trace.error("discovery_failed", `${attempt}: it has no token endpoint`);
  }
  // A person's consent is of no use where the code cannot be handed in.
  const fault = addressFault(new URL(page), http) ?? addressFault(new URL(token), http);
  if (fault !== undefined) throw trace.error("discovery_failed", `${attempt}: ${fault}`);
  // Where there is no metadata nothing could announce it; the challenge is sent all the same.
  if (assumed || methods?.includes("S256") === true) return;
  const found = methods === undefined ? "its metadata does not say that it supports PKCE" : "it does not support PKCE with S256";
  throw trace.error("discovery_failed", `${attempt}: ${found}`);
}

/** MCP 2026-07-28, Authorization § Refresh Tokens: only where the authorization server lists it. */
function withOfflineAccess(scopes: readonly string[], server: ServerMetadata, options: OAuthOptions): readonly string[] {
  const listed = server.scopes_supported?.includes(OFFLINE) === true;
  return listed && scopes.length > 0 && options.offlineAccess !== false ? uniteScopes(scopes, [OFFLINE]) : scopes;
}

const OFFLINE = "offline_access";

/** One round: a client, a place to come back to, the person's answer, the exchange of the code. */
async function authorize(
  session: GrantSession,
  scopes: readonly string[],
  options: OAuthOptions,
  redirectUri: string | undefined,
): Promise<{ readonly client: RegisteredClient; readonly outcome: TokenOutcome }> {
  const { http, store, proofs, signal, discovered: { server, resource } } = session;
  const registration = { http, server, store, options, signal };
  const known = await knownClient(registration);
  const state = generateRandomState();
  const target = await openRedirectTarget({ open: options.open, redirectUri, preferred: known?.redirectUri, state });
  try {
    const fits = known !== undefined && (!known.dynamic || known.redirectUri === target.redirectUri);
    const client = fits ? known : await registerClient(registration, target.redirectUri);
    const { verifier, challenge } = await makeProofKey();
    const page = authorizationUrl(server, {
      response_type: "code",
      client_id: client.id,
      redirect_uri: target.redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
      resource,
      scope: scopes.length === 0 ? undefined : scopes.join(" "),
      // OpenID Connect Core § 11: without it offline access is not given.
      prompt: scopes.includes(OFFLINE) ? "consent" : undefined,
      dpop_jkt: await proofs?.handle.calculateThumbprint(),
    });
    const answer = await askPerson(target, page, options.timeout ?? AUTHORIZATION_LIMITS.personTimeout, signal);
    const parameters = readAuthorizationResponse({ server, clientId: client.id, state }, answer);
    const outcome = await requestTokens({
      http,
      server,
      client,
      proofs,
      signal,
      grant: (as, id, authentication, more) =>
        authorizationCodeGrantRequest(as, id, authentication, parameters, target.redirectUri, verifier, {
          ...more,
          additionalParameters: { resource },
        }),
    });
    return { client, outcome };
  } finally {
    target.close();
  }
}

function authorizationUrl(
  { authorization_endpoint }: ServerMetadata,
  parameters: { readonly [name: string]: string | undefined },
): URL {
  const url = new URL(authorization_endpoint as string);
  url.hash = "";
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** Waits for the person, as long as there is time. */
async function askPerson(target: RedirectTarget, page: URL, timeout: number, outer: AbortSignal): Promise<URLSearchParams> {
  const late = new AbortController();
  const found = `no answer within ${timeout} ms (option timeout)`;
  const timer = setTimeout(() => {
    late.abort(new AuthorizationError("timeout", `Waiting for the person's authorization: ${found}`));
  }, timeout);
  const signal = AbortSignal.any([outer, late.signal]);
  try {
    return await untilAborted(target.visit(page, signal), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** RFC 6749 § 6; with the resource (MCP 2026-07-28, Resource Parameter Implementation). */
async function refresh(session: GrantSession, tokens: TokenSet, options: OAuthOptions): Promise<TokenSet | undefined> {
  const { http, store, proofs, signal, discovered: { server, resource } } = session;
  if (options.client !== undefined) await bindIssuer(session, options.client);
  const { refreshToken, clientId } = tokens;
  const client = await knownClient({ http, server, store, options, signal }, clientId);
  // The token belongs to a client that this one no longer is.
  if (refreshToken === undefined || client?.id !== clientId) return undefined;
  const outcome = await requestTokens({
    http,
    server,
    client,
    proofs,
    signal,
    grant: (as, id, authentication, more) =>
      refreshTokenGrantRequest(as, id, authentication, refreshToken, { ...more, additionalParameters: { resource } }),
  });
  if (outcome.ok) {
    const fresh = tokenSet(outcome.answer, session, clientId, tokens.granted);
    return { ...fresh, requested: tokens.requested, refreshToken: fresh.refreshToken ?? refreshToken };
  }
  if (outcome.code === "invalid_grant") return undefined;
  if (outcome.code !== "invalid_client" && outcome.code !== "unauthorized_client") throw outcome.error;
  if (!client.dynamic) throw outcome.error;
  await forgetClient(store, server.issuer, client.id);
  return undefined;
}
