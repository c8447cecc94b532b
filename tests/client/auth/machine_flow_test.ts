/** Tests of the flows that exchange an assertion, and of proofs of possession. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { clientCredentials, enterpriseManaged, oauth, workloadIdentity } from "../../../client/auth/mod.ts";
import { authorizationSite } from "./authorization_server.ts";
import type { Lies } from "./authorization_server.ts";
import { network, person, refusal, refuse } from "./world.ts";

const ISSUER = "https://as.example";
const ENDPOINT = "https://h.example/mcp?q=1";
const DOCUMENTS = {
  "https://h.example/.well-known/oauth-protected-resource": { resource: "https://h.example", authorization_servers: [ISSUER] },
};
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

Deno.test("workloadIdentity sends a fresh JWT once, without a client or another grant", async () => {
  const server = authorizationSite(ISSUER);
  const { fetch } = network([server], DOCUMENTS);
  let count = 0;
  const told: unknown[] = [];
  const auth = workloadIdentity({
    fetch,
    issuer: ISSUER,
    assertion: ({ issuer, tokenEndpoint }) => (told.push([issuer, tokenEndpoint]), `secret-jwt-${++count}`),
  });
  assert.match(String(await refuse(auth, ENDPOINT)), /^secret-access/);
  const [asked] = server.at("/token");
  assert.deepEqual([...asked?.params ?? []].sort(), [
    ["assertion", "secret-jwt-1"],
    ["grant_type", JWT_BEARER],
    ["resource", "https://h.example"],
  ]);
  assert.deepEqual(told, [[ISSUER, `${ISSUER}/token`]]);
  server.lies = {
    answer: (_, { path, params }) =>
      path === "/token"
        ? Response.json({ error: "invalid_grant", error_description: params.get("assertion") }, { status: 400 })
        : undefined,
  };
  await assert.rejects(refuse(auth, ENDPOINT), (error) => {
    assert.match(String(error), /invalid_grant/);
    assert.doesNotMatch(Deno.inspect(error), /secret-jwt/);
    return true;
  });
  assert.equal(server.at("/token").length, 2);
  assert.deepEqual(server.seen.filter(({ path }) => path === "/register" || path === "/authorize"), []);
});

Deno.test("clientCredentials with trustAnnouncedIssuer shows its secret to the issuer of the first server, and to none that another server names (M-AUTH-047)", async () => {
  const [server, foreign] = [authorizationSite(ISSUER), authorizationSite("https://as.evil.example")];
  const { fetch } = network([server, foreign], {
    ...DOCUMENTS,
    "https://evil.example/.well-known/oauth-protected-resource": {
      resource: "https://evil.example",
      authorization_servers: [foreign.issuer],
    },
  });
  const authentication = { method: "client_secret_basic", secret: "secret-of-c" } as const;
  const auth = clientCredentials({ fetch, clientId: "c", trustAnnouncedIssuer: true, authentication });
  await refuse(auth, ENDPOINT);
  await assert.rejects(refuse(auth, "https://evil.example/mcp"), { reason: "issuer_mismatch" });
  assert.deepEqual([server.at("/token").length, foreign.at("/token")], [1, []]);
});

Deno.test("enterpriseManaged exchanges an id token for an assertion and that for a token, and checks both types", async () => {
  const given = { access_token: "secret-jag", issued_token_type: ID_JAG, token_type: "N_A" };
  const idp = authorizationSite("https://idp.example", { token: { ...given, refresh_token: undefined } });
  const server = authorizationSite(ISSUER, {
    metadata: { authorization_grant_profiles_supported: ["urn:ietf:params:oauth:grant-profile:id-jag"] },
  });
  const { fetch } = network([server, idp], DOCUMENTS);
  const make = () =>
    enterpriseManaged({
      fetch,
      issuer: ISSUER,
      clientId: "at-as",
      authentication: { method: "client_secret_basic", secret: "s" },
      idp: { issuer: "https://idp.example", clientId: "at-idp", idToken: () => "secret-id-token" },
    });
  assert.match(String(await refuse(make(), ENDPOINT)), /^secret-access/);
  const [exchange] = idp.at("/token");
  assert.deepEqual(Object.fromEntries(exchange?.params ?? []), {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    requested_token_type: ID_JAG,
    audience: ISSUER,
    resource: "https://h.example",
    subject_token: "secret-id-token",
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    client_id: "at-idp",
  });
  const [asked] = server.at("/token");
  assert.deepEqual([asked?.params.get("grant_type"), asked?.params.get("assertion")], [JWT_BEARER, "secret-jag"]);
  assert.equal(asked?.headers.get("authorization"), `Basic ${btoa("at-as:s")}`);
  assert.deepEqual(server.at("/authorize"), []);
  for (const wrong of [{ issued_token_type: "urn:ietf:params:oauth:token-type:access_token" }, { token_type: "Bearer" }]) {
    idp.lies = { token: { ...given, ...wrong } };
    await assert.rejects(refuse(make(), ENDPOINT), { reason: "token_request_failed", message: /another kind of token/ });
  }
  server.lies = {};
  await assert.rejects(refuse(make(), ENDPOINT), { reason: "discovery_failed", message: /allowUnannounced/ });
});

Deno.test("enterpriseManaged finds an identity provider in the company's own network, which the program names, not the server", async () => {
  const given = { access_token: "secret-jag", issued_token_type: ID_JAG, token_type: "N_A", refresh_token: undefined };
  const [idp, server] = [authorizationSite("https://idp.corp.example", { token: given }), authorizationSite(ISSUER)];
  const { fetch } = network([server, idp], DOCUMENTS);
  const make = (inside: string) =>
    enterpriseManaged({
      fetch,
      lookup: (hostname) => [hostname === inside ? "10.0.0.1" : "203.0.113.9"],
      clientId: "c",
      issuer: ISSUER,
      allowUnannounced: true,
      idp: { issuer: idp.issuer, clientId: "d", idToken: () => "secret-id-token" },
    });
  assert.match(String(await refuse(make("idp.corp.example"), ENDPOINT)), /^secret-access/);
  await assert.rejects(refuse(make("as.example"), ENDPOINT), { message: /private network/ });
});

Deno.test("enterpriseManaged checks its identity provider when it is made, and tells no address (M-AUTH-114)", () => {
  const idp = { issuer: "https://idp.example", clientId: "d", idToken: () => "secret-id-token" };
  const make = (more: object, options: object = {}) => () =>
    enterpriseManaged({ clientId: "c", issuer: ISSUER, ...options, idp: { ...idp, ...more } });
  make({})();
  make({ tokenEndpoint: "https://idp.example/token?tenant=1" })();
  make({ issuer: "http://localhost:8080" }, { allowInsecureLoopback: true })();
  const wrong: readonly (readonly [name: string, value: unknown])[] = [
    ["issuer", undefined],
    ["issuer", new URL("https://idp.example")],
    ["issuer", "idp.example/secret"],
    ["issuer", "http://idp.example/secret"],
    ["issuer", "http://localhost:8080/secret"],
    ["issuer", "ftp://idp.example/secret"],
    ["issuer", "https://secret:secret@idp.example"],
    ["issuer", "https://idp.example/?key=secret"],
    ["issuer", "https://idp.example/#secret"],
    ["tokenEndpoint", "/secret"],
    ["tokenEndpoint", "http://idp.example/secret"],
    ["clientId", undefined],
    ["idToken", "secret"],
    ["tokenUrl", "https://idp.example/secret"],
  ];
  for (const [name, value] of wrong) {
    assert.throws(make({ [name]: value }), (error) => {
      assert.match(String(error), new RegExp(`^TypeError: enterpriseManaged\\.idp\\.${name}: `), `${name} ${value}`);
      assert.doesNotMatch(String(error), /secret/);
      return true;
    });
  }
  assert.throws(() => enterpriseManaged({ clientId: "c", issuer: ISSUER } as never), /^TypeError: enterpriseManaged\.idp: /);
});

interface Proof {
  readonly head: { readonly typ: string; readonly alg: string; readonly jwk: Readonly<Record<string, unknown>> };
  readonly body: {
    readonly jti: string;
    readonly htm: string;
    readonly htu: string;
    readonly ath?: string;
    readonly nonce?: string;
  };
}

function readProof(text: string | null | undefined): Proof {
  const [head, body] = (text ?? "").split(".").slice(0, 2).map((part) =>
    JSON.parse(atob(part.replace(/-/g, "+").replace(/_/g, "/"))) as unknown
  );
  return { head, body } as Proof;
}

function bound(lies: Lies = {}) {
  const server = authorizationSite(ISSUER, { token: { token_type: "DPoP" }, ...lies });
  const { fetch } = network([server], DOCUMENTS);
  const options = { fetch, dpop: true, open: person(fetch), redirectUri: "http://localhost:3000/callback" };
  return { server, auth: oauth(options), options };
}

Deno.test("dpop proves possession for each request anew, and never shows its private key", async () => {
  const { server, auth } = bound();
  const request = { url: ENDPOINT, method: "POST", signal: new AbortController().signal };
  const first = await refuse(auth, ENDPOINT) as { headers: Record<string, string> };
  const second = await auth.credentials({ ...request, method: "DELETE" }) as { headers: Record<string, string> };
  const asked = readProof(server.at("/token")[0]?.headers.get("dpop"));
  assert.deepEqual([asked.body.htm, asked.body.htu, asked.body.ath], ["POST", `${ISSUER}/token`, undefined]);
  const token = (first.headers.authorization ?? "").replace("DPoP ", "");
  assert.match(token, /^secret-access/);
  const [one, two] = [readProof(first.headers.dpop), readProof(second.headers.dpop)];
  assert.deepEqual([one.body.htm, one.body.htu, two.body.htm], ["POST", "https://h.example/mcp", "DELETE"]);
  assert.equal(one.body.ath, createHash("sha256").update(token).digest("base64url"));
  assert.notEqual(one.body.jti, two.body.jti);
  for (const { head } of [asked, one, two]) {
    assert.deepEqual([head.typ, head.alg, Object.keys(head.jwk).sort()], ["dpop+jwt", "ES256", ["crv", "kty", "x", "y"]]);
  }
});

Deno.test("dpop takes nonces of either server, of refusals and of other answers, each with a new proof", async () => {
  let wanted = true;
  const { server, auth } = bound({
    answer: (_, { path }) => {
      if (path !== "/token" || !wanted) return undefined;
      wanted = false;
      return Response.json({ error: "use_dpop_nonce" }, { status: 400, headers: { "dpop-nonce": "as-1" } });
    },
  });
  await refuse(auth, ENDPOINT);
  const [before, after] = server.at("/token").map(({ headers }) => readProof(headers.get("dpop")));
  assert.deepEqual([before?.body.nonce, after?.body.nonce], [undefined, "as-1"]);
  assert.notEqual(before?.body.jti, after?.body.jti);
  const request = { url: ENDPOINT, method: "POST", signal: new AbortController().signal };
  const nonce = async () =>
    readProof((await auth.credentials(request) as { headers: Record<string, string> }).headers.dpop).body.nonce;
  assert.equal(await nonce(), undefined);
  const challenge = refusal({ scheme: "dpop", error: "use_dpop_nonce", headers: new Headers({ "dpop-nonce": "rs-1" }) });
  assert.equal(await auth.challenged(challenge, request), true);
  assert.equal(await nonce(), "rs-1");
  assert.equal(await nonce(), "rs-1");
  assert.equal(await auth.challenged(challenge, request), false);
  auth.answered?.({ status: 200, headers: new Headers({ "dpop-nonce": "rs-2" }) }, request);
  assert.equal(await nonce(), "rs-2");
});

Deno.test("dpop refuses a token that is not bound, and a bound one that was not asked for", async () => {
  await assert.rejects(refuse(bound({ token: {} }).auth, ENDPOINT), { reason: "token_request_failed", message: /not bound/ });
  const { options } = bound();
  await assert.rejects(refuse(oauth({ ...options, dpop: false }), ENDPOINT), {
    reason: "token_request_failed",
    message: /not asked for/,
  });
});

Deno.test("dpop proves possession with the key that a token is bound to, also when another process brought it", async () => {
  const values = new Map<string, string>();
  const store = {
    get: (key: string) => values.get(key),
    set: (key: string, value: string) => void values.set(key, value),
    delete: (key: string) => void values.delete(key),
  };
  const { options } = bound();
  const [one, other] = [oauth({ ...options, store }), oauth({ ...options, store })];
  const sent = (credentials: unknown) => (credentials as { headers: Record<string, string> }).headers;
  const own = readProof(sent(await refuse(one, ENDPOINT)).dpop);
  values.clear();
  const theirs = sent(await refuse(other, ENDPOINT));
  assert.notDeepEqual(own.head.jwk, readProof(theirs.dpop).head.jwk);
  const found = sent(await refuse(one, ENDPOINT));
  assert.equal(found.authorization, theirs.authorization);
  assert.deepEqual(readProof(found.dpop).head.jwk, readProof(theirs.dpop).head.jwk);
});

Deno.test("dpop works for a machine, too", async () => {
  const server = authorizationSite(ISSUER, { token: { token_type: "dpop" } });
  const { fetch } = network([server], DOCUMENTS);
  const auth = clientCredentials({
    fetch,
    dpop: true,
    clientId: "c",
    issuer: ISSUER,
    authentication: { method: "client_secret_post", secret: "s" },
  });
  const { headers } = await refuse(auth, ENDPOINT) as { headers: Record<string, string> };
  assert.match(headers.authorization ?? "", /^DPoP secret-access/);
});
