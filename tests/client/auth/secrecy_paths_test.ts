/** The ways to fail that `secrecy_test.ts` does not go: discovery, redirects, options. Nothing that is marked may show there. */
import assert from "node:assert/strict";
import { clientCredentials, enterpriseManaged, fileTokenStore, oauth, workloadIdentity } from "../../../client/auth/mod.ts";
import type { Challenge, OAuthOptions } from "../../../client/auth/mod.ts";
import { openBrowser } from "../../../client/auth/loopback.ts";
import { AuthorizationError, connect } from "../../../client/mod.ts";
import { authorizationSite } from "./authorization_server.ts";
import type { Lies } from "./authorization_server.ts";
import { assertNoSecret, MARK, shownOf, storeWithKeys } from "./shown_of.ts";
import { network, person, refusal, refuse } from "./world.ts";

const ISSUER = "https://as.example";
const ENDPOINT = "https://h.example/mcp?key=secret-query";
const WELL_KNOWN = "https://h.example/.well-known/oauth-protected-resource";
const DOCUMENT = { resource: "https://h.example", authorization_servers: [ISSUER] };

interface Way {
  /** What the error says. */
  readonly says: RegExp;
  readonly lies?: Lies;
  /** The document of the resource. */
  readonly document?: unknown;
  /** Other documents, by address. */
  readonly documents?: Readonly<Record<string, unknown>>;
  readonly challenge?: Partial<Challenge>;
  readonly options?: OAuthOptions;
  /** Changes the redirect. */
  readonly redirect?: (url: URL) => void;
}

const instead = (path: RegExp, response: () => Response): Lies => ({
  answer: (_, seen) => path.test(seen.path) ? response() : undefined,
});
const metadata = (members: Record<string, unknown>): Lies => ({ metadata: members });

const WAYS: readonly Way[] = [
  { says: /names no authorization server/, document: { ...DOCUMENT, authorization_servers: [] } },
  {
    says: /Reading the issuer https:\/\/as\.example/,
    document: { ...DOCUMENT, authorization_servers: [`${ISSUER}?key=secret-query`] },
  },
  { says: /Reading the issuer/, document: { ...DOCUMENT, authorization_servers: ["https://me:secret-word@as.example"] } },
  { says: /there is none/, document: { ...DOCUMENT, authorization_servers: ["https://nowhere.example"] } },
  {
    says: /it describes https:\/\/other\.example/,
    document: { ...DOCUMENT, resource: "https://other.example/?key=secret-query" },
  },
  { says: /that the challenge names/, challenge: { resourceMetadata: "https://h.example/none?key=secret-query" } },
  { says: /not an absolute URL/, challenge: { resourceMetadata: "secret-query" } },
  { says: /its issuer is/, lies: metadata({ issuer: `${ISSUER}/other?key=secret-query` }) },
  { says: /its issuer is/, lies: metadata({ issuer: "https://me:secret-word@as.example" }) },
  { says: /answered 500/, lies: instead(/well-known/, () => new Response("secret-page", { status: 500 })) },
  { says: /larger than/, lies: instead(/well-known/, () => new Response("secret-page ".repeat(100_000))) },
  { says: /there is none/, lies: instead(/well-known/, () => Response.json(["secret-page"])) },
  {
    says: /cannot be reached/,
    lies: instead(/well-known/, () => {
      throw new TypeError("error sending request for url (https://as.example/?secret-query)");
    }),
  },
  {
    says: /its issuer is https:\/\/other\.example/,
    document: new Response(null, { status: 404 }),
    documents: {
      "https://h.example/.well-known/oauth-authorization-server": {
        issuer: "https://other.example?key=secret-query",
        authorization_endpoint: "https://other.example/secret-page",
        token_endpoint: "https://other.example/secret-token",
        response_types_supported: ["code"],
      },
    },
  },
  {
    says: /redirects are not followed/,
    lies: instead(/token/, () => Object.defineProperty(new Response(null), "type", { value: "opaqueredirect" })),
  },
  { says: /another token|not bound|DPoP/, options: { dpop: true } },
  {
    says: /use_dpop_nonce/,
    options: { dpop: true },
    lies: {
      answer: (_, { path, headers }) => {
        const body = { error: "use_dpop_nonce", error_description: `Not with ${headers.get("dpop")}` };
        return path === "/token" ? Response.json(body, { status: 400, headers: { "dpop-nonce": "secret-nonce" } }) : undefined;
      },
    },
  },
  { says: /it has no authorization endpoint/, lies: metadata({ authorization_endpoint: undefined }) },
  { says: /it has no token endpoint/, lies: metadata({ token_endpoint: undefined }) },
  { says: /neither https nor http/, lies: metadata({ token_endpoint: "file:///secret-query" }) },
  { says: /not https/, lies: metadata({ authorization_endpoint: "http://as.example/authorize?key=secret-query" }) },
  { says: /PKCE/, lies: metadata({ code_challenge_methods_supported: ["secret-method"] }) },
  { says: /cannot register/, lies: metadata({ registration_endpoint: undefined }) },
  { says: /names a parameter twice/, redirect: (url) => url.searchParams.append("code", "secret-code-2") },
  { says: /holds no code/, redirect: (url) => url.searchParams.delete("code") },
  { says: /none of the authorization code flow/, redirect: (url) => url.searchParams.set("response", "secret-response") },
  { says: /another one/, redirect: (url) => url.searchParams.set("state", "secret-state") },
  { says: /access_denied/, redirect: (url) => url.searchParams.set("error", "access_denied") },
  { says: /nobody listens/, options: { open: () => undefined, redirectUri: "https://app.example/callback?key=secret-query" } },
  { says: /nobody listens/, options: { open: undefined, redirectUri: "https://app.example/callback?key=secret-query" } },
  { says: /Expected the URL of the redirect/, options: { open: () => "http://[secret-code" } },
  { says: /10 milliseconds|timeout|within/, options: { timeout: 10, open: () => new Promise(() => undefined) } },
  {
    says: /invalid_client/,
    options: { client: { id: "c", issuer: ISSUER, authentication: { method: "client_secret_post", secret: "secret-of-c" } } },
    lies: {
      answer: (_, { path, body }) =>
        path === "/token"
          ? Response.json({ error: "invalid_client", error_description: decodeURIComponent(body) }, { status: 401 })
          : undefined,
    },
  },
];

/** At each of the two addresses. */
const documentOf = (document: unknown): Record<string, unknown> => ({ [WELL_KNOWN]: document, [`${WELL_KNOWN}/mcp`]: document });

Deno.test("no secret is in any error of discovery and of redirects, nor in its trace, keys and provider (M-AUTH-088, M-AUTH-114)", async (t) => {
  for (const { says, lies, document = DOCUMENT, documents, challenge, options, redirect } of WAYS) {
    await t.step(String(says), async () => {
      const server = authorizationSite(ISSUER, lies);
      const { fetch } = network([server], { ...documents, ...documentOf(document) });
      const { store, keys } = storeWithKeys();
      const sent: (string | null)[] = [];
      const open: NonNullable<OAuthOptions["open"]> = async (page, context) => {
        sent.push(page.searchParams.get("state"), page.searchParams.get("code_challenge"));
        const url = new URL(await person(fetch)(page, context) ?? "");
        redirect?.(url);
        return url.href;
      };
      const auth = oauth({ fetch, store, open, redirectUri: "https://app.example/callback", ...options });
      await assert.rejects(refuse(auth, ENDPOINT, refusal(challenge)), (error) => {
        assert.match(String(error), says);
        const shown = shownOf(error);
        for (const one of sent) if (one !== null) assert.ok(!shown.includes(one), "state or challenge");
        assert.doesNotMatch(shown, /eyJ[\w-]{9}/, "a proof");
        return assertNoSecret(error);
      });
      assert.doesNotMatch(keys.join("\n"), MARK);
      assert.doesNotMatch(Deno.inspect(auth, { depth: 20, showHidden: true }) + JSON.stringify(auth), MARK);
    });
  }
});

Deno.test("no secret is in the error of a token that ended and cannot be renewed (M-AUTH-088, M-AUTH-114)", async () => {
  const server = authorizationSite(ISSUER, { token: { expires_in: 1 } });
  const { fetch } = network([server], { [WELL_KNOWN]: DOCUMENT });
  const auth = clientCredentials({
    fetch,
    issuer: ISSUER,
    clientId: "c",
    authentication: { method: "client_secret_basic", secret: "secret-of-c" },
  });
  await refuse(auth, ENDPOINT);
  server.lies = {
    answer: (_, { body, headers }) => new Response(`${body} ${headers.get("authorization")}`, { status: 500 }),
  };
  const now = Date.now;
  Date.now = () => now() + 3_600_000;
  try {
    const request = { url: ENDPOINT, method: "POST", signal: new AbortController().signal };
    await assert.rejects(async () => await auth.credentials(request), (error) => {
      assert.ok(error instanceof AuthorizationError);
      return assertNoSecret(error);
    });
  } finally {
    Date.now = now;
  }
});

Deno.test("no secret is in the errors of a file of tokens that is none, and of a browser that may not open (M-AUTH-114)", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/tokens.json`, '{"a": secret-refresh-1}');
    await Deno.writeTextFile(`${folder}/file`, "secret-refresh-2");
    for (const path of [`${folder}/tokens.json`, `${folder}/file/tokens.json`, folder]) {
      const store = fileTokenStore(path);
      for (const attempt of [() => store.get("k"), () => store.set("k", "secret-refresh-3"), () => store.delete("k")]) {
        await assert.rejects(async () => await attempt(), assertNoSecret);
      }
      // Not every one of these places is one where nothing can be locked.
      await store.lock?.("k", () => Promise.resolve()).catch(assertNoSecret);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  await assert.rejects(openBrowser(new URL("http://as.example/authorize?state=secret-state")), assertNoSecret);
  const path = Deno.env.get("PATH");
  Deno.env.set("PATH", "");
  try {
    await assert.rejects(openBrowser(new URL("https://as.example/authorize?state=secret-state")), assertNoSecret);
  } finally {
    if (path !== undefined) Deno.env.set("PATH", path);
  }
});

Deno.test("no secret is in the error of an option that is wrong (M-AUTH-114)", async () => {
  const issuer = ISSUER;
  const method = "client_secret_basic";
  const authentication = { method, secret: "secret-of-c" } as const;
  const idp = { issuer, clientId: "d", authentication, idToken: () => "secret-id-token" };
  const wrong: readonly (() => unknown)[] = [
    () => oauth({ client: { id: "", issuer, authentication } }),
    () => oauth({ client: { id: "c", authentication } as never }),
    () => oauth({ client: { id: "c", issuer: `${ISSUER}?key=secret-query`, authentication } }),
    () => oauth({ clientMetadataAuthentication: authentication as never }),
    () => oauth({ clientMetadataUrl: "http://app.example/secret-path" }),
    () => oauth({ clientMetadataUrl: "secret-path" }),
    () => oauth({ timeout: "secret-time" as never }),
    () => oauth({ redirectUri: "secret-redirect" }),
    () => oauth({ redirectUri: "http://app.example/?key=secret-query" }),
    () => oauth({ store: { get: "secret-refresh" } as never }),
    () => oauth({ lookup: "secret-refresh" as never }),
    () => clientCredentials({ issuer, clientId: ["secret-of-c"] as never, authentication }),
    () =>
      clientCredentials({ issuer, clientId: "c", authentication: { method: "secret-method" as never, secret: "secret-of-c" } }),
    () => clientCredentials({ issuer, clientId: "c", authentication: { method, secret: ["secret-of-c"] as never } }),
    () => clientCredentials({ issuer, clientId: "c", authentication: { method: "private_key_jwt", key: "secret-pem" } as never }),
    () => clientCredentials({ clientId: "c", authentication } as never),
    () => clientCredentials({ issuer: "https://me:secret-word@as.example", clientId: "c", authentication }),
    () => fileTokenStore({ path: "secret-path" } as never),
    () => workloadIdentity({ issuer, assertion: "secret-jwt" as never }),
    () => enterpriseManaged({ issuer, clientId: "c", authentication, idp: { ...idp, idToken: "secret-id-token" as never } }),
    () => connect(ENDPOINT, { auth: "secret-token\n" }),
    () => connect(ENDPOINT, { auth: () => "secret-token\n" }),
    () => connect(ENDPOINT, { auth: { credentials: "secret-token" } as never }),
    () => connect(ENDPOINT, { auth: ["secret-token"] as never }),
    () => connect(ENDPOINT, { headers: { authorization: "secret-to\nken" } }),
    () => connect(ENDPOINT, { auth: { credentials: () => ({ headers: { "x-a": "secret-token\n" } }), challenged: () => false } }),
    () => connect("http://h.example/mcp?key=secret-query", { auth: "secret-token" }),
    () => connect("http://h.example/mcp?key=secret-query", { auth: () => "secret-token" }),
  ];
  for (const make of wrong) {
    await assert.rejects(async () => await make(), (error) => {
      assert.ok(error instanceof TypeError || error instanceof AuthorizationError, `${make}: ${error}`);
      return assertNoSecret(error);
    }, String(make));
  }
});
