/** Tests of `client/auth/token_endpoint.ts` and of client authentication, through the flows. */
import assert from "node:assert/strict";
import { AuthorizationError, clientCredentials, memoryTokenStore, oauth } from "../../../client/auth/mod.ts";
import type { ClientAuthentication, TokenStore } from "../../../client/auth/mod.ts";
import { AUTHORIZATION_LIMITS } from "../../../protocol/limits.ts";
import { authorizationSite } from "./authorization_server.ts";
import type { AuthorizationSite, Lies } from "./authorization_server.ts";
import { network, person, refuse } from "./world.ts";

const ISSUER = "https://as.example";
const ENDPOINT = "https://h.example/mcp";
const DOCUMENTS = {
  "https://h.example/.well-known/oauth-protected-resource": { resource: "https://h.example", authorization_servers: [ISSUER] },
};

/** Runs the authorization code flow against a server whose token endpoint answers so. */
async function answered(answer: () => Response): Promise<{ result: unknown; kept: string[]; server: AuthorizationSite }> {
  const server = authorizationSite(ISSUER, { answer: (_, { path }) => path === "/token" ? answer() : undefined });
  const { fetch } = network([server], DOCUMENTS);
  const kept: string[] = [];
  const memory = memoryTokenStore();
  const store: TokenStore = { ...memory, set: (key, value) => (kept.push(key), memory.set(key, value)) };
  const auth = oauth({ fetch, store, open: person(fetch), redirectUri: "http://localhost:3000/callback" });
  const result = await refuse(auth, ENDPOINT).catch((error) => error);
  return { result, kept: kept.filter((key) => key.startsWith('["tokens"')), server };
}

function tokens(members: object): () => Response {
  return () => Response.json({ access_token: "a", token_type: "bearer", ...members });
}

Deno.test("token answers that are not quite right are refused with what is wrong, or read (B051)", async () => {
  const form = new URLSearchParams({ access_token: "a", token_type: "bearer" });
  const refused: [() => Response, RegExp][] = [
    [
      () => Response.json({ error: "bad_verification_code", error_description: "gone" }),
      /answered bad_verification_code \(gone\)$/,
    ],
    [tokens({ expires_in: "soon" }), /not a token response \(.*expires_in/],
    [tokens({ expires_in: -1 }), /not a token response \(.*expires_in/],
    [tokens({ token_type: "mac" }), /not a token response \(.*token_type/],
    [tokens({ token_type: undefined }), /not a token response \(.*token_type/],
    [tokens({ access_token: "" }), /not a token response \(.*access_token/],
    [
      () => new Response("no way\nat all", { status: 400, headers: { "content-type": "text/plain" } }),
      /answered 400: no way at all$/,
    ],
    [() => new Response(form), /not a token response/],
    [() => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }), /not a token response/],
    [() => new Response(null, { status: 302, headers: { location: "https://evil.example" } }), /answered 302$/],
    [
      () => Response.json({ error: "invalid_client" }, { status: 401, headers: { "www-authenticate": 'Basic realm="x"' } }),
      /answered invalid_client$/,
    ],
  ];
  for (const [answer, message] of refused) {
    const { result, kept } = await answered(answer);
    assert.ok(result instanceof AuthorizationError, String(result));
    assert.equal(result.reason, "token_request_failed");
    assert.match(result.message, message);
    assert.deepEqual(kept, []);
  }
  for (const members of [{ expires_in: "3600" }, { expires_in: 0 }, {}, { token_type: "BEARER" }, { id_token: "no.jwt" }]) {
    const { result, server } = await answered(tokens(members));
    assert.equal(result, "a");
    assert.equal(server.at("/token")[0]?.headers.get("accept"), "application/json");
  }
});

const key = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);

function credentials(authentication: ClientAuthentication, lies: Lies = {}, more: object = {}) {
  const server = authorizationSite(ISSUER, lies);
  const { fetch } = network([server], DOCUMENTS);
  return { server, auth: clientCredentials({ fetch, clientId: "a:b c/é", issuer: ISSUER, authentication, ...more }) };
}

Deno.test("clientCredentials proves who it is in the header, form-encoded, or in the body", async () => {
  const basic = credentials({ method: "client_secret_basic", secret: "p:ä +%" });
  assert.match(String(await refuse(basic.auth, ENDPOINT)), /^secret-access/);
  const [asked] = basic.server.at("/token");
  const [name, secret] = atob((asked?.headers.get("authorization") ?? "").replace("Basic ", "")).split(":");
  assert.deepEqual([name, secret], ["a%3Ab+c%2F%C3%A9", "p%3A%C3%A4+%2B%25"]);
  assert.equal(asked?.params.get("grant_type"), "client_credentials");
  assert.equal(asked?.params.get("resource"), "https://h.example");
  const post = credentials({ method: "client_secret_post", secret: "p" });
  await refuse(post.auth, ENDPOINT);
  const [posted] = post.server.at("/token");
  assert.deepEqual([posted?.params.get("client_id"), posted?.params.get("client_secret")], ["a:b c/é", "p"]);
  assert.equal(posted?.headers.get("authorization"), null);
});

Deno.test("clientCredentials signs assertions for the issuer, with a key in any form, each with its own id (M-AUTH-034)", async () => {
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", key.privateKey));
  const pem = `-----BEGIN PRIVATE KEY-----\n${btoa(String.fromCharCode(...pkcs8))}\n-----END PRIVATE KEY-----\n`;
  const ids = new Set<unknown>();
  for (const form of [pem, await crypto.subtle.exportKey("jwk", key.privateKey), key.privateKey]) {
    const { server, auth } = credentials({ method: "private_key_jwt", key: form, algorithm: "ES256", keyId: "k1" });
    await refuse(auth, ENDPOINT);
    const [asked] = server.at("/token");
    assert.equal(asked?.params.get("client_assertion_type"), "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    const [head = "", body = "", signature = ""] = (asked?.params.get("client_assertion") ?? "").split(".");
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
    const read = (text: string) => JSON.parse(new TextDecoder().decode(bytes(text)));
    assert.deepEqual([read(head).alg, read(head).kid], ["ES256", "k1"]);
    const { iss, sub, aud, jti, exp, iat } = read(body);
    assert.deepEqual([iss, sub, aud], ["a:b c/é", "a:b c/é", ISSUER]);
    assert.ok(exp - iat <= 300);
    ids.add(jti);
    const signed = new TextEncoder().encode(`${head}.${body}`);
    assert.ok(await crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key.publicKey, bytes(signature), signed));
  }
  assert.equal(ids.size, 3);
  const wrong = credentials({ method: "private_key_jwt", key: "secret-pem", algorithm: "ES256" });
  await assert.rejects(refuse(wrong.auth, ENDPOINT), (error) => {
    assert.doesNotMatch(Deno.inspect(error), /secret-pem/);
    return true;
  });
});

Deno.test("clientCredentials goes to its own issuer alone, asks anew in place of refreshing, and may widen its scope (M-AUTH-107)", async () => {
  const secret = { method: "client_secret_basic", secret: "secret-own" } as const;
  const elsewhere = credentials(secret, {}, { issuer: "https://real.example" });
  await assert.rejects(refuse(elsewhere.auth, ENDPOINT), { reason: "issuer_mismatch" });
  assert.deepEqual(elsewhere.server.at("/token"), []);
  const { server, auth } = credentials(secret, {}, { scope: "a" });
  await refuse(auth, ENDPOINT);
  await refuse(auth, ENDPOINT);
  const wider = {
    status: 403,
    scheme: "bearer",
    error: "insufficient_scope",
    scope: "b",
    resourceMetadata: undefined,
    headers: new Headers(),
  };
  await refuse(auth, ENDPOINT, wider);
  assert.deepEqual(server.at("/token").map(({ params }) => [params.get("grant_type"), params.get("scope")]), [
    ["client_credentials", "a"],
    ["client_credentials", "a"],
    ["client_credentials", "a b"],
  ]);
});

Deno.test("flows refuse options that are none, without their secrets", () => {
  const bad = [
    { method: "client_secret_basic", secret: "" },
    { method: "secret-method" },
    { method: "private_key_jwt", key: "secret-key" },
  ] as unknown as ClientAuthentication[];
  for (const authentication of bad) {
    assert.throws(() => clientCredentials({ clientId: "a", authentication }), (error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /^clientCredentials\.authentication\./);
      assert.doesNotMatch(error.message, /secret-(?:key|method)/);
      return true;
    });
  }
  assert.throws(() => oauth({ store: {} as TokenStore }), /^TypeError: oauth\.store: /);
  assert.throws(() => oauth({ lookup: true as never }), /^TypeError: oauth\.lookup: /);
});

Deno.test("clientCredentials widens its scope so many times, whatever a server goes on to want (limit scopes)", async () => {
  const { server, auth } = credentials({ method: "client_secret_basic", secret: "secret-own" }, {}, { scope: "a" });
  await refuse(auth, ENDPOINT);
  const before = server.at("/token").length;
  for (let count = 0; count < AUTHORIZATION_LIMITS.scopes + 5; count++) {
    const challenge = { status: 403, scheme: "bearer", error: "insufficient_scope", scope: `s${count}` };
    await refuse(auth, ENDPOINT, { ...challenge, resourceMetadata: undefined, headers: new Headers() }).catch(() => undefined);
  }
  assert.equal(server.at("/token").length - before, AUTHORIZATION_LIMITS.scopes);
});
