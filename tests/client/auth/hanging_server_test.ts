/** Tests of authorization servers that do not answer: the error says so. */
import assert from "node:assert/strict";
import { clientCredentials } from "../../../client/auth/mod.ts";
import type { AuthProvider } from "../../../client/auth/mod.ts";
import { connect } from "../../../client/mod.ts";
import { AUTHORIZATION_LIMITS } from "../../../protocol/limits.ts";
import { refuse } from "./world.ts";

const URL_OF_SERVER = "https://h.example/mcp";
const ISSUER = "https://as.example";

/** A network in which the requests to one path of the authorization server are not answered. */
function network(hangs: string): typeof globalThis.fetch {
  return async (input, init) => {
    const { href, pathname, origin } = new URL(String(input));
    if (origin === ISSUER && pathname.startsWith(hangs)) {
      return await new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
    }
    if (href === `${ISSUER}/.well-known/oauth-authorization-server`) {
      return Response.json({
        issuer: ISSUER,
        token_endpoint: `${ISSUER}/token?key=secret-query`,
        response_types_supported: ["code"],
      });
    }
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      return Response.json({ resource: URL_OF_SERVER, authorization_servers: [ISSUER] });
    }
    if (href === URL_OF_SERVER) return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
    return new Response(null, { status: 404 });
  };
}

function flow(fetch: typeof globalThis.fetch): AuthProvider {
  const authentication = { method: "client_secret_basic", secret: "secret-of-client" } as const;
  return clientCredentials({ clientId: "c", issuer: ISSUER, authentication, fetch });
}

for (
  const [path, request] of [["/.well-known", `GET ${ISSUER}/.well-known/oauth-authorization-server`], [
    "/token",
    `POST ${ISSUER}/token`,
  ]] as const
) {
  Deno.test(`connect names the authorization server that does not answer ${path}, when its own time is over`, async () => {
    const fetch = network(path);
    const limits = { probeTimeout: 20, requestTimeout: 20, requestTotalTimeout: 20 };
    await assert.rejects(connect(URL_OF_SERVER, { auth: flow(fetch), fetch, limits }), (error: Error) => {
      const end = `(limit probeTimeout); the server is ${URL_OF_SERVER}; its authorization got no answer to ${request}`;
      assert.ok(error.message.endsWith(end), error.message);
      return true;
    });
  });

  Deno.test(`the error names the authorization server that does not answer ${path}, and the limit of its time`, async () => {
    const { setTimeout } = globalThis;
    globalThis.setTimeout = ((run: () => void, delay?: number) =>
      setTimeout(run, delay === AUTHORIZATION_LIMITS.requestTimeout ? 5 : delay)) as typeof setTimeout;
    try {
      await assert.rejects(refuse(flow(network(path)), URL_OF_SERVER), {
        kind: "authorization",
        message: `${request}: no answer within 30000 ms (limit requestTimeout of authorization)`,
      });
    } finally {
      globalThis.setTimeout = setTimeout;
    }
  });
}

Deno.test("connect names no authorization server when it was the server itself that did not answer", async () => {
  const fetch = network("none");
  const hanging: typeof globalThis.fetch = (input, init) =>
    String(input) === URL_OF_SERVER
      ? new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)))
      : fetch(input, init);
  const limits = { probeTimeout: 20, requestTimeout: 20 };
  await assert.rejects(
    connect(URL_OF_SERVER, { auth: flow(fetch), fetch: hanging, limits }),
    /; the server is https:\/\/h\.example\/mcp$/,
  );
});
