/** Tests of `client/auth/discovery.ts` through `oauth`, with servers of any name in this process. */
import assert from "node:assert/strict";
import { AuthorizationError, oauth } from "../../../client/auth/mod.ts";
import type { OAuthOptions } from "../../../client/auth/mod.ts";
import { authorizationSite } from "./authorization_server.ts";
import { network, person, refusal, refuse } from "./world.ts";

const ISSUER = "https://as.example";
const ENDPOINT = "https://h.example/public/mcp";
const REDIRECT = "http://localhost:3000/callback";

function flow(fetch: typeof globalThis.fetch, options: OAuthOptions = {}): ReturnType<typeof oauth> {
  return oauth({ fetch, open: person(fetch), redirectUri: REDIRECT, ...options });
}

function resource(issuer: string, of = ENDPOINT): object {
  return { resource: of, authorization_servers: [issuer] };
}

async function failure(promise: Promise<unknown>): Promise<AuthorizationError> {
  const error = await promise.then(() => undefined, (error) => error);
  assert.ok(error instanceof AuthorizationError, String(error));
  return error;
}

/** The addresses under well-known paths that were asked for. */
function asked(urls: readonly string[], origin: string): string[] {
  return urls.filter((url) => url.startsWith(origin) && url.includes("/.well-known/")).map((url) => url.slice(origin.length));
}

Deno.test("discovery looks for the resource below its path, then at the root, and keeps the query (B044, M-AUTH-017, M-AUTH-019)", async () => {
  const RESOURCE = "/.well-known/oauth-protected-resource";
  const cases = [
    ["https://h.example/public/mcp", [`${RESOURCE}/public/mcp`, RESOURCE]],
    ["https://h.example/mcp?x=1", [`${RESOURCE}/mcp?x=1`, RESOURCE]],
    ["https://h.example/mcp/", [`${RESOURCE}/mcp`, RESOURCE]],
    ["https://h.example", [RESOURCE]],
  ] as const;
  for (const [endpoint, expected] of cases) {
    const server = authorizationSite(ISSUER);
    const net = network([server], { [`https://h.example${RESOURCE}`]: resource(ISSUER, "https://h.example") });
    assert.match(String(await refuse(flow(net.fetch), endpoint)), /^secret-access/);
    assert.deepEqual(asked(net.urls, "https://h.example"), expected);
  }
});

Deno.test("discovery takes the address of the challenge alone, wherever it is (M-AUTH-018, B045)", async () => {
  const at = "https://h.example/custom/location.json";
  const server = authorizationSite(ISSUER);
  const net = network([server], { [at]: resource(ISSUER) });
  assert.ok(await refuse(flow(net.fetch), ENDPOINT, refusal({ resourceMetadata: at })));
  assert.deepEqual(asked(net.urls, "https://h.example"), []);
  for (const document of [new Response("<!doctype html>", { headers: { "content-type": "text/html" } }), undefined]) {
    const guessed = {
      "https://h.example/.well-known/oauth-protected-resource": resource("https://evil.example", "https://h.example"),
    };
    const lying = network([server], document === undefined ? guessed : { ...guessed, [at]: document });
    const error = await failure(refuse(flow(lying.fetch), ENDPOINT, refusal({ resourceMetadata: at })));
    assert.equal(error.reason, "discovery_failed");
    assert.deepEqual(lying.urls, [at]);
    assert.equal(error.trace.length, 1);
  }
  const relative = await failure(refuse(flow(net.fetch), ENDPOINT, refusal({ resourceMetadata: "/relative" })));
  assert.equal(relative.reason, "discovery_failed");
});

Deno.test("discovery remembers the address of an earlier challenge (B047)", async () => {
  const at = "https://h.example/custom";
  const net = network([authorizationSite(ISSUER)], { [at]: resource(ISSUER) });
  const auth = flow(net.fetch);
  await refuse(auth, ENDPOINT, refusal({ resourceMetadata: at }));
  assert.ok(await refuse(auth, ENDPOINT, refusal({ scheme: "negotiate" })));
  assert.deepEqual(asked(net.urls, "https://h.example"), []);
});

Deno.test("discovery asks three addresses for an issuer with a path and two for one without, in order, with no double slash (B044, M-AUTH-011, M-AUTH-022, M-AUTH-023, M-AUTH-024)", async () => {
  const SERVER = "/.well-known/oauth-authorization-server";
  const OPENID = "/.well-known/openid-configuration";
  const cases = [
    ["https://as.example/tenant1", [`${SERVER}/tenant1`, `${OPENID}/tenant1`, `/tenant1${OPENID}`]],
    ["https://as.example/tenant1/", [`${SERVER}/tenant1`, `${OPENID}/tenant1`, `/tenant1${OPENID}`]],
    ["https://as.example", [SERVER, OPENID]],
    ["https://as.example/", [SERVER, OPENID]],
  ] as const;
  for (const [issuer, expected] of cases) {
    const server = authorizationSite(issuer, { metadataPath: expected.at(-1) as string });
    const net = network([server], {
      "https://h.example/.well-known/oauth-protected-resource": resource(issuer, "https://h.example"),
    });
    assert.ok(await refuse(flow(net.fetch), ENDPOINT));
    assert.deepEqual(asked(net.urls, "https://as.example"), expected);
  }
});

Deno.test("discovery passes by pages and other things that are no metadata (B045)", async () => {
  const issuer = "https://as.example/t";
  const server = authorizationSite(issuer, { metadataPath: "/t/.well-known/openid-configuration" });
  const html = new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
  const documents = {
    "https://h.example/.well-known/oauth-protected-resource/public/mcp": html,
    "https://h.example/.well-known/oauth-protected-resource": resource(issuer, "https://h.example/public"),
    "https://as.example/.well-known/oauth-authorization-server/t": html,
    "https://as.example/.well-known/openid-configuration/t": null,
  };
  assert.ok(await refuse(flow(network([server], documents).fetch), ENDPOINT));
  const error = await failure(refuse(flow(network([], documents).fetch), ENDPOINT));
  assert.equal(error.reason, "discovery_failed");
  assert.deepEqual(error.trace.map(({ status, note }) => [status, note]), [
    [200, "it is not a JSON object"],
    [200, "read"],
    [200, "it is not a JSON object"],
    [200, "it is not a JSON object"],
    [404, "not there"],
  ]);
});

Deno.test("discovery does not go on past a server that fails", async () => {
  for (const status of [500, 503]) {
    const net = network([], {
      "https://h.example/.well-known/oauth-protected-resource/public/mcp": new Response(null, { status }),
    });
    assert.equal((await failure(refuse(flow(net.fetch), ENDPOINT))).reason, "discovery_failed");
    assert.equal(net.urls.length, 1);
  }
  const broken = await failure(refuse(flow(() => Promise.reject(new Error("secret-detail"))), ENDPOINT));
  assert.match(broken.message, /cannot be reached/);
  assert.doesNotMatch(Deno.inspect(broken), /secret-detail/);
});

Deno.test("discovery uses no metadata of another issuer, and shows both texts (B043, M-AUTH-025, M-AUTH-026)", async () => {
  const cases = [
    ["https://as.example/", "https://as.example"],
    ["https://as.example", "https://as.example:443"],
    ["https://as.example", "HTTPS://AS.example"],
    ["https://as.example", "https://honest.example"],
  ] as const;
  for (const [issuer, claimed] of cases) {
    const server = authorizationSite(issuer, { metadata: { issuer: claimed } });
    const net = network([server], {
      "https://h.example/.well-known/oauth-protected-resource": resource(issuer, "https://h.example"),
    });
    const error = await failure(refuse(flow(net.fetch), ENDPOINT));
    assert.equal(error.reason, "issuer_mismatch");
    assert.ok(error.message.includes(issuer) && error.message.includes(claimed));
    assert.ok(server.seen.every(({ path }) => path.startsWith("/.well-known/")));
  }
});

Deno.test("discovery forgives one slash where that is asked for, and then holds to the published issuer", async () => {
  const server = authorizationSite("https://as.example", { redirect: { iss: "https://as.example" } });
  const net = network([server], {
    "https://h.example/.well-known/oauth-protected-resource": resource("https://as.example/", "https://h.example"),
  });
  assert.ok(await refuse(flow(net.fetch, { allowIssuerTrailingSlash: true }), ENDPOINT));
  assert.match((await failure(refuse(flow(net.fetch), ENDPOINT))).message, /allowIssuerTrailingSlash/);
});

Deno.test("discovery wants PKCE with S256 before it sends anybody anywhere (M-AUTH-118, M-AUTH-120, M-AUTH-121, M-AUTH-122)", async () => {
  for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]) {
    for (const methods of [undefined, [], ["plain"], "S256"]) {
      const server = authorizationSite(ISSUER, { metadataPath: path, metadata: { code_challenge_methods_supported: methods } });
      const net = network([server], {
        "https://h.example/.well-known/oauth-protected-resource": resource(ISSUER, "https://h.example"),
      });
      assert.match((await failure(refuse(flow(net.fetch), ENDPOINT))).message, /PKCE/);
      assert.deepEqual(server.at("/authorize"), []);
      assert.deepEqual(server.at("/register"), []);
    }
  }
});

Deno.test("the resource goes out letter by letter in all three requests (B042, M-AUTH-067, M-AUTH-068, M-AUTH-069, M-AUTH-070, M-AUTH-072, M-AUTH-073)", async () => {
  const cases = [
    ["https://mcp.example", "https://mcp.example", "https://mcp.example"],
    ["https://mcp.example/a/b", "https://mcp.example/a/", "https://mcp.example/a/"],
    ["https://mcp.example/Mcp", "HTTPS://MCP.Example/Mcp", "HTTPS://MCP.Example/Mcp"],
    ["https://mcp.example/x", "https://mcp.example:443/x", "https://mcp.example:443/x"],
    ["https://mcp.example", undefined, "https://mcp.example"],
    ["https://mcp.example/", undefined, "https://mcp.example"],
    ["https://mcp.example/server/mcp#part", undefined, "https://mcp.example/server/mcp"],
  ] as const;
  for (const [endpoint, published, sent] of cases) {
    // Without metadata the resource is its own authorization server (2025-03-26).
    const issuer = published === undefined ? "https://mcp.example" : ISSUER;
    const server = authorizationSite(issuer);
    const at = "https://mcp.example/.well-known/oauth-protected-resource";
    const net = network([server], published === undefined ? {} : { [at]: resource(issuer, published) });
    const auth = flow(net.fetch);
    await refuse(auth, endpoint);
    await refuse(auth, endpoint);
    const [page] = server.at("/authorize");
    assert.ok(`${page?.url}&`.includes(`resource=${encodeURIComponent(sent)}&`), page?.url);
    assert.deepEqual(server.at("/token").map(({ params }) => [params.get("grant_type"), params.getAll("resource")]), [
      ["authorization_code", [sent]],
      ["refresh_token", [sent]],
    ]);
  }
});

Deno.test("scopes come from the challenge, otherwise all that the resource publishes, otherwise none (M-AUTH-050, M-AUTH-051, M-AUTH-054, M-AUTH-055, M-AUTH-056, L-AUTH-004)", async () => {
  const cases = [
    ["x y", ["a", "b"], "x y"],
    [undefined, ["a", "b"], "a b"],
    [undefined, undefined, null],
    ["x x", undefined, "x"],
  ] as const;
  for (const [scope, published, expected] of cases) {
    const server = authorizationSite(ISSUER, { metadata: { scopes_supported: ["q"] } });
    const document = { ...resource(ISSUER, "https://h.example"), scopes_supported: published };
    const net = network([server], { "https://h.example/.well-known/oauth-protected-resource": document });
    await refuse(flow(net.fetch), ENDPOINT, refusal({ scope }));
    assert.equal(server.at("/authorize")[0]?.params.get("scope"), expected);
  }
});

Deno.test("discovery reaches no plain http, no private address for a public server, and follows no redirect", async () => {
  const cases = [
    ["http://as.example", /not https/],
    ["http://127.0.0.1:9", /allowInsecureLoopback/],
    ["https://127.0.0.1", /private network/],
    ["https://localhost", /private network/],
    ["https://10.1.2.3", /private network/],
    ["https://169.254.169.254", /private network/],
    ["https://[::1]", /private network/],
    ["https://[::ffff:10.0.0.1]", /private network/],
    ["https://[fd00::1]", /private network/],
    ["https://0x7f000001", /private network/],
    ["https://localhost.", /private network/],
    ["https://a.localhost.", /private network/],
    ["https://[::10.0.0.1]", /private network/],
    ["https://[64:ff9b::169.254.169.254]", /private network/],
    ["https://user@as.example", /user name/],
    ["https://as.example?x", /query/],
    ["javascript:alert(1)", /neither an https nor/],
    ["file:///etc/passwd", /neither an https nor/],
  ] as const;
  for (const [issuer, message] of cases) {
    const net = network([], { "https://h.example/.well-known/oauth-protected-resource": resource(issuer, "https://h.example") });
    assert.match((await failure(refuse(flow(net.fetch), ENDPOINT))).message, message, issuer);
    assert.ok(net.urls.every((url) => url.startsWith("https://h.example/")));
  }
  const moved = new Response(null, { status: 302, headers: { location: "https://evil.example/" } });
  const net = network([], { "https://h.example/custom": moved });
  await failure(refuse(flow(net.fetch), ENDPOINT, refusal({ resourceMetadata: "https://h.example/custom" })));
  assert.deepEqual(net.urls, ["https://h.example/custom"]);
});

Deno.test("discovery reads no document without end", async () => {
  const endless = new ReadableStream({ pull: (control) => control.enqueue(new Uint8Array(65_536).fill(32)) });
  const fetch = () => Promise.resolve(new Response(endless));
  assert.match((await failure(refuse(flow(fetch), ENDPOINT))).message, /larger than 262144 bytes/);
});

Deno.test("a server without any metadata is its own authorization server, at its usual addresses (L-AUTH-001, L-AUTH-002)", async () => {
  const server = authorizationSite("https://h.example", { metadataPath: "/nowhere", redirect: { iss: undefined } });
  const net = network([server]);
  assert.match(String(await refuse(flow(net.fetch), ENDPOINT)), /^secret-access/);
  assert.deepEqual(server.seen.filter(({ path }) => !path.includes("well-known")).map(({ path }) => path), [
    "/register",
    "/authorize",
    "/token",
  ]);
});

Deno.test("no token goes to a server over plain http", async () => {
  const auth = oauth({
    store: {
      get: () =>
        JSON.stringify({
          issuer: ISSUER,
          resource: "http://h.example",
          clientId: "",
          accessToken: "secret-access",
          tokenType: "bearer",
          granted: [],
          requested: [],
        }),
      set: () => undefined,
      delete: () => undefined,
    },
  });
  const request = { url: "http://h.example/mcp", method: "POST", signal: new AbortController().signal };
  const error = await failure(Promise.resolve(auth.credentials(request)));
  assert.match(error.message, /not https/);
  assert.doesNotMatch(Deno.inspect(error), /secret-access/);
});

Deno.test("discovery tells why the platform does not reach a server, without its query", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const auth = oauth({ open: () => {}, redirectUri: REDIRECT, allowInsecureLoopback: true });
  const { message } = await failure(refuse(auth, `http://127.0.0.1:${port}/mcp?key=secret`));
  assert.match(message, /the server cannot be reached \(.*refused.*\)/i);
  assert.doesNotMatch(message, /secret/);
});
