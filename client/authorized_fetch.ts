/** A `fetch` that adds credentials and lets their provider answer challenges. */
import { parseChallenges } from "../protocol/auth/challenge.ts";
import { transportFault } from "../protocol/auth/transport_fault.ts";
import { AuthorizationError, isMcpError } from "../protocol/errors.ts";
import type { Awaitable } from "../protocol/types.ts";
import { SentSecrets } from "./secrets/sent_secrets.ts";
import { withoutEcho } from "./secrets/without_echo.ts";

/** The request a token is wanted for. */
export interface AuthRequest {
  /** Where it goes. */
  readonly url: string;
  /** The HTTP method. */
  readonly method: string;
  /** Aborts when the request is given up. */
  readonly signal: AbortSignal;
}

/** A parsed 401 or 403. */
export interface Challenge {
  /** The HTTP status. */
  readonly status: number;
  /** The scheme in lower case, `bearer` when the header offers it. */
  readonly scheme: string | undefined;
  /** Where the resource's metadata is (RFC 9728 § 5.1). */
  readonly resourceMetadata: string | undefined;
  /** The scopes that are wanted, separated by spaces (RFC 6750 § 3). */
  readonly scope: string | undefined;
  /** The error code (RFC 6750 § 3.1). */
  readonly error: string | undefined;
  /** All headers of the response. */
  readonly headers: Headers;
}

/** Gives credentials and reacts to challenges. */
export interface AuthProvider {
  /** Asked before every HTTP request; a string is a bearer token, undefined sends none. */
  credentials(
    request: AuthRequest,
  ): Awaitable<string | { readonly headers: { readonly [name: string]: string } } | undefined>;
  /** Told of a 401 or a 403 `insufficient_scope`; true sends the request once more. */
  challenged(challenge: Challenge, request: AuthRequest): Awaitable<boolean>;
  /** Hears of every answer, so that it may keep what comes along (nonces of RFC 9449 § 8.2, for instance). */
  answered?(answer: { readonly status: number; readonly headers: Headers }, request: AuthRequest): void;
  /**
   * Asked when `connect` gives up waiting for the server at `url`. Gives the request that the provider is waiting for, or was
   * waiting for when it gave up, such as "POST https://login.example.com/token", without anything that may be secret. The error of
   * `connect` names it.
   */
  waitsFor?(request: { readonly url: string }): string | undefined;
}

/** What a provider gives. */
export type Credentials = Awaited<ReturnType<AuthProvider["credentials"]>>;

/** A bearer token, a function that gives one, or a provider. */
export type Auth = string | (() => Awaitable<string | undefined>) | AuthProvider;

/** Options of {@linkcode authorizedFetch}. */
export interface AuthorizedFetchOptions {
  /** Told of the credentials with which each request leaves, before it does. */
  readonly onCredentials?: ((credentials: Credentials) => void) | undefined;
  /** Remembers what is sent; memory of its own by default. */
  readonly secrets?: SentSecrets | undefined;
  /** Whether credentials may go over http to any host; false by default. */
  readonly allowInsecureAuth?: boolean | undefined;
}

/**
 * Decorates a `fetch` with credentials. A 401, or a 403 whose challenge says `insufficient_scope`, is shown to the provider;
 * when that returns true, the request is sent again with fresh credentials. This happens once for each of the two, and once for a
 * 401 that only wants a nonce (RFC 9449 § 9). Otherwise the answer comes back as it is.
 *
 * Credentials of every kind go over https, and over http to loopback hosts only (OAuth 2.1 § 1.5). Where a refusal, or anything
 * else that is not a message, repeats credentials, it comes back without them: those of this request and earlier ones.
 *
 * @param fetch What sends.
 * @param auth Who gives the credentials.
 * @param options Who else hears of the credentials, and where they may go.
 * @returns A `fetch` that throws an {@linkcode AuthorizationError} when the provider fails, and when credentials may not be sent to
 * an address; the error holds no token.
 * @throws {TypeError} When `auth` is none of the three, or a token that no header can carry.
 */
export function authorizedFetch(
  fetch: typeof globalThis.fetch,
  auth: Auth,
  { onCredentials, secrets = new SentSecrets(), allowInsecureAuth }: AuthorizedFetchOptions = {},
): typeof globalThis.fetch {
  const provider = authProvider(auth);
  return async (input, init = {}) => {
    const request: AuthRequest = {
      url: input instanceof Request ? input.url : String(input),
      method: init.method ?? (input instanceof Request ? input.method : "GET"),
      signal: init.signal ?? new AbortController().signal,
    };
    const answered = new Set<string>();
    while (true) {
      const credentials = await askForCredentials(provider, request);
      if (allowInsecureAuth !== true) checkTransport(credentials, request);
      onCredentials?.(credentials);
      const values = headerValues(credentials);
      secrets.sent(values);
      const answer = await fetch(input, addCredentials(init, credentials));
      // Others may have been sent meanwhile; what is answered now is not to be forgotten first.
      secrets.sent(values);
      const response = await withoutEcho(answer, secrets);
      provider.answered?.(response, request);
      const challenge = readChallenge(response);
      if (challenge === undefined) return response;
      const kind = challenge.error === "use_dpop_nonce" ? challenge.error : String(challenge.status);
      if (answered.has(kind)) return response;
      answered.add(kind);
      if (!(await ask(() => provider.challenged(challenge, request)))) return response;
      // Nobody reads this body; the connection behind it should be free for the next request.
      response.body?.cancel().catch(() => undefined);
    }
  };
}

/**
 * Makes a provider of whatever `auth` is.
 *
 * @throws {TypeError} When it is none of the three, or a token that no header can carry.
 */
export function authProvider(auth: Auth): AuthProvider {
  if (typeof auth === "string") {
    if (!HEADER_VALUE.test(auth)) throw new TypeError("connect.auth: Expected a token that an HTTP header can carry");
    return { credentials: () => auth, challenged: () => false };
  }
  if (typeof auth === "function") return { credentials: () => auth(), challenged: () => false };
  if (typeof auth?.credentials === "function" && typeof auth.challenged === "function") return auth;
  throw new TypeError("connect.auth: Expected a token, a function, or a provider with credentials and challenged");
}

/** RFC 9110 § 5.5. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Asks a provider for the credentials of a request.
 *
 * @throws {AuthorizationError} When it fails.
 */
export function askForCredentials(provider: AuthProvider, request: AuthRequest): Promise<Credentials> {
  return ask(() => provider.credentials(request));
}

/** The one place where credentials leave, so the rule holds for tokens, functions and providers. */
function checkTransport(credentials: Credentials, { url }: AuthRequest): void {
  if (credentials === undefined) return;
  const target = new URL(url);
  const fault = transportFault(target, true);
  if (fault === undefined) return;
  throw new AuthorizationError(
    "token_request_failed",
    `Sending credentials to ${target.origin}: ${fault} (the option allowInsecureAuth sends them all the same)`,
  );
}

function headerValues(credentials: Credentials): readonly string[] {
  if (credentials === undefined) return [];
  return typeof credentials === "string" ? [credentials] : Object.values(credentials.headers);
}

function addCredentials(init: RequestInit, credentials: Credentials): RequestInit {
  if (credentials === undefined) return init;
  const headers = new Headers(init.headers);
  const pairs = typeof credentials === "string" ? { authorization: `Bearer ${credentials}` } : credentials.headers;
  for (const [name, value] of Object.entries(pairs)) {
    // Checked here, because what `Headers` throws quotes the value.
    if (!HEADER_VALUE.test(value)) {
      throw new AuthorizationError("token_request_failed", `Adding credentials: no HTTP header can carry the value for ${name}`);
    }
    headers.set(name, value);
  }
  return { ...init, headers };
}

async function ask<T>(question: () => Awaitable<T>): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    if (isMcpError(cause)) throw cause;
    throw new AuthorizationError("token_request_failed", "Asking for credentials: the provider failed", { cause });
  }
}

/** The challenge of a 401, or of a 403 that asks for more scope (RFC 6750 § 3.1); other answers are none. */
function readChallenge(response: Response): Challenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const all = parseChallenges(response.headers.get("www-authenticate") ?? "");
  const found = all.find(({ scheme }) => scheme === "bearer") ?? all[0];
  const error = found?.params.get("error");
  if (response.status === 403 && error !== "insufficient_scope") return undefined;
  return {
    status: response.status,
    scheme: found?.scheme,
    resourceMetadata: found?.params.get("resource_metadata"),
    scope: found?.params.get("scope"),
    error,
    headers: response.headers,
  };
}
