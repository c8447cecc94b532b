/** What the tests of protected servers share: a server, requests with tokens, challenges. */
import assert from "node:assert/strict";
import { parseChallenges } from "../../../protocol/auth/challenge.ts";
import { bearer, jwt } from "../../../server/auth/mod.ts";
import type { BearerOptions, JwtOptions, TokenClaims } from "../../../server/auth/mod.ts";
import { defineServer, tool } from "../../../server/mod.ts";
import type { ServerOptions } from "../../../server/mod.ts";
import { post, request } from "../wire.ts";
import type { HeaderChanges, Json, Reply, Wired } from "../wire.ts";
import { RESOURCE } from "./authorization_server.ts";
import type { AuthorizationServer } from "./authorization_server.ts";

/** Where the metadata of the protected server is. */
export const METADATA_URL = "http://localhost/.well-known/oauth-protected-resource/mcp";

/** What a protected server is made with. */
export interface ProtectedOptions {
  readonly bearer?: Partial<BearerOptions<TokenClaims>>;
  readonly jwt?: Partial<JwtOptions>;
  readonly server?: Partial<ServerOptions>;
}

/** A server whose only tool says who calls; `runs` counts its calls. */
export function protectedServer(issuer: Pick<AuthorizationServer, "issuer">, options: ProtectedOptions = {}) {
  const runs = { count: 0, errors: [] as unknown[] };
  const auth = bearer<TokenClaims>({
    resource: RESOURCE,
    authorizationServers: [issuer.issuer],
    verify: jwt({ issuer: issuer.issuer, audience: RESOURCE, ...options.jwt }),
    ...options.bearer,
  });
  const whoami = tool({
    name: "whoami",
    handler: (_args, ctx) => {
      runs.count++;
      return JSON.stringify({ auth: auth.of(ctx), headers: [...ctx.headers] });
    },
  });
  const onError = (error: unknown): void => void runs.errors.push(error);
  const server = defineServer({ name: "p", version: "1", auth, onError, tools: [whoami], ...options.server });
  return { server, auth, runs };
}

/** Calls `whoami`, or another method, with a token. */
export function callWith(
  server: Wired,
  token: string | undefined,
  headers: HeaderChanges = {},
  message: Json = request("tools/call", { name: "whoami", arguments: {} }),
): Promise<Reply> {
  return post(server, message, { authorization: token === undefined ? undefined : `Bearer ${token}`, ...headers });
}

/** What `whoami` said. */
export function said(reply: Reply): Json {
  assert.equal(reply.status, 200, reply.text);
  return JSON.parse(reply.result.content[0].text);
}

/** Asserts a refusal with one challenge, and gives its parameters. */
export function challenged(
  reply: Reply,
  status: number,
  error: string | undefined,
  scheme = "bearer",
): ReadonlyMap<string, string> {
  assert.equal(reply.status, status, reply.text);
  const [challenge, ...more] = parseChallenges(reply.headers.get("www-authenticate") ?? "");
  assert.deepEqual([challenge?.scheme, more.length], [scheme, 0]);
  const params = challenge?.params as ReadonlyMap<string, string>;
  assert.equal(params.get("error"), error);
  assert.equal(params.get("resource_metadata"), METADATA_URL);
  assert.ok(!("result" in (reply.last ?? {})));
  return params;
}
