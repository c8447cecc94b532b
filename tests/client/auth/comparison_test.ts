/** Near misses of issuers, `iss` parameters and resources: texts that URL parsers take for the same are not the same. */
import assert from "node:assert/strict";
import { readAuthorizationResponse } from "../../../client/auth/authorization_response.ts";
import { AuthorizationError, oauth } from "../../../client/auth/mod.ts";
import { bearer } from "../../../server/auth/mod.ts";
import { authorizationSite } from "./authorization_server.ts";
import { network, person, refuse } from "./world.ts";

const ISSUER = "https://as.example/tenant";

/** Each differs from {@linkcode ISSUER}, most of them not for a URL parser. */
const NEAR_MISSES: readonly string[] = [
  "https://as.example/tenant/",
  "https://as.example/tenant//",
  "https://as.example//tenant",
  "https://as.example/./tenant",
  "https://as.example/x/../tenant",
  "https://as.example/tenant/.",
  "https://as.example/tenant/..",
  "https://as.example/Tenant",
  "https://as.example/TENANT",
  "https://as.example/tenan",
  "https://as.example/tenant2",
  "https://as.example/tenant/a",
  "https://as.example/%74enant",
  "https://as.example/tenan%74",
  "https://as.example/tenan%54",
  "https://as.example/tenant%2F",
  "https://as.example/tenant%2f",
  "https://as.example/tenant%20",
  "https://as.example/tenant%00",
  "https://as.example/tenant;a",
  "https://as.example/tenant?",
  "https://as.example/tenant?a=b",
  "https://as.example/tenant#",
  "https://as.example/tenant#a",
  "https://as.example/tenant ",
  " https://as.example/tenant",
  "\thttps://as.example/tenant",
  "https://as.example/ten\nant",
  "https://as.example:443/tenant",
  "https://as.example:0443/tenant",
  "https://as.example:/tenant",
  "https://as.example:8443/tenant",
  "https://as.example:80/tenant",
  "HTTPS://as.example/tenant",
  "Https://as.example/tenant",
  "http://as.example/tenant",
  "https:as.example/tenant",
  "https:/as.example/tenant",
  "https:///as.example/tenant",
  "https:\\\\as.example\\tenant",
  "https://as.example\\tenant",
  "https://AS.example/tenant",
  "https://As.Example/tenant",
  "https://as.example./tenant",
  "https://as%2Eexample/tenant",
  "https://a%73.example/tenant",
  "https://user@as.example/tenant",
  "https://user:pass@as.example/tenant",
  "https://@as.example/tenant",
  "https://:@as.example/tenant",
  "https://as.example@evil.example/tenant",
  "https://evil.example/as.example/tenant",
  "https://as.example.evil.example/tenant",
  "https://xas.example/tenant",
  "https://ａｓ.example/tenant",
  "https://as。example/tenant",
  "https://аs.example/tenant",
  "https://xn--s-7sb.example/tenant",
  "https://as\u00ad.example/tenant",
  "https://as.exa\u200bmple/tenant",
  "https://as.example/tenant\u0301",
  "as.example/tenant",
  "//as.example/tenant",
  "",
  "null",
  "undefined",
];

Deno.test("no near miss of an issuer is taken for it in a redirect, whether or not the server announces it (M-AUTH-057, M-AUTH-058, M-AUTH-059, M-AUTH-060, M-AUTH-063, B043)", () => {
  assert.ok(NEAR_MISSES.length >= 60);
  for (const announced of [true, false, undefined]) {
    const server = { issuer: ISSUER, authorization_response_iss_parameter_supported: announced };
    const pending = { server, clientId: "c", state: "s" };
    for (const iss of NEAR_MISSES) {
      const parameters = new URLSearchParams({ code: "secret-code", state: "s", iss });
      assert.throws(() => readAuthorizationResponse(pending, parameters), { reason: "issuer_mismatch" }, JSON.stringify(iss));
    }
    assert.equal(
      readAuthorizationResponse(pending, new URLSearchParams({ code: "k", state: "s", iss: ISSUER })).get("code"),
      "k",
    );
  }
});

Deno.test("a missing iss is refused where the server announces it, and taken elsewhere (M-AUTH-061, M-AUTH-062)", () => {
  const parameters = new URLSearchParams({ code: "k", state: "s" });
  const read = (announced: boolean | undefined) => {
    const server = { issuer: ISSUER, authorization_response_iss_parameter_supported: announced };
    return readAuthorizationResponse({ server, clientId: "c", state: "s" }, parameters);
  };
  assert.throws(() => read(true), { reason: "issuer_mismatch" });
  assert.equal(read(false).get("code"), "k");
  assert.equal(read(undefined).get("code"), "k");
});

Deno.test("an error in a redirect of another issuer is neither acted on nor shown (M-AUTH-064)", () => {
  const pending = { server: { issuer: ISSUER }, clientId: "c", state: "s" };
  const wrong = {
    state: "s",
    iss: "https://evil.example",
    error: "access_denied",
    error_description: "Call 555-0100",
    error_uri: "https://evil.example/x",
  };
  assert.throws(() => readAuthorizationResponse(pending, new URLSearchParams(wrong)), (error) => {
    assert.ok(error instanceof AuthorizationError);
    assert.equal(error.reason, "issuer_mismatch");
    assert.doesNotMatch(Deno.inspect(error), /access_denied|555|evil/);
    return true;
  });
  const right = new URLSearchParams({ ...wrong, iss: ISSUER });
  assert.throws(() => readAuthorizationResponse(pending, right), {
    reason: "denied",
    message: /access_denied \(Call 555-0100\)/,
  });
});

Deno.test("a redirect with another state, without one, or with a parameter twice is thrown away (M-AUTH-124, M-AUTH-125)", () => {
  const pending = { server: { issuer: ISSUER }, clientId: "c", state: "s" };
  for (
    const query of [
      "code=k",
      "code=k&state=",
      "code=k&state=S",
      "code=k&state=s&state=s",
      "code=k&code=l&state=s",
      "state=s",
      "state=s&code=",
    ]
  ) {
    assert.throws(() => readAuthorizationResponse(pending, new URLSearchParams(query)), { reason: "denied" }, query);
  }
});

const RESOURCE = "https://mcp.example/tenant/mcp";

/** Each names another resource than {@linkcode RESOURCE}, though some parsers, or careless readers, take them for the same. */
const OTHER_RESOURCES: readonly string[] = [
  // Case of the path.
  "https://mcp.example/Tenant/mcp",
  "https://mcp.example/tenant/MCP",
  "https://mcp.example/TENANT",
  // Ports.
  "https://mcp.example:80/tenant/mcp",
  "https://mcp.example:8443/tenant/mcp",
  "https://mcp.example:4430/tenant/mcp",
  "http://mcp.example:443/tenant/mcp",
  // Slashes and dots.
  "https://mcp.example/tenant/mcp/",
  "https://mcp.example/tenant//mcp",
  "https://mcp.example//tenant/mcp",
  "https://mcp.example//",
  "https://mcp.example/tenant/mcp/.",
  "https://mcp.example/tenant/mcp/a/..",
  "https://mcp.example/tenant/../other",
  "https://mcp.example/tenant/mcp/../mcp2",
  // Percent-encoding.
  "https://mcp.example/%74enant/mcp",
  "https://mcp.example/tenant%2Fmcp",
  "https://mcp.example/tenant%2fmcp",
  "https://mcp.example/tenant/mcp%20",
  "https://mcp.example/tenant/mcp%00",
  "https://mcp.example/tenan%54/mcp",
  // Other paths.
  "https://mcp.example/tenan",
  "https://mcp.example/tenant2",
  "https://mcp.example/tenant/mcp2",
  "https://mcp.example/tenant/mc",
  "https://mcp.example/tenant/mcp/a",
  "https://mcp.example/tenant/mcp;a",
  "https://mcp.example/other/tenant/mcp",
  // IDN and look-alikes.
  "https://mcp.ex\u0430mple/tenant/mcp",
  "https://xn--mcp-8cd.example/tenant/mcp",
  "https://\uff4dcp.example/tenant/mcp",
  "https://mcp\u3002example/tenant/mcp",
  "https://mcp.exam\u00adple/tenant/mcp",
  "https://mcp.exa\u200bmple/tenant/mcp",
  "https://mcp.example./tenant/mcp",
  // Hosts.
  "https://mcp.example.evil.example/tenant/mcp",
  "https://xmcp.example/tenant/mcp",
  "https://example/tenant/mcp",
  "https://evil.example/mcp.example/tenant/mcp",
  // Query and fragment.
  "https://mcp.example/tenant/mcp?a=b",
  "https://mcp.example/tenant/mcp?a=c&a=b",
  "https://mcp.example/?tenant/mcp",
  "https://mcp.example/tenant/mcp#",
  "https://mcp.example/tenant/mcp#a",
  "https://mcp.example#/tenant/mcp",
  // User names.
  "https://user@mcp.example/tenant/mcp",
  "https://user:pass@mcp.example/tenant/mcp",
  "https://:pass@mcp.example/tenant/mcp",
  "https://mcp.example@evil.example/tenant/mcp",
  "https://mcp.example:443@evil.example/tenant/mcp",
  // What is no address of that kind.
  " https://mcp.example/tenant/mcp",
  "https://mcp.example/tenant/mcp ",
  "https://mcp.example/tenant/\nmcp",
  "\thttps://mcp.example/tenant/mcp",
  "https:\\\\mcp.example\\tenant\\mcp",
  "https://mcp.example\\tenant/mcp",
  "http://mcp.example/tenant/mcp",
  "wss://mcp.example/tenant/mcp",
  "ftp://mcp.example/tenant/mcp",
  "mcp.example/tenant/mcp",
  "//mcp.example/tenant/mcp",
  "/tenant/mcp",
  "urn:mcp:example",
  "null",
];

Deno.test("no near miss of the resource in metadata is taken for it, and nobody is sent anywhere then", async () => {
  assert.ok(OTHER_RESOURCES.length >= 60);
  for (const resource of OTHER_RESOURCES) {
    const server = authorizationSite(ISSUER);
    const document = { resource, authorization_servers: [ISSUER] };
    const net = network([server], { "https://mcp.example/.well-known/oauth-protected-resource/tenant/mcp": document });
    const auth = oauth({ fetch: net.fetch, open: person(net.fetch), redirectUri: "http://localhost:3000/callback" });
    await assert.rejects(refuse(auth, RESOURCE), { reason: "resource_mismatch" }, JSON.stringify(resource));
    assert.deepEqual(server.seen, [], JSON.stringify(resource));
  }
});

Deno.test("no near miss of the server's resource is taken for the audience of a token (M-AUTH-083, M-AUTH-085)", async () => {
  let audience: string | readonly string[] = "";
  const { authenticate } = bearer({
    resource: RESOURCE,
    authorizationServers: [ISSUER],
    verify: () => ({ principal: "a", scopes: [], claims: {}, audience }),
  });
  const status = async (): Promise<number | undefined> => {
    const answer = await authenticate(new Request(RESOURCE, { headers: { authorization: "Bearer t" } }));
    return "status" in answer ? answer.status : undefined;
  };
  const misses = [
    ...OTHER_RESOURCES,
    "HTTPS://mcp.example/tenant/mcp",
    "https://MCP.example/tenant/mcp",
    "https://mcp.example:443/tenant/mcp",
  ];
  for (const miss of [...misses, "https://mcp.example", "https://mcp.example/tenant", ""]) {
    for (const given of [miss, [miss], [miss, miss]]) {
      audience = given;
      assert.equal(await status(), 401, JSON.stringify(given));
    }
  }
  audience = [];
  assert.equal(await status(), 401);
  for (const given of [RESOURCE, [RESOURCE], ["https://other.example", RESOURCE]]) {
    audience = given;
    assert.equal(await status(), undefined);
  }
});

Deno.test("no near miss of an issuer in metadata is taken for it (M-AUTH-025, M-AUTH-026, B043)", async () => {
  for (const claimed of NEAR_MISSES) {
    const server = authorizationSite(ISSUER, { metadata: { issuer: claimed } });
    const document = { resource: "https://h.example", authorization_servers: [ISSUER] };
    const net = network([server], { "https://h.example/.well-known/oauth-protected-resource": document });
    const auth = oauth({ fetch: net.fetch, open: person(net.fetch), redirectUri: "http://localhost:3000/callback" });
    await assert.rejects(refuse(auth, "https://h.example/mcp"), (error) => {
      assert.ok(error instanceof AuthorizationError);
      assert.ok(error.reason === "issuer_mismatch" || (claimed === "" && error.reason === "discovery_failed"), claimed);
      return true;
    });
    assert.deepEqual([server.at("/authorize"), server.at("/token"), server.at("/register")], [[], [], []]);
  }
});
