/** This package's client against a server that the official package protects; the tokens come from `oidc-provider`. */
import assert from "node:assert/strict";
import { createRemoteJWKSet, jwtVerify } from "jose";
import {
  type AuthInfo,
  type AuthMetadataOptions,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  requireBearerAuth,
  requireScopes,
} from "@modelcontextprotocol/server";
import { oauth } from "../../client/auth/mod.ts";
import { AuthorizationError, connect, textOf } from "../../client/mod.ts";
import { startAuthorizationServer } from "../../examples/authorization/authorization_server.ts";
import { later } from "../e2e/later.ts";
import { person } from "../e2e/person.ts";

/** A protected official server and its authorization server. */
interface Peer {
  readonly url: string;
  readonly issuer: string;
  /** What the authorization server was asked. */
  readonly requests: string[];
  /** How the official server answered, and its challenges. */
  readonly answers: { readonly status: number; readonly challenge: string | null }[];
}

function officialServer(): McpServer {
  const server = new McpServer({ name: "official", version: "2.4.0" });
  server.registerTool("whoami", {}, ({ http }) => ({
    content: [{ type: "text", text: `${http?.authInfo?.extra?.sub}: ${http?.authInfo?.scopes.join(" ")}` }],
  }));
  server.registerTool("write", { scopeChallenge: requireScopes("mcp:write") }, () => ({
    content: [{ type: "text", text: "written" }],
  }));
  return server;
}

/** What the official server checks tokens with: RFC 9068, as a program would write it. */
function verifier(issuer: string, resource: string) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  return {
    async verifyAccessToken(token: string): Promise<AuthInfo> {
      const { payload } = await jwtVerify(token, keys, { issuer, audience: resource, typ: "at+jwt" }).catch(() => {
        throw new OAuthError(OAuthErrorCode.InvalidToken, "The token is not valid");
      });
      return {
        token,
        clientId: String(payload.client_id),
        scopes: String(payload.scope).split(" "),
        expiresAt: payload.exp as number,
        resource: new URL(resource),
        extra: { sub: payload.sub },
      };
    },
  };
}

async function withPeer(use: (peer: Peer) => Promise<void>): Promise<void> {
  const requests: string[] = [];
  const answers: { status: number; challenge: string | null }[] = [];
  const authorization = await startAuthorizationServer({
    accounts: { ada: "engine" },
    onRequest: (line) => void requests.push(line),
  });
  let answer: (request: Request) => Promise<Response> = () => Promise.resolve(new Response(null, { status: 503 }));
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, (request) => answer(request));
  const url = `http://127.0.0.1:${http.addr.port}/mcp`;
  const { issuer } = authorization;
  authorization.protect(url, { "mcp:read": "Read", "mcp:write": "Write" });
  const handler = createMcpHandler(officialServer);
  const oauthMetadata = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
  const metadata: AuthMetadataOptions = {
    oauthMetadata,
    resourceServerUrl: new URL(url),
    scopesSupported: ["mcp:read"],
    dangerouslyAllowInsecureIssuerUrl: true,
  };
  const gate = requireBearerAuth({
    verifier: verifier(issuer, url),
    requiredScopes: ["mcp:read"],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(new URL(url)),
    expectedResource: new URL(url),
  });
  answer = async (request) => {
    const document = oauthMetadataResponse(request, metadata);
    if (document !== undefined) return document;
    const auth = await gate(request);
    const response = auth instanceof Response ? auth : await handler.fetch(request, { authInfo: auth });
    answers.push({ status: response.status, challenge: response.headers.get("www-authenticate") });
    return response;
  };
  requests.length = 0;
  try {
    await use({ url, issuer, requests, answers });
  } finally {
    await handler.close();
    await http.shutdown();
    await authorization.close();
  }
}

for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
  Deno.test(`Client gets into a server that the official package protects, steps up and refreshes, in ${protocol} (M-AUTH-010, M-AUTH-017, M-AUTH-018, M-AUTH-055, M-AUTH-075, M-AUTH-108)`, async () => {
    await withPeer(async ({ url, requests, answers }) => {
      const ada = person();
      const count = (line: string): number => requests.filter((one) => one === line).length;
      const auth = oauth({ clientName: "Causeway", open: ada.open, allowInsecureLoopback: true });
      await using client = await connect(url, { auth, protocol });
      assert.equal(client.server.protocolVersion, protocol);
      assert.equal(textOf(await client.callTool("whoami")), "ada: mcp:read");
      assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [1, 1, 1]);
      const [first] = answers;
      assert.equal(first?.status, 401);
      assert.match(first?.challenge ?? "", /resource_metadata="http:.*\/\.well-known\/oauth-protected-resource\/mcp"/);

      assert.equal(textOf(await client.callTool("write")), "written");
      assert.deepEqual(answers.map(({ status }) => status).filter((status) => status >= 400), [401, 403]);
      assert.match(
        answers.find(({ status }) => status === 403)?.challenge ?? "",
        /insufficient_scope.*scope="mcp:write"/,
      );
      assert.deepEqual(ada.scopes.map((scopes) => scopes.toSorted()), [
        ["mcp:read", "offline_access"],
        ["mcp:read", "mcp:write", "offline_access"],
      ]);
      assert.equal(textOf(await client.callTool("whoami")), "ada: mcp:read mcp:write");
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [2, 2]);

      await later(600, async () => {
        const results = await Promise.all([1, 2, 3].map(() => client.callTool("whoami")));
        assert.deepEqual(results.map(textOf), Array(3).fill("ada: mcp:read mcp:write"));
      });
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [2, 3]);
    });
  });
}

Deno.test("Client without anybody to ask says that the official server wants authorization", async () => {
  await withPeer(async ({ url, requests }) => {
    await assert.rejects(connect(url), (error) => {
      assert.ok(error instanceof AuthorizationError);
      return error.status === 401;
    });
    await assert.rejects(connect(url, { auth: "not.a.token" }), (error) => {
      assert.ok(error instanceof AuthorizationError);
      assert.ok(!error.message.includes("not.a.token"));
      return error.status === 401;
    });
    assert.deepEqual(requests, []);
  });
});
