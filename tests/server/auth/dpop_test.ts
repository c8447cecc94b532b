import assert from "node:assert/strict";
import { base64url, calculateJwkThumbprint, exportJWK, SignJWT } from "jose";
import { parseChallenges } from "../../../protocol/auth/challenge.ts";
import { request } from "../wire.ts";
import type { Reply } from "../wire.ts";
import { makeKey, RESOURCE, seconds, withAuthorizationServer } from "./authorization_server.ts";
import type { AuthorizationServer, SigningKey } from "./authorization_server.ts";
import { callWith, challenged, METADATA_URL, protectedServer, said } from "./protected.ts";

interface Proof {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
  readonly signer?: SigningKey;
}

async function hash(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** A proof that is right in everything but the changes. */
async function prove(key: SigningKey, token: string, { header = {}, claims = {}, signer = key }: Proof = {}): Promise<string> {
  const { kty, crv, x, y } = key.publicJwk;
  const all = { jti: crypto.randomUUID(), htm: "POST", htu: RESOURCE, iat: seconds(), ath: await hash(token), ...claims };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const head = { alg: key.alg, typ: "dpop+jwt", jwk: { kty, crv, x, y }, ...header };
  return await new SignJWT(given).setProtectedHeader(JSON.parse(JSON.stringify(head))).sign(signer.privateKey);
}

interface Setting {
  readonly as: AuthorizationServer;
  readonly key: SigningKey;
  readonly token: string;
  readonly send: (proof: string | undefined, authorization?: string) => Promise<Reply>;
  readonly runs: { readonly count: number };
}

async function withDpop(dpop: "allowed" | "required", test: (setting: Setting) => Promise<void>): Promise<void> {
  await withAuthorizationServer(async (as) => {
    const { server, runs } = protectedServer(as, { bearer: { dpop } });
    const key = await makeKey();
    const token = await as.issue({ cnf: { jkt: await calculateJwkThumbprint(key.publicJwk) } });
    const send: Setting["send"] = (proof, authorization = `DPoP ${token}`) =>
      callWith(server, undefined, { authorization, dpop: proof });
    await test({ as, key, token, send, runs });
  });
}

Deno.test("bearer() takes a token that is bound to a key with a proof, whatever the request's own address is", async () => {
  await withDpop("required", async ({ key, token, send }) => {
    assert.equal(said(await send(await prove(key, token))).auth.claims.sub, "alice");
    said(await send(await prove(key, token, { claims: { htu: `${RESOURCE}?a=1#b` } })));
    said(await send(await prove(key, token, { claims: { iat: seconds() - 290 } })));
    said(await send(await prove(key, token), `dpop ${token}`));
  });
});

type Defect = (setting: Setting) => Promise<string | undefined> | string | undefined;

const DEFECTS: readonly (readonly [name: string, proof: Defect])[] = [
  ["no proof", () => undefined],
  ["two proofs", async ({ key, token }) => `${await prove(key, token)}, ${await prove(key, token)}`],
  ["no JWT", () => "proof"],
  ["a huge proof", ({ key, token }) => prove(key, token, { claims: { x: "a".repeat(9000) } })],
  ["another type", ({ key, token }) => prove(key, token, { header: { typ: "JWT" } })],
  ["no type", ({ key, token }) => prove(key, token, { header: { typ: undefined } })],
  ["a bad signature", async ({ key, token }) => prove(key, token, { signer: await makeKey() })],
  ["no key", ({ key, token }) => prove(key, token, { header: { jwk: undefined } })],
  ["a private key", async ({ key, token }) => prove(key, token, { header: { jwk: await exportJWK(key.privateKey) } })],
  ["a symmetric key", async ({ token }) => {
    const jwk = { kty: "oct", k: base64url.encode("0123456789abcdef0123456789abcdef") };
    const claims = { jti: "x", htm: "POST", htu: RESOURCE, iat: seconds(), ath: await hash(token) };
    return await new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "dpop+jwt", jwk }).sign(base64url.decode(jwk.k));
  }],
  ["alg none", async ({ key, token }) => {
    const [, payload] = (await prove(key, token)).split(".");
    const { kty, crv, x, y } = key.publicJwk;
    return `${base64url.encode(JSON.stringify({ alg: "none", typ: "dpop+jwt", jwk: { kty, crv, x, y } }))}.${payload}.AAAA`;
  }],
  ["another key than the token's", async ({ token }) => prove(await makeKey(), token)],
  ["another method", ({ key, token }) => prove(key, token, { claims: { htm: "GET" } })],
  ["another path", ({ key, token }) => prove(key, token, { claims: { htu: "http://localhost/other" } })],
  ["another host", ({ key, token }) => prove(key, token, { claims: { htu: "http://evil.example/mcp" } })],
  ["another scheme", ({ key, token }) => prove(key, token, { claims: { htu: "https://localhost/mcp" } })],
  ["no method", ({ key, token }) => prove(key, token, { claims: { htm: undefined } })],
  ["no address", ({ key, token }) => prove(key, token, { claims: { htu: undefined } })],
  ["no id", ({ key, token }) => prove(key, token, { claims: { jti: undefined } })],
  ["no time", ({ key, token }) => prove(key, token, { claims: { iat: undefined } })],
  ["an old time", ({ key, token }) => prove(key, token, { claims: { iat: seconds() - 303 } })],
  ["a time to come", ({ key, token }) => prove(key, token, { claims: { iat: seconds() + 303 } })],
  ["no hash of the token", ({ key, token }) => prove(key, token, { claims: { ath: undefined } })],
  ["the hash of another token", ({ key }) => prove(key, "other")],
];

Deno.test("bearer() refuses a bound token whose proof has a defect", async (t) => {
  await withDpop("allowed", async (setting) => {
    for (const [name, make] of DEFECTS) {
      await t.step(name, async () => {
        const params = challenged(await setting.send(await make(setting)), 401, "invalid_dpop_proof", "dpop");
        assert.match(params.get("algs") as string, /\bES256\b/);
        assert.doesNotMatch(params.get("algs") as string, /HS|none/);
      });
    }
    await t.step("sent twice", async () => {
      const proof = await prove(setting.key, setting.token);
      said(await setting.send(proof));
      challenged(await setting.send(proof), 401, "invalid_dpop_proof", "dpop");
    });
    assert.equal(setting.runs.count, 1);
  });
});

Deno.test("bearer() keeps the kinds of tokens apart: bound ones need DPoP, others may not use it", async () => {
  await withDpop("allowed", async ({ as, key, token, send }) => {
    challenged(await send(await prove(key, token), `Bearer ${token}`), 401, "invalid_token");
    const plain = await as.issue();
    challenged(await send(await prove(key, plain), `DPoP ${plain}`), 401, "invalid_token", "dpop");
    said(await send(undefined, `Bearer ${plain}`));
    const foreign = await as.issue({ aud: "https://other.example", cnf: { jkt: await calculateJwkThumbprint(key.publicJwk) } });
    challenged(await send(await prove(key, foreign), `DPoP ${foreign}`), 401, "invalid_token", "dpop");
    const missing = await send(undefined, "");
    const schemes = parseChallenges(missing.headers.get("www-authenticate") as string).map(({ scheme }) => scheme);
    assert.deepEqual(schemes, ["bearer", "dpop"]);
  });
  await withDpop("required", async ({ as, send }) => {
    challenged(await send(undefined, `Bearer ${await as.issue()}`), 401, "invalid_token", "dpop");
    challenged(await send(undefined, ""), 401, undefined, "dpop");
  });
});

Deno.test("bearer() publishes whether tokens are bound, and does not speak of DPoP by default", async () => {
  await withAuthorizationServer(async (as) => {
    for (const [dpop, required] of [["required", true], ["allowed", false]] as const) {
      const { server } = protectedServer(as, { bearer: { dpop } });
      const document = await (await server.fetch(new Request(METADATA_URL))).json();
      assert.equal(document.dpop_bound_access_tokens_required, required);
      assert.ok(document.dpop_signing_alg_values_supported.includes("ES256"));
    }
    const { server } = protectedServer(as);
    assert.doesNotMatch(await (await server.fetch(new Request(METADATA_URL))).text(), /dpop/i);
    const reply = await callWith(server, undefined, {}, request("tools/list"));
    assert.doesNotMatch(reply.headers.get("www-authenticate") as string, /dpop/i);
  });
});
