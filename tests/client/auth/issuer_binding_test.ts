/** Tests of `client/auth/issuer_binding.ts`: whose credentials they are has to be said before they are used. */
import assert from "node:assert/strict";
import { clientCredentials, enterpriseManaged, oauth, workloadIdentity } from "../../../client/auth/mod.ts";
import type { AuthProvider, ClientAuthentication, IssuerOptions } from "../../../client/auth/mod.ts";
import { authorizationSite } from "./authorization_server.ts";
import { network, person, refuse } from "./world.ts";

const ISSUER = "https://as.example";
const EVIL = "https://as.evil.example";
const ENDPOINT = "https://h.example/mcp";

const key = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
const secret: ClientAuthentication = { method: "client_secret_basic", secret: "secret-of-c" };
const posted: ClientAuthentication = { method: "client_secret_post", secret: "secret-of-c" };
const signed: ClientAuthentication = { method: "private_key_jwt", key: key.privateKey, algorithm: "ES256" };

type Fetch = typeof globalThis.fetch;

/** Every flow with something that proves who the client is. */
const FLOWS: readonly (readonly [path: string, make: (more: IssuerOptions, fetch?: Fetch) => AuthProvider])[] = [
  ...[secret, posted, signed].map((authentication) =>
    [
      "oauth.client",
      (more: IssuerOptions, fetch: Fetch = globalThis.fetch) =>
        oauth({
          fetch,
          open: person(fetch),
          redirectUri: "http://localhost:3000/callback",
          client: { id: "c", authentication, ...more },
        }),
    ] as const
  ),
  ...[secret, posted, signed].map((authentication) =>
    [
      "clientCredentials",
      (more: IssuerOptions, fetch?: Fetch) => clientCredentials({ fetch, clientId: "c", authentication, ...more }),
    ] as const
  ),
  ["enterpriseManaged", (more, fetch) =>
    enterpriseManaged({
      fetch,
      clientId: "c",
      authentication: secret,
      allowUnannounced: true,
      idp: { issuer: "https://idp.example", clientId: "d", idToken: () => "secret-id-token" },
      ...more,
    })],
  ["workloadIdentity", (more, fetch) => workloadIdentity({ fetch, assertion: () => "secret-jwt", ...more })],
];

Deno.test("credentials without their issuer are refused before anything is sent, by the name of the option and without the secret (M-AUTH-047, M-AUTH-048, B053)", () => {
  for (const [path, make] of FLOWS) {
    for (const more of [{}, { issuer: undefined }, { trustAnnouncedIssuer: false }, { trustAnnouncedIssuer: "no" as never }]) {
      assert.throws(() => make(more), (error) => {
        assert.ok(error instanceof TypeError);
        assert.ok(error.message.startsWith(`${path}.issuer: Expected the issuer that registered the client`), error.message);
        assert.match(error.message, /trustAnnouncedIssuer/);
        assert.doesNotMatch(Deno.inspect(error), /secret-/);
        return true;
      });
    }
    for (const issuer of ["", "as.example", "https://as.example?x", "https://as.example#x", "ftp://as.example", 1 as never]) {
      assert.throws(() => make({ issuer }), {
        name: "TypeError",
        message: new RegExp(`^${path}\\.issuer: Expected the identifier`),
      });
    }
    make({ issuer: ISSUER });
    make({ trustAnnouncedIssuer: true });
  }
});

Deno.test("credentials with an issuer never reach another one that a server names, nor one that lies about its name (M-AUTH-047, M-AUTH-048, B053)", async () => {
  for (const [path, make] of FLOWS) {
    for (const lies of [{}, { metadata: { issuer: ISSUER } }]) {
      const evil = authorizationSite(EVIL, lies);
      const net = network([evil, authorizationSite("https://idp.example")], {
        "https://h.example/.well-known/oauth-protected-resource": {
          resource: "https://h.example",
          authorization_servers: [EVIL],
        },
      });
      await assert.rejects(refuse(make({ issuer: ISSUER }, net.fetch), ENDPOINT), { reason: "issuer_mismatch" }, path);
      assert.deepEqual(evil.seen.filter(({ path }) => !path.startsWith("/.well-known/")), [], path);
    }
  }
});

Deno.test("oauth uses a public client without an issuer, whose identifier is no secret, at the first issuer alone", async () => {
  const [first, second] = [authorizationSite(ISSUER), authorizationSite(EVIL)];
  const documentOf = (origin: string, issuer: string) => ({
    [`${origin}/.well-known/oauth-protected-resource`]: { resource: origin, authorization_servers: [issuer] },
  });
  const net = network([first, second], { ...documentOf("https://h.example", ISSUER), ...documentOf("https://e.example", EVIL) });
  for (const client of [{ id: "public" }, { id: "public", authentication: { method: "none" } } as const]) {
    const auth = oauth({ fetch: net.fetch, open: person(net.fetch), redirectUri: "http://localhost:3000/callback", client });
    assert.match(String(await refuse(auth, ENDPOINT)), /^secret-access/);
    await assert.rejects(refuse(auth, "https://e.example/mcp"), { reason: "issuer_mismatch" });
    assert.deepEqual(second.at("/authorize"), []);
  }
});

Deno.test("oauth refuses an issuer that is no identifier, of a public client too", () => {
  for (const issuer of ["", "as.example", 1 as never]) {
    assert.throws(() => oauth({ client: { id: "public", issuer } }), {
      name: "TypeError",
      message: /^oauth\.client\.issuer: Expected the identifier/,
    });
  }
});

Deno.test("of two servers that name different issuers at the same time one alone gets credentials without an issuer", async () => {
  const [first, second] = [authorizationSite(ISSUER), authorizationSite(EVIL)];
  const documentOf = (origin: string, issuer: string) => ({
    [`${origin}/.well-known/oauth-protected-resource`]: { resource: origin, authorization_servers: [issuer] },
  });
  const net = network([first, second], { ...documentOf("https://h.example", ISSUER), ...documentOf("https://e.example", EVIL) });
  for (const [path, make] of FLOWS.filter(([path]) => path === "clientCredentials" || path === "workloadIdentity")) {
    const before = [first, second].map((site) => site.at("/token").length);
    const auth = make({ trustAnnouncedIssuer: true }, net.fetch);
    const outcomes = await Promise.allSettled(["https://h.example/mcp", "https://e.example/mcp"].map((url) => refuse(auth, url)));
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"], path);
    const [own, other] = [first, second].map((site, at) => site.at("/token").length - (before[at] as number));
    assert.deepEqual([own, other].sort(), [0, 1], path);
  }
});

Deno.test("oauth shares no secret with every server that reads the client's metadata document (M-AUTH-028, M-AUTH-034)", () => {
  const clientMetadataUrl = "https://app.example/client.json";
  for (const clientMetadataAuthentication of [secret, posted]) {
    assert.throws(() => oauth({ clientMetadataUrl, clientMetadataAuthentication }), (error) => {
      assert.match(String(error), /^TypeError: oauth\.clientMetadataAuthentication\.method: /);
      assert.doesNotMatch(Deno.inspect(error), /secret-of-c/);
      return true;
    });
  }
  oauth({ clientMetadataUrl, clientMetadataAuthentication: signed });
});
