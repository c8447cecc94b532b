/** Token requests: sent and read; no failure shows a secret. */
import {
  allowInsecureRequests,
  customFetch,
  isDPoPNonceError,
  processGenericTokenEndpointResponse,
  ResponseBodyError,
} from "oauth4webapi";
import type { AuthorizationServer, Client, ClientAuth, TokenEndpointRequestOptions, TokenEndpointResponse } from "oauth4webapi";
import type { ServerMetadata } from "../../protocol/auth/metadata.ts";
import { AuthorizationError } from "../../protocol/errors.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { AuthHttp } from "./auth_http.ts";
import { clientAuth } from "./client_authentication.ts";
import type { ClientIdentity } from "./client_authentication.ts";
import type { Proofs } from "./dpop.ts";
import { peerText } from "./peer_text.ts";

/** One token request. */
export interface TokenRequest {
  /** Sends it. */
  readonly http: AuthHttp;
  /** Whose endpoint it goes to. */
  readonly server: Pick<ServerMetadata, "issuer" | "token_endpoint">;
  /** Who sends it. */
  readonly client: ClientIdentity;
  /** Binds the tokens to a key. */
  readonly proofs: Proofs | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Further token types that the answer may have, in lower case. */
  readonly tokenTypes?: readonly string[] | undefined;
  /** The grant: a request of `oauth4webapi`. It is called once more, with a new proof, when the server wants a nonce. */
  readonly grant: (
    server: AuthorizationServer,
    client: Client,
    authentication: ClientAuth,
    options: TokenEndpointRequestOptions,
  ) => Promise<Response>;
}

/** What comes of a token request; `code` is the OAuth error where the server gave one. */
export type TokenOutcome =
  | { readonly ok: true; readonly answer: TokenEndpointResponse }
  | { readonly ok: false; readonly code: string | undefined; readonly error: AuthorizationError };

/**
 * Sends a token request and checks its answer (RFC 6749 § 5).
 *
 * @throws {AuthorizationError} When no answer comes. A refusal is an outcome.
 */
export async function requestTokens(request: TokenRequest): Promise<TokenOutcome> {
  const { server: { issuer, token_endpoint }, client: { id, authentication }, proofs, signal } = request;
  if (token_endpoint === undefined) return refused(undefined, "the authorization server has no token endpoint");
  const server: AuthorizationServer = { issuer, token_endpoint };
  const client: Client = { client_id: id };
  const seen: Seen = { status: 0, text: "", secrets: [], own: "secret" in authentication ? authentication.secret : "" };
  const options: TokenEndpointRequestOptions = {
    [customFetch]: tokenFetch(request.http, seen),
    // Asked with more care by the sender itself.
    [allowInsecureRequests]: true,
    signal,
    ...(proofs === undefined ? {} : { DPoP: proofs.handle }),
  };
  const recognized = Object.fromEntries((request.tokenTypes ?? []).map((type) => [type, () => undefined]));
  for (let attempt = 0;; attempt++) {
    try {
      const response = await request.grant(server, client, await clientAuth(authentication), options);
      const answer = await processGenericTokenEndpointResponse(server, client, response, { recognizedTokenTypes: recognized });
      return { ok: true, answer };
    } catch (cause) {
      signal.throwIfAborted();
      if (attempt === 0 && proofs !== undefined && isDPoPNonceError(cause)) continue;
      return failure(cause, seen);
    }
  }
}

/** The last answer, and what was secret in its request. */
interface Seen {
  status: number;
  text: string;
  secrets: readonly string[];
  /** The client's own secret. */
  readonly own: string;
}

const SECRETS = ["code", "code_verifier", "refresh_token", "client_secret", "client_assertion", "assertion", "subject_token"];

/** Turns answers of careless servers into ones that the library reads. */
function tokenFetch(http: AuthHttp, seen: Seen): (url: string, init: RequestInit) => Promise<Response> {
  const send = http.fetch("token_request_failed");
  return async (url, init) => {
    const body = new URLSearchParams(init.body as URLSearchParams);
    const { authorization, dpop } = (init.headers ?? {}) as Record<string, string>;
    const given = [...SECRETS.map((name) => body.get(name)), authorization?.split(" ")[1], dpop, seen.own];
    seen.secrets = given.filter((one): one is string => typeof one === "string");
    const response = await send(url, init);
    const text = await response.text();
    Object.assign(seen, { status: response.status, text });
    const headers = new Headers(response.headers);
    const json = readObject(text);
    // An error in the body says more than the challenge, which the library would prefer (RFC 6749 § 5.2).
    if (json !== undefined && typeof json.error === "string") headers.delete("www-authenticate");
    if (json === undefined || response.status !== 200) return new Response(text, { status: response.status, headers });
    // An error that comes with status 200 is one all the same (RFC 6749 § 5.2 wants 400).
    if (typeof json.error === "string" && json.access_token === undefined) {
      return new Response(text, { status: 400, headers: { "content-type": "application/json" } });
    }
    // Nobody is signed in by it here, so an id token is no reason to refuse the access token beside it.
    const { id_token: _, ...tokens } = json;
    return new Response(JSON.stringify(tokens), { status: 200, headers });
  };
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value as Record<string, unknown> : undefined;
  } catch {
    return undefined;
  }
}

/** The library's errors hold requests and answers, so nothing of them but their code and their own sentence goes on. */
function failure(cause: unknown, { status, text, secrets }: Seen): TokenOutcome {
  if (cause instanceof AuthorizationError) throw cause;
  if (cause instanceof ResponseBodyError) {
    const description = cause.error_description === undefined ? "" : ` (${peerText(cause.error_description, secrets)})`;
    return refused(cause.error, `the authorization server answered ${peerText(cause.error, secrets)}${description}`);
  }
  if (status !== 0 && status !== 200) {
    // An answer that is none may hold tokens all the same, whatever its status is.
    const isTold = status >= 400 && text !== "" && !/_token/i.test(text);
    const found = isTold ? `: ${peerText(text, secrets)}` : "";
    return refused(undefined, `the authorization server answered ${status}${found}`);
  }
  // Their sentences name members and options, and hold no values.
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  return refused(undefined, `${status === 0 ? "the request cannot be made" : "the answer is not a token response"}${why}`);
}

function refused(code: string | undefined, found: string): TokenOutcome {
  return { ok: false, code, error: new AuthorizationError("token_request_failed", `Asking for a token: ${found}`) };
}
