/** Every way in which authorization fails, with marked secrets that no error, log, key or inspection may show. */
import assert from "node:assert/strict";
import { memoryTokenStore, oauth } from "../../../client/auth/mod.ts";
import type { OAuthOptions, TokenStore } from "../../../client/auth/mod.ts";
import { connect } from "../../../client/mod.ts";
import { person, world } from "./world.ts";
import type { Lies } from "./authorization_server.ts";

const MARK = /secret-[\w-]+/;

/** Everything that an error shows, to any depth. */
function shownOf(error: unknown): string {
  const parts = [Deno.inspect(error, { depth: 20, showHidden: true }), String(error)];
  for (let one = error; one instanceof Error; one = one.cause) {
    parts.push(one.message, one.stack ?? "", JSON.stringify(one, Object.getOwnPropertyNames(one)));
  }
  return parts.join("\n");
}

/** Repeats all that a request holds. */
const echo = (status: number, type: string): NonNullable<Lies["answer"]> => (_, { path, body, headers }) => {
  if (path !== "/token") return undefined;
  const text = `${decodeURIComponent(body)} ${headers.get("authorization")}`;
  const json = JSON.stringify({ error: "invalid_request", error_description: text, access_token: undefined });
  return new Response(type === "json" ? json : text, {
    status,
    headers: { "content-type": type === "json" ? "application/json" : "text/plain" },
  });
};

const STOLEN = { access_token: "secret-access-9", refresh_token: "secret-refresh-9" };

/** Tokens, in an answer that is none of the flow. */
const stray = (status: number, body: string): NonNullable<Lies["answer"]> => (_, { path }) =>
  path === "/token" ? new Response(body, { status, headers: { "content-type": "application/json" } }) : undefined;

const FAULTS: readonly (readonly [string, Lies])[] = [
  ["an error that repeats the request", { answer: echo(400, "json") }],
  ["a text that repeats the request", { answer: echo(400, "text") }],
  ["a failure that repeats the request", { answer: echo(500, "text") }],
  ["an error with status 200", { answer: echo(200, "json") }],
  ["tokens with another status", { answer: stray(201, JSON.stringify(STOLEN)) }],
  ["tokens in a form with another status", { answer: stray(201, String(new URLSearchParams(STOLEN))) }],
  ["tokens with a status of failure", { answer: stray(400, JSON.stringify({ ...STOLEN, id_token: "secret-id-9" })) }],
  ["a type that is unknown", { token: { ...STOLEN, token_type: "mac" } }],
  ["an end that is none", { token: { ...STOLEN, expires_in: "soon" } }],
  ["a scope that is none", { token: { ...STOLEN, scope: 1 } }],
  ["a refresh token that is none", { token: { ...STOLEN, refresh_token: {} } }],
  ["a bound token", { token: { ...STOLEN, token_type: "DPoP" } }],
  ["another state", { redirect: { state: "secret-state" } }],
  ["another issuer", { redirect: { iss: "https://evil.example/secret-iss" } }],
  ["no", { redirect: { code: undefined, error: "access_denied" } }],
  ["a token that does not do", { token: { access_token: "secret-access-8" } }],
  ["a registration that is none", {
    answer: (_, { path }) =>
      path === "/register" ? Response.json({ client_id: 1, client_secret: "secret-client-7" }, { status: 201 }) : undefined,
  }],
  ["a registration that is refused with a secret", {
    answer: (_, { path }) =>
      path === "/register" ? Response.json({ client_secret: "secret-client-7" }, { status: 403 }) : undefined,
  }],
];

Deno.test("no secret is in any error, key or inspection, whatever the authorization server does (M-AUTH-088, M-AUTH-114)", async (t) => {
  for (const [name, lies] of FAULTS) {
    await t.step(name, async () => {
      const there = world({
        ...lies,
        metadata: { token_endpoint_auth_methods_supported: ["client_secret_basic"], ...lies.metadata },
      });
      const keys: string[] = [];
      const memory = memoryTokenStore();
      const store: TokenStore = {
        get: (key) => (keys.push(key), memory.get(key)),
        set: (key, value) => (keys.push(key), memory.set(key, value)),
        delete: (key) => (keys.push(key), memory.delete(key)),
      };
      const told: unknown[] = [];
      const options: OAuthOptions = {
        store,
        open: person(),
        redirectUri: "http://localhost:3000/callback",
        allowInsecureLoopback: true,
      };
      const auth = oauth(options);
      try {
        const url = `${there.site.url}?key=secret-query`;
        await assert.rejects(connect(url, { auth, onError: (error) => void told.push(error) }), (error) => {
          assert.doesNotMatch(shownOf(error), MARK);
          return true;
        });
        for (const error of told) assert.doesNotMatch(shownOf(error), MARK);
        assert.doesNotMatch(keys.join("\n"), MARK);
        assert.doesNotMatch(Deno.inspect(auth, { depth: 20, showHidden: true }) + JSON.stringify(auth) + String(auth), MARK);
      } finally {
        await there.close();
      }
    });
  }
});

Deno.test("no secret is in an error of a refresh, and none is inspectable after it went well (M-AUTH-088)", async () => {
  const there = world();
  try {
    const auth = oauth({ open: person(), redirectUri: "http://localhost:3000/callback", allowInsecureLoopback: true });
    const client = await connect(there.site.url, { auth });
    assert.doesNotMatch(Deno.inspect(client, { depth: 20, showHidden: true }), MARK);
    assert.doesNotMatch(Deno.inspect(auth, { depth: 20, showHidden: true }), MARK);
    for (const lies of [{ answer: echo(400, "text") }, { answer: echo(400, "json") }, { answer: echo(500, "text") }]) {
      there.server.lies = lies;
      there.server.valid.clear();
      await assert.rejects(client.callTool("x"), (error) => {
        assert.doesNotMatch(shownOf(error), MARK);
        return true;
      });
    }
    await client.close();
  } finally {
    await there.close();
  }
});
