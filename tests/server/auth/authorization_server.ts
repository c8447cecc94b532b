/** A small authorization server that really listens: metadata, keys that rotate, tokens, and introspection. */
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { JWK, JWTPayload } from "jose";

/** A key of the server. */
export interface SigningKey {
  readonly kid: string | undefined;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** What goes with one token. */
export interface TokenOptions {
  /** Signs it; the newest key by default. */
  readonly key?: SigningKey;
  /** Changes the header. */
  readonly header?: Record<string, unknown>;
}

/** The running server, and what tests do with it. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** The keys that are published, newest last. */
  keys: SigningKey[];
  /** Requests so far, by path. */
  readonly hits: Map<string, number>;
  /** Opaque tokens, and what the introspection endpoint says about them. */
  readonly opaque: Map<string, Record<string, unknown>>;
  /** The forms that came to the token endpoint, which gives machines what they ask for. */
  readonly grants: URLSearchParams[];
  /** The last request for introspection. */
  lastQuestion: { readonly authorization: string | null; readonly body: string } | undefined;
  /** Answers everything instead, when it is set. */
  instead: ((request: Request) => Response | Promise<Response> | undefined) | undefined;
  /** Issues a JWT: right in everything but the changes; a claim that is undefined is left out. */
  issue(changes?: Record<string, unknown>, options?: TokenOptions): Promise<string>;
}

/** The identifier of the protected server in these tests. */
export const RESOURCE = "http://localhost/mcp";

/** Makes a key pair. */
export async function makeKey(kid?: string, alg = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { kid, alg, privateKey, publicJwk: { ...jwk, alg, use: "sig", ...(kid === undefined ? {} : { kid }) } };
}

/** The time in seconds. */
export function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Runs a test with an authorization server. */
export async function withAuthorizationServer(test: (server: AuthorizationServer) => Promise<void>): Promise<void> {
  const hits = new Map<string, number>();
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, (request) => answer(server, request));
  const server: AuthorizationServer = {
    issuer: `http://localhost:${http.addr.port}`,
    keys: [await makeKey("first")],
    hits,
    opaque: new Map(),
    grants: [],
    lastQuestion: undefined,
    instead: undefined,
    issue: async (changes = {}, { key = server.keys.at(-1) as SigningKey, header = {} } = {}) => {
      const claims: JWTPayload = {
        iss: server.issuer,
        aud: RESOURCE,
        sub: "alice",
        client_id: "app",
        scope: "mcp",
        iat: seconds(),
        exp: seconds() + 300,
        ...changes,
      };
      const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
      const kid = key.kid === undefined ? {} : { kid: key.kid };
      return await new SignJWT(given).setProtectedHeader({ alg: key.alg, typ: "at+jwt", ...kid, ...header }).sign(key.privateKey);
    },
  };
  try {
    await test(server);
  } finally {
    await http.shutdown();
  }
}

async function answer(server: AuthorizationServer, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  server.hits.set(pathname, (server.hits.get(pathname) ?? 0) + 1);
  const other = await server.instead?.(request);
  if (other !== undefined) return other;
  switch (pathname) {
    case "/.well-known/oauth-authorization-server":
      return Response.json({
        issuer: server.issuer,
        jwks_uri: `${server.issuer}/jwks`,
        token_endpoint: `${server.issuer}/token`,
        authorization_endpoint: `${server.issuer}/authorize`,
        response_types_supported: ["code"],
        grant_types_supported: ["client_credentials"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["client_secret_basic"],
      });
    case "/jwks":
      return Response.json({ keys: server.keys.map(({ publicJwk }) => publicJwk) });
    case "/introspect": {
      const body = await request.text();
      server.lastQuestion = { authorization: request.headers.get("authorization"), body };
      return Response.json(server.opaque.get(new URLSearchParams(body).get("token") ?? "") ?? { active: false });
    }
    case "/token": {
      const form = new URLSearchParams(await request.text());
      server.grants.push(form);
      const changes = { aud: form.get("resource"), scope: form.get("scope") ?? "", sub: "machine", client_id: "machine" };
      return Response.json({ access_token: await server.issue(changes), token_type: "Bearer", expires_in: 300 });
    }
    default:
      return new Response(null, { status: 404 });
  }
}
