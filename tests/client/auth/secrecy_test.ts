/** Every way in which authorization fails, with marked secrets that no error, log, key or inspection may show. */
import assert from "node:assert/strict";
import { clientCredentials, enterpriseManaged, oauth, workloadIdentity } from "../../../client/auth/mod.ts";
import type { AuthProvider, FlowOptions, OAuthOptions, TokenStore } from "../../../client/auth/mod.ts";
import { AuthorizationError, connect } from "../../../client/mod.ts";
import { authorizationSite } from "./authorization_server.ts";
import type { Lies } from "./authorization_server.ts";
import { MARK, shownOf, storeWithKeys } from "./shown_of.ts";
import { network, person, refusal, refuse, world } from "./world.ts";

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
      const { store, keys } = storeWithKeys();
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

const ISSUER = "https://as.example";
const ENDPOINT = "https://h.example/mcp?key=secret-query";
const DOCUMENT = { resource: "https://h.example", authorization_servers: [ISSUER] };

/** Flows without a person, each with everything that it could tell of. */
const MACHINES: readonly (readonly [string, (more: FlowOptions, issuer?: string) => AuthProvider])[] = [
  ...(["client_secret_basic", "client_secret_post"] as const).map((method) =>
    [
      `clientCredentials with ${method}`,
      (more: FlowOptions, issuer = ISSUER) =>
        clientCredentials({ ...more, issuer, clientId: "c", authentication: { method, secret: "secret-of-c" } }),
    ] as const
  ),
  ["clientCredentials with a key that is none", (more, issuer = ISSUER) =>
    clientCredentials({
      ...more,
      issuer,
      clientId: "c",
      authentication: { method: "private_key_jwt", key: "secret-pem", algorithm: "ES256" },
    })],
  ["workloadIdentity", (more, issuer = ISSUER) => workloadIdentity({ ...more, issuer, assertion: () => "secret-jwt" })],
  ["enterpriseManaged", (more, issuer = ISSUER) =>
    enterpriseManaged({
      ...more,
      issuer,
      clientId: "c",
      authentication: { method: "client_secret_basic", secret: "secret-of-c" },
      allowUnannounced: true,
      idp: {
        issuer: ISSUER,
        clientId: "d",
        authentication: { method: "client_secret_post", secret: "secret-of-d" },
        idToken: () => "secret-id-token",
      },
    })],
];

/** What goes wrong on the way to a token, without a person. */
const MACHINE_FAULTS: readonly (readonly [string, Lies, FlowOptions?])[] = [
  ...FAULTS.filter(([, { answer, token }]) => answer !== undefined || token !== undefined),
  ["a redirect that repeats the request", {
    answer: (_, { path, body }) =>
      path === "/token" ? new Response(null, { status: 302, headers: { location: `https://evil.example/?${body}` } }) : undefined,
  }],
  ["a challenge that repeats the request", {
    answer: (_, { path, headers, body }) => {
      const value = `Basic error="x", error_description="${headers.get("authorization")} ${decodeURIComponent(body)}"`;
      return path === "/token" ? new Response("", { status: 401, headers: { "www-authenticate": value } }) : undefined;
    },
  }],
  ["a connection that breaks, with an error that quotes the request", {
    answer: (_, { path, body, headers }) => {
      if (path === "/token") throw new Error(`Cannot send ${body} with ${headers.get("authorization")}`);
      return undefined;
    },
  }],
  ["a name that leads inside", {}, { lookup: () => ["10.0.0.1"] }],
  ["an endpoint without https", { metadata: { token_endpoint: "http://as.example/token?key=secret-query" } }],
];

Deno.test("no secret of a machine is in any error, key or inspection, whatever goes wrong (M-AUTH-088, M-AUTH-114)", async (t) => {
  const failed = new Set<string>();
  for (const [flow, make] of MACHINES) {
    for (const [name, lies, more] of MACHINE_FAULTS) {
      await t.step(`${flow}: ${name}`, async () => {
        const server = authorizationSite(ISSUER, lies);
        const { fetch } = network([server], { "https://h.example/.well-known/oauth-protected-resource": DOCUMENT });
        const { store, keys } = storeWithKeys();
        const auth = make({ fetch, store, ...more });
        const [outcome] = await Promise.allSettled([refuse(auth, ENDPOINT)]);
        if (outcome?.status === "rejected") {
          // The others fail here whatever the server does: a key is none, and an identity provider gives no assertion.
          if (/client_secret|workload/.test(flow)) failed.add(name);
          assert.ok(outcome.reason instanceof AuthorizationError, String(outcome.reason));
          assert.doesNotMatch(shownOf(outcome.reason), MARK);
        }
        assert.doesNotMatch(keys.join("\n"), MARK);
        assert.doesNotMatch(Deno.inspect(auth, { depth: 20, showHidden: true }) + JSON.stringify(auth) + String(auth), MARK);
      });
    }
    await t.step(`${flow}: another issuer`, async () => {
      const { fetch } = network([authorizationSite(ISSUER)], {
        "https://h.example/.well-known/oauth-protected-resource": DOCUMENT,
      });
      await assert.rejects(refuse(make({ fetch }, "https://other.example"), ENDPOINT), (error) => {
        assert.doesNotMatch(shownOf(error), MARK);
        return true;
      });
    });
  }
  // Machines do not register, and any text is a token to them.
  const harmless = ["a token that does not do", "a registration that is none", "a registration that is refused with a secret"];
  assert.deepEqual(MACHINE_FAULTS.map(([name]) => name).filter((name) => !failed.has(name)), harmless);
});

Deno.test("a token that a server repeats in its challenge is in no error and in no address of an authorization (M-AUTH-114)", async () => {
  const there = world();
  try {
    const auth = oauth({ open: person(), redirectUri: "http://localhost:3000/callback", allowInsecureLoopback: true });
    there.needs = ({ message, headers }) => message.method === "tools/call" ? headers.get("authorization") ?? "" : undefined;
    const client = await connect(there.site.url, { auth });
    await assert.rejects(client.callTool("x"), (error) => {
      assert.ok(error instanceof AuthorizationError);
      assert.equal(error.reason, "insufficient_scope");
      assert.doesNotMatch(shownOf(error), MARK);
      return true;
    });
    const pages = there.server.at("/authorize");
    assert.ok(pages.length >= 2);
    for (const { url } of pages) assert.doesNotMatch(url, /secret-(?:access|refresh|client)/);
    await client.close();
  } finally {
    await there.close();
  }
});

Deno.test("tokens that may not go to an address are not in the error that says so (M-AUTH-114, M-AUTH-115)", async () => {
  const tokens = {
    issuer: ISSUER,
    resource: "http://h.example",
    clientId: "c",
    accessToken: "secret-access-1",
    tokenType: "bearer",
  };
  const store: TokenStore = {
    get: (key) =>
      JSON.stringify(
        key.startsWith('["server"') ? tokens : { ...tokens, granted: [], requested: [], proofKey: { d: "secret-d" } },
      ),
    set: () => undefined,
    delete: () => undefined,
  };
  for (const [, make] of MACHINES) {
    for (const auth of [make({ store }), oauth({ store })]) {
      const request = { url: "http://h.example/mcp?key=secret-query", method: "POST", signal: new AbortController().signal };
      for (const attempt of [() => auth.credentials(request), () => auth.challenged(refusal(), request)]) {
        await assert.rejects(async () => await attempt(), (error) => {
          assert.match(String(error), /not https/);
          assert.doesNotMatch(shownOf(error), MARK);
          return true;
        });
      }
    }
  }
});
