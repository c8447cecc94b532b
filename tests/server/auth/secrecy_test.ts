/** Every way in which a caller is not let in, with marked secrets that no answer, error or inspection may show. */
import assert from "node:assert/strict";
import { base64url, calculateJwkThumbprint } from "jose";
import { bearer, introspection, jwt } from "../../../server/auth/mod.ts";
import type { BearerOptions, IntrospectionOptions, TokenClaims } from "../../../server/auth/mod.ts";
import { assertNoSecret, MARK } from "../../client/auth/shown_of.ts";
import { makeKey, RESOURCE } from "./authorization_server.ts";
import { callWith, protectedServer } from "./protected.ts";

const ISSUER = "https://as.example";
const TOKEN = "secret-token-1";

type Fetch = typeof globalThis.fetch;

/** Authorization servers that fail, and repeat all that they were sent. */
const FAILURES: readonly (readonly [string, (said: string) => Response])[] = [
  ["a refusal", (said) => new Response(said, { status: 401, headers: { "www-authenticate": `Basic realm="${said}"` } })],
  ["a failure", (said) => new Response(said, { status: 500 })],
  ["a redirect", (said) => new Response(null, { status: 307, headers: { location: `https://evil.example/?${said}` } })],
  ["a page", (said) => new Response(said)],
  ["a list", (said) => Response.json([said])],
  ["another document", (said) => Response.json({ issuer: said, keys: said, active: said, jwks_uri: said })],
  ["no address of keys", (said) => Response.json({ issuer: ISSUER, jwks_uri: [said] })],
  ["an address that may not be asked", (said) => Response.json({ issuer: ISSUER, jwks_uri: `http://as.example/?${said}` })],
  ["too much", (said) => new Response(said.repeat(20_000))],
  ["no connection", (said) => {
    throw new TypeError(`error sending request for ${said}`, { cause: new Error(said) });
  }],
];

function repeating(answer: (said: string) => Response): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const said = `${request.url} ${await request.text()} ${request.headers.get("authorization") ?? ""} secret-of-the-server`;
    return answer(said.replaceAll("\n", " "));
  };
}

const asking = (fetch: Fetch): IntrospectionOptions => ({
  endpoint: `${ISSUER}/introspect?key=secret-query`,
  clientId: "c",
  clientSecret: "secret-of-c",
  audience: RESOURCE,
  fetch,
});

/** A JWT whose signature nobody looks at, since the keys cannot be had. */
const JWT = [{ alg: "ES256", kid: "secret-kid" }, { sub: "secret-sub" }].map((part) => base64url.encode(JSON.stringify(part)))
  .join(".") + ".secret-signature";

const VERIFIERS: readonly (readonly [string, string, (fetch: Fetch) => BearerOptions<TokenClaims>["verify"]])[] = [
  ["introspection", TOKEN, (fetch) => introspection(asking(fetch))],
  ["jwt", JWT, (fetch) => jwt({ issuer: ISSUER, audience: RESOURCE, fetch })],
  [
    "jwt with an address of its keys",
    JWT,
    (fetch) => jwt({ issuer: ISSUER, audience: RESOURCE, jwks: `${ISSUER}/jwks?key=secret-query`, fetch }),
  ],
];

Deno.test("no secret is in an answer, an error or a verifier, however the authorization server fails (M-AUTH-086, M-AUTH-114)", async (t) => {
  for (const [name, token, make] of VERIFIERS) {
    for (const [failure, answer] of FAILURES) {
      await t.step(`${name}: ${failure}`, async () => {
        const verify = make(repeating(answer));
        const { server, auth, runs } = protectedServer({ issuer: ISSUER }, { bearer: { verify } });
        const reply = await callWith(server, token);
        assert.ok(reply.status === 503 || reply.status === 401, String(reply.status));
        assert.equal(runs.errors.length, 1);
        assert.doesNotMatch(reply.text + JSON.stringify([...reply.headers]), MARK);
        assert.equal(runs.count, 0);
        for (const error of runs.errors) assertNoSecret(error);
        assert.doesNotMatch(Deno.inspect([verify, auth, server], { depth: 20, showHidden: true }), MARK);
      });
    }
  }
});

Deno.test("no secret is in a refusal of a token, a proof, a scope or a header that is none (M-AUTH-114)", async (t) => {
  const key = await makeKey();
  const keyThumbprint = await calculateJwkThumbprint(key.publicJwk);
  const caller = { principal: "a", scopes: ["x"], claims: {} as TokenClaims };
  const proof = `${base64url.encode('{"alg":"ES256","typ":"dpop+jwt","jwk":{"d":"secret-d"}}')}.secret-claims.secret-signature`;
  const refused: readonly (readonly [string, number, string, Partial<BearerOptions<TokenClaims>>])[] = [
    ["a token that is not valid", 401, `Bearer ${TOKEN}`, { verify: () => undefined }],
    ["a token that is over", 401, `Bearer ${TOKEN}`, { verify: () => ({ ...caller, expiresAt: 1 }) }],
    ["a token for another server", 401, `Bearer ${TOKEN}`, { verify: () => ({ ...caller, audience: "secret-audience" }) }],
    ["a token without its proof", 401, `Bearer ${TOKEN}`, { verify: () => ({ ...caller, keyThumbprint }) }],
    ["a proof that is none", 401, `DPoP ${TOKEN}`, { dpop: "allowed", verify: () => ({ ...caller, keyThumbprint }) }],
    ["a proof of another key", 401, `DPoP ${TOKEN}`, {
      dpop: "required",
      verify: () => ({ ...caller, keyThumbprint: "secret-print" }),
    }],
    ["a scheme that is not taken", 401, `DPoP ${TOKEN}`, { verify: () => caller }],
    ["a scheme that is too little", 401, `Bearer ${TOKEN}`, { dpop: "required", verify: () => caller }],
    ["too few scopes", 403, `Bearer ${TOKEN}`, { scopes: ["y"], verify: () => ({ ...caller, scopes: ["secret-scope"] }) }],
    ["another scheme", 401, "Basic secret-basic", { verify: () => caller }],
    ["two tokens", 400, `Bearer ${TOKEN} secret-token-2`, { verify: () => caller }],
    ["characters of no token", 400, `Bearer secret-"token"`, { verify: () => caller }],
    ["a verifier that gives none", 503, `Bearer ${TOKEN}`, { verify: (token) => ({ principal: "", token }) as never }],
    ["a verifier that gives no scopes", 503, `Bearer ${TOKEN}`, { verify: (token) => ({ ...caller, scopes: token }) as never }],
    ["a verifier that gives no end", 503, `Bearer ${TOKEN}`, { verify: (token) => ({ ...caller, expiresAt: token }) as never }],
  ];
  for (const [name, status, authorization, options] of refused) {
    await t.step(name, async () => {
      const { server, runs } = protectedServer({ issuer: ISSUER }, { bearer: options });
      const reply = await callWith(server, undefined, { authorization, dpop: proof, cookie: "secret-cookie" });
      assert.equal(reply.status, status, reply.text);
      assert.doesNotMatch(reply.text + JSON.stringify([...reply.headers]), MARK);
      assert.equal(runs.count, 0);
      // Whoever names no token is no news.
      assert.equal(runs.errors.length, authorization.startsWith("Basic") ? 0 : 1);
      for (const error of runs.errors) assertNoSecret(error);
    });
  }
});

Deno.test("too many questions at once are refused without the tokens that they are about (M-AUTH-114)", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => release = resolve);
  const verify = introspection(asking(async () => (await held, Response.json({ active: false }))));
  const { server, runs } = protectedServer({ issuer: ISSUER }, { bearer: { verify } });
  const calls = Array.from({ length: 300 }, (_, at) => callWith(server, `secret-token-${at}`));
  await Promise.race(calls);
  release();
  const replies = await Promise.all(calls);
  assert.ok(replies.some(({ status }) => status === 503));
  for (const { text, headers } of replies) assert.doesNotMatch(text + JSON.stringify([...headers]), MARK);
  for (const error of runs.errors) assertNoSecret(error);
});

Deno.test("no secret is in the error of an option of a server that is wrong (M-AUTH-114)", () => {
  const options = { resource: RESOURCE, authorizationServers: [ISSUER], verify: () => undefined };
  const fetch: Fetch = () => Promise.resolve(new Response());
  const questions = asking(fetch);
  const keys = { issuer: ISSUER, audience: RESOURCE };
  const wrong: readonly (() => unknown)[] = [
    () => bearer({ ...options, verify: TOKEN as never }),
    () => bearer({ ...options, secret: TOKEN } as never),
    () => bearer({ ...options, resource: "http://h.example/?key=secret-query" }),
    () => bearer({ ...options, authorizationServers: ["https://me:secret-word@as.example"] }),
    () => bearer({ ...options, authorizationServers: TOKEN as never }),
    () => bearer({ ...options, scopes: ["secret- scope"] }),
    () => bearer({ ...options, scopes: ["secret-scope", "offline_access"] }),
    () => bearer({ ...options, dpop: TOKEN as never }),
    () => bearer({ ...options, covers: TOKEN as never }),
    () => bearer({ ...options, name: [TOKEN] as never }),
    () => introspection({ ...questions, secret: TOKEN } as never),
    () => introspection({ ...questions, endpoint: "http://as.example/?key=secret-query" }),
    () => introspection({ ...questions, endpoint: "secret-address" }),
    () => introspection({ ...questions, clientId: "" }),
    () => introspection({ ...questions, clientSecret: ["secret-of-c"] as never }),
    () => introspection({ ...questions, issuer: "https://as.example?key=secret-query" }),
    () => introspection({ ...questions, ttlMs: "secret-time" as never }),
    () => introspection({ ...questions, claims: TOKEN as never }),
    () => jwt({ ...keys, issuer: "https://as.example?key=secret-query" }),
    () => jwt({ ...keys, jwks: "http://as.example/?key=secret-query" }),
    () => jwt({ ...keys, audience: [TOKEN] as never }),
    () => jwt({ ...keys, algorithms: ["secret-algorithm"] }),
    () => jwt({ ...keys, algorithms: "secret-algorithm" as never }),
    () => jwt({ ...keys, claims: TOKEN as never }),
    () => jwt({ ...keys, type: TOKEN as never }),
    () => jwt({ ...keys, secret: TOKEN } as never),
    () => bearer(options).of({ auth: undefined, token: TOKEN } as never),
  ];
  for (const make of wrong) {
    assert.throws(make, (error) => {
      assert.ok(error instanceof TypeError, `${make}: ${error}`);
      return assertNoSecret(error);
    }, String(make));
  }
});
