/** Who we are to an authorization server: registered before, by the address of our metadata, or registered now. */
import {
  allowInsecureRequests,
  customFetch,
  dynamicClientRegistrationRequest,
  processDynamicClientRegistrationResponse,
  ResponseBodyError,
} from "oauth4webapi";
import type { ServerMetadata } from "../../protocol/auth/metadata.ts";
import { AuthorizationError } from "../../protocol/errors.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { AUTHORIZATION_LIMITS } from "../../protocol/limits.ts";
import type { AuthHttp } from "./auth_http.ts";
import { isLoopbackHost } from "../../protocol/auth/loopback_host.ts";
import { chooseAuthentication } from "./client_authentication.ts";
import type { ClientAuthentication, ClientIdentity } from "./client_authentication.ts";
import type { IssuerOptions } from "./issuer_binding.ts";
import { peerText } from "./peer_text.ts";
import { storeKey } from "./store_keys.ts";
import { readStored } from "./token_set.ts";
import type { TokenStore } from "./token_store.ts";

/** What a program says about its client. */
export interface ClientOptions {
  /** A client that is registered already. */
  readonly client?:
    | (IssuerOptions & {
      /** Its identifier. */
      readonly id: string;
      /**
       * How it proves who it is; not at all by default. With a secret or a key it has to say which `issuer` registered it; a public
       * client without one is used at the first issuer that an MCP server names, and nowhere else.
       */
      readonly authentication?: ClientAuthentication | undefined;
    })
    | undefined;
  /** https URL with a path where this client's metadata document is: its identifier where the server takes such. */
  readonly clientMetadataUrl?: string | undefined;
  /**
   * How the client of that document proves who it is: with a key whose public part the document names, or not at all, which is the
   * default. A secret cannot be shared with every server that reads the document.
   */
  readonly clientMetadataAuthentication?: ClientAuthentication | undefined;
  /** Shown to people when the client registers itself. */
  readonly clientName?: string | undefined;
}

/** A client, and where the redirects of its authorizations may go. */
export interface RegisteredClient extends ClientIdentity {
  /** Whether it registered itself, so that it may do so again. */
  readonly dynamic: boolean;
  /** Where a client that registered itself is redirected to. */
  readonly redirectUri?: string | undefined;
}

/** What registration goes by. */
export interface RegistrationOptions {
  /** Sends the request. */
  readonly http: AuthHttp;
  /** Where to register. */
  readonly server: ServerMetadata;
  /** Keeps registrations by issuer. */
  readonly store: TokenStore;
  /** What is known of the client. */
  readonly options: ClientOptions;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * The client as far as it is known to this server: registered before, by its metadata's address, or registered dynamically
 * earlier (MCP 2026-07-28, Client Registration: in this order).
 *
 * @param options What is known.
 * @param id The identifier of a client that registered itself; of several the newest without it.
 * @returns undefined when it has to register.
 */
export async function knownClient(
  { server, store, options }: RegistrationOptions,
  id?: string,
): Promise<RegisteredClient | undefined> {
  const { client, clientMetadataUrl, clientMetadataAuthentication } = options;
  if (client !== undefined) {
    return { id: client.id, authentication: client.authentication ?? { method: "none" }, dynamic: false };
  }
  if (clientMetadataUrl !== undefined && server.client_id_metadata_document_supported === true) {
    const authentication = clientMetadataAuthentication ?? { method: "none" };
    return { id: clientMetadataUrl, authentication, dynamic: false };
  }
  const stored = (await readRegistrations(store, server.issuer)).find((one) => id === undefined || one.id === id);
  if (stored === undefined || typeof stored.id !== "string") return undefined;
  const { secret, method, secretExpiresAt, redirectUri } = stored;
  if (typeof secretExpiresAt === "number" && secretExpiresAt > 0 && secretExpiresAt * 1000 <= Date.now()) return undefined;
  return {
    id: stored.id,
    authentication: chooseAuthentication(server, asText(secret), asText(method)),
    dynamic: true,
    redirectUri: asText(redirectUri),
  };
}

/**
 * Registers the client (RFC 7591) and keeps what the server gives, by issuer.
 *
 * @throws {AuthorizationError} "registration_failed", with what the server says.
 */
export async function registerClient(
  { http, server, store, options, signal }: RegistrationOptions,
  redirectUri: string,
): Promise<RegisteredClient> {
  if (server.registration_endpoint === undefined) {
    const hint = options.clientMetadataUrl === undefined ? "client or clientMetadataUrl" : "client";
    throw new AuthorizationError(
      "registration_failed",
      `Registering at ${server.issuer}: clients cannot register themselves there, so the option ${hint} is needed`,
    );
  }
  const answer = await register(http, server, metadata(server, options, redirectUri), signal);
  const method = asText(answer.token_endpoint_auth_method);
  const secret = method === "none" ? undefined : answer.client_secret;
  const record = { id: answer.client_id, secret, method, secretExpiresAt: answer.client_secret_expires_at, redirectUri };
  // Earlier ones stay: tokens that they were given for other servers are renewed with them.
  const { listLength } = AUTHORIZATION_LIMITS;
  await changeRegistrations(store, server.issuer, (all) => [record, ...all].slice(0, listLength));
  const authentication = chooseAuthentication(server, secret, method);
  return { id: answer.client_id, authentication, dynamic: true, redirectUri };
}

/** Forgets a registration that the server no longer knows, and with the newest all earlier ones. */
export async function forgetClient(store: TokenStore, issuer: string, id: string): Promise<void> {
  await changeRegistrations(store, issuer, (all) => all[0]?.id === id ? [] : all.filter((one) => one.id !== id));
}

type StoredClient = Readonly<Record<string, unknown>>;

/** The registrations at one issuer, the newest first. */
async function readRegistrations(store: TokenStore, issuer: string): Promise<readonly StoredClient[]> {
  const stored = readStored(await store.get(await storeKey("client", issuer)));
  if (stored === undefined) return [];
  const { earlier, ...newest } = stored;
  return [newest, ...(Array.isArray(earlier) ? earlier.filter(isJsonObject) : [])];
}

async function changeRegistrations(
  store: TokenStore,
  issuer: string,
  change: (all: readonly StoredClient[]) => readonly StoredClient[],
): Promise<void> {
  const key = await storeKey("client", issuer);
  const apply = async (): Promise<void> => {
    const [newest, ...earlier] = change(await readRegistrations(store, issuer));
    if (newest === undefined) return await store.delete(key);
    await store.set(key, JSON.stringify({ ...newest, earlier: earlier.length === 0 ? undefined : earlier }));
  };
  await (store.lock === undefined ? apply() : store.lock(key, apply));
}

function metadata(server: ServerMetadata, options: ClientOptions, redirectUri: string): Registrable {
  const { hostname, protocol } = new URL(redirectUri);
  const known = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const method = ["none", "client_secret_basic", "client_secret_post"].find((one) => known.includes(one)) ?? "none";
  return {
    client_name: options.clientName ?? "MCP client",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: method,
    // MCP 2026-07-28, Client Registration § Application Type and Redirect URI Constraints.
    application_type: protocol === "https:" && !isLoopbackHost(hostname) ? "web" : "native",
  };
}

/** What a registration says. */
type Registrable = Parameters<typeof dynamicClientRegistrationRequest>[1];

interface Registration {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
  readonly client_secret_expires_at?: number | undefined;
  readonly token_endpoint_auth_method?: unknown;
}

async function register(
  http: AuthHttp,
  { issuer, registration_endpoint }: ServerMetadata,
  body: Registrable,
  signal: AbortSignal,
): Promise<Registration> {
  let status = 0;
  try {
    const response = await dynamicClientRegistrationRequest(
      { issuer, registration_endpoint: registration_endpoint as string },
      body,
      {
        [customFetch]: async (url: string, init: RequestInit) => {
          const response = await http.fetch("registration_failed")(url, init);
          status = response.status;
          return await tolerated(response);
        },
        [allowInsecureRequests]: true,
        signal,
      },
    );
    return await processDynamicClientRegistrationResponse(response) as unknown as Registration;
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof AuthorizationError) throw cause;
    // What the library throws holds the answer, and with it the client's secret.
    throw new AuthorizationError("registration_failed", `Registering at ${issuer}: ${found(cause, status)}`);
  }
}

function found(cause: unknown, status: number): string {
  if (cause instanceof ResponseBodyError) {
    const description = cause.error_description === undefined ? "" : ` (${peerText(cause.error_description)})`;
    return `the server answered ${peerText(cause.error)}${description}`;
  }
  if (status !== 0 && status !== 200 && status !== 201) return `the server answered ${status}`;
  return `the answer is not a registration${cause instanceof Error ? ` (${cause.message})` : ""}`;
}

/** Tolerates usual deviations from RFC 7591 § 3.2.1: status 200, null members, a secret without an expiry. */
async function tolerated(response: Response): Promise<Response> {
  if (response.status !== 200 && response.status !== 201) return response;
  const document: unknown = await response.json().catch(() => undefined);
  if (typeof document !== "object" || document === null) return new Response("", { status: 201, headers: response.headers });
  const given = Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
  const ends = given.client_secret_expires_at;
  const whole = { ...given, client_secret_expires_at: typeof ends === "number" ? ends : 0 };
  return new Response(JSON.stringify(whole), { status: 201, headers: { "content-type": "application/json" } });
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
