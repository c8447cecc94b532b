import assert from "node:assert/strict";
import { parseChallenges } from "../../../protocol/auth/challenge.ts";
import { bearer } from "../../../server/auth/mod.ts";
import type { BearerOptions, VerifiedToken } from "../../../server/auth/mod.ts";
import { defineServer, tool } from "../../../server/mod.ts";
import { connect } from "../../../client/connect.ts";
import { listen, Wire } from "../socket.ts";
import { httpRequest, post, readReply, request } from "../wire.ts";
import { RESOURCE, withAuthorizationServer } from "./authorization_server.ts";
import { callWith, challenged, METADATA_URL, protectedServer, said } from "./protected.ts";

const ISSUER = { issuer: "https://as.example" };

/** A server whose verifier knows three opaque tokens and counts how often it is asked. */
function opaqueServer(options: Partial<BearerOptions<unknown>> = {}) {
  const asked: string[] = [];
  const known = new Map<string, VerifiedToken<unknown>>([
    ["good", { principal: "alice", scopes: ["mcp", "read"], claims: { a: 1 } }],
    ["elsewhere", { principal: "alice", scopes: ["mcp"], claims: {}, audience: ["https://other.example"] }],
    ["over", { principal: "alice", scopes: [], claims: {}, expiresAt: 1 }],
    ["nobody", { principal: "", scopes: [], claims: {} }],
    ["endless", { principal: "alice", scopes: [], claims: {}, expiresAt: NaN }],
    ["text", { principal: "alice", scopes: [], claims: {}, expiresAt: "1" as never }],
  ]);
  const verify = (token: string): VerifiedToken<unknown> | undefined => {
    asked.push(token);
    return known.get(token);
  };
  return { asked, ...protectedServer(ISSUER, { bearer: { verify, ...options } as never }) };
}

Deno.test("bearer() answers a request without a token with 401, and a challenge without an error (M-AUTH-016, M-AUTH-049, M-AUTH-094, L-AUTH-003)", async () => {
  const { server, asked, runs } = opaqueServer({ scopes: ["mcp", "read"] });
  const params = challenged(await callWith(server, undefined), 401, undefined);
  assert.equal(params.get("scope"), "mcp read");
  for (const authorization of ["Basic YTpi", "Basic x, Bearer good", "DPoP good", ""]) {
    challenged(await callWith(server, undefined, { authorization }), 401, undefined);
  }
  assert.deepEqual([asked, runs.count], [[], 0]);
  const plain = challenged(await callWith(opaqueServer().server, undefined), 401, undefined);
  assert.equal(plain.has("scope"), false);
});

Deno.test("bearer() takes the scheme in any case, and one token of legal characters only (M-AUTH-096)", async () => {
  const { server, asked } = opaqueServer();
  for (const authorization of ["Bearer good", "bearer good", "BEARER  good"]) {
    said(await callWith(server, undefined, { authorization }));
  }
  const malformed = [
    "Bearer",
    "Bearer ",
    "Bearer good good",
    "Bearer good, Bearer good",
    "Bearer good,x",
    "Bearer g%6fod",
    'Bearer "good"',
    "Bearer =good",
    "Bearer\tgood",
    "Bearer;good",
    ",Bearer good",
    `Bearer ${"a".repeat(9000)}`,
  ];
  asked.length = 0;
  for (const authorization of malformed) {
    const params = challenged(await callWith(server, undefined, { authorization }), 400, "invalid_request");
    assert.doesNotMatch(params.get("error_description") as string, /good|aaaa/);
  }
  const twice = httpRequest(request("tools/call", { name: "whoami" }));
  twice.headers.append("authorization", "Bearer good");
  twice.headers.append("authorization", "Bearer good");
  challenged(await readReply(await server.fetch(twice)), 400, "invalid_request");
  assert.deepEqual(asked, []);
});

Deno.test("bearer() looks for a token in the header alone, before it reads anything of the body", async () => {
  const { server, asked } = opaqueServer();
  const inBody = request("tools/call", { name: "whoami", arguments: {}, access_token: "good" });
  challenged(await callWith(server, undefined, {}, inBody), 401, undefined);
  const inQuery = new Request(`${RESOURCE}?access_token=good`, httpRequest(inBody));
  challenged(await readReply(await server.fetch(inQuery)), 401, undefined);
  challenged(await post(server, inBody, { "x-authorization": "Bearer good", cookie: "access_token=good" }), 401, undefined);
  challenged(await post(server, "no json", { "content-type": "text/plain" }), 401, undefined);
  const body = new ReadableStream({ pull: () => assert.fail("the body was read") }, { highWaterMark: 0 });
  const unread = new Request(RESOURCE, { method: "POST", body, headers: { "content-type": "application/json" } });
  challenged(await readReply(await server.fetch(unread)), 401, undefined);
  assert.deepEqual(asked, []);
});

Deno.test("bearer() checks every method, and the host before the token", async () => {
  const { server, asked } = opaqueServer();
  for (const method of ["GET", "DELETE", "PUT"]) {
    challenged(await readReply(await server.fetch(new Request(RESOURCE, { method }))), 401, undefined);
  }
  for (const method of ["tools/list", "server/discover", "ping", "nothing"]) {
    challenged(await callWith(server, "bad", {}, request(method)), 401, "invalid_token");
  }
  challenged(await callWith(server, "bad", {}, { jsonrpc: "2.0", method: "notifications/cancelled" }), 401, "invalid_token");
  asked.length = 0;
  const foreign = await callWith(server, "good", { host: "evil.example" });
  assert.equal(foreign.status, 403);
  assert.equal((await callWith(server, "good", { origin: "https://evil.example" })).status, 403);
  assert.deepEqual(asked, []);
});

Deno.test("bearer() lets web pages of allowed origins read challenges, and answers preflights without a token", async () => {
  const { server } = opaqueServer();
  const origin = "http://localhost:5173";
  const reply = await callWith(server, undefined, { origin });
  assert.equal(reply.status, 401);
  assert.equal(reply.headers.get("access-control-allow-origin"), origin);
  assert.match(reply.headers.get("access-control-expose-headers") as string, /www-authenticate/);
  const asking = { origin, "access-control-request-method": "POST" };
  assert.equal((await server.fetch(new Request(RESOURCE, { method: "OPTIONS", headers: asking }))).status, 204);
});

Deno.test("bearer() refuses what a verifier says is for another server or over, and never asks for scopes then (M-AUTH-079, M-AUTH-081)", async () => {
  const { server } = opaqueServer({ scopes: ["admin"] });
  challenged(await callWith(server, "elsewhere"), 401, "invalid_token");
  challenged(await callWith(server, "over"), 401, "invalid_token");
  challenged(await callWith(server, "unknown"), 401, "invalid_token");
});

Deno.test("bearer() answers missing scopes with 403 that names all of them (M-AUTH-095, M-AUTH-097, M-AUTH-098, M-AUTH-099, M-AUTH-100, M-AUTH-101, M-AUTH-102)", async () => {
  const { server, runs } = opaqueServer({ scopes: ["mcp", "admin"] });
  const params = challenged(await callWith(server, "good"), 403, "insufficient_scope");
  assert.equal(params.get("scope"), "mcp admin");
  assert.ok(params.has("error_description"));
  assert.equal(runs.count, 0);
});

Deno.test("bearer() leaves it to `covers` which scope implies another (M-AUTH-112)", async () => {
  const covers = (granted: readonly string[], needed: readonly string[]): boolean =>
    needed.every((scope) => granted.includes(scope) || granted.includes(scope.split(":")[0] as string));
  const { server } = opaqueServer({ scopes: ["read:notes"], covers });
  said(await callWith(server, "good"));
});

Deno.test("bearer() lets nobody in whom `covers` answers with a promise (M-AUTH-112)", async () => {
  for (const answer of [() => Promise.resolve(true), () => Promise.reject(new Error("Asked elsewhere"))]) {
    const { server, runs } = opaqueServer({ scopes: ["mcp"], covers: answer as never });
    challenged(await callWith(server, "good"), 403, "insufficient_scope");
    assert.equal(runs.count, 0);
  }
});

Deno.test("bearer() hands no token to handlers, middleware and visible (M-AUTH-084, M-AUTH-087)", async () => {
  const seen: (string | null)[] = [];
  const { server } = protectedServer(ISSUER, {
    bearer: { verify: () => ({ principal: "alice", scopes: [], claims: {} }) },
    server: {
      use: [(call, next) => (seen.push(call.info.headers.get("authorization")), next())],
    },
  });
  const reply = await callWith(server, "marked-secret", { "x-other": "1", dpop: "marked-secret" });
  const { headers, auth } = said(reply);
  assert.doesNotMatch(reply.text, /marked-secret/);
  assert.ok(headers.some(([name]: [string]) => name === "x-other"));
  assert.deepEqual(auth, { principal: "alice", scopes: [], claims: {} });
  assert.deepEqual(seen, [null]);
});

Deno.test("auth.of() gives the caller of a handler, and throws when there is none", async () => {
  const { auth, server } = opaqueServer();
  const info = { principal: "p", scopes: [], claims: {} };
  assert.equal(auth.of({ auth: info }), info);
  assert.throws(() => auth.of({ auth: undefined }), /^TypeError: auth\.of: The request has no verified caller/);
  const handed = await readReply(
    await server.respond(httpRequest(request("tools/call", { name: "whoami", arguments: {} })), { auth: info }),
  );
  assert.equal(said(handed).auth.principal, "p");
});

Deno.test("in process the option auth changes nothing (M-AUTH-002, M-AUTH-005)", async () => {
  const { server, asked } = opaqueServer();
  await using client = await connect(server);
  assert.equal((await client.listTools()).length, 1);
  assert.deepEqual(asked, []);
});

Deno.test("bearer() publishes metadata at the well-known path of the resource, for anybody (M-AUTH-009, M-AUTH-013, M-AUTH-016, M-AUTH-093)", async () => {
  const { server } = opaqueServer({
    scopes: ["mcp"],
    scopesSupported: ["read", "mcp"],
    name: "Notes",
    documentation: "https://d.example",
  });
  const response = await server.fetch(new Request(METADATA_URL, { headers: { origin: "https://anywhere.example" } }));
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  assert.deepEqual(await response.json(), {
    resource: RESOURCE,
    authorization_servers: ["https://as.example"],
    scopes_supported: ["mcp", "read"],
    resource_name: "Notes",
    resource_documentation: "https://d.example",
    bearer_methods_supported: ["header"],
  });
  const statuses = await Promise.all(
    ["HEAD", "OPTIONS", "POST", "DELETE"].map(async (method) => {
      const reply = await server.fetch(new Request(METADATA_URL, { method }));
      assert.equal(await reply.text(), "");
      return reply.status;
    }),
  );
  assert.deepEqual(statuses, [200, 204, 405, 405]);
  const { headers: allowed } = await server.fetch(new Request(METADATA_URL, { method: "OPTIONS" }));
  for (const [name, value] of [["origin", "*"], ["headers", "*"], ["private-network", "true"]]) {
    assert.equal(allowed.get(`access-control-allow-${name}`), value);
  }
  for (const path of ["", "/other", "/mcp/deep", "/mcpx"]) {
    const other = await server.fetch(new Request(`http://localhost/.well-known/oauth-protected-resource${path}`));
    assert.equal((await readReply(other)).status, 401);
  }
});

Deno.test("bearer() answers a request for metadata under a Host header that is no host with 400 (RFC 9112 § 3.2)", async () => {
  const { server } = opaqueServer();
  const http = listen(server);
  for (
    const [host, status] of [["localhost:99999", 400], ["[zz]", 400], ["a b", 400], ["localhost:", 200], [
      "evil.example",
      200,
    ]] as const
  ) {
    const wire = await Wire.open(http.port);
    await wire.write(`GET /.well-known/oauth-protected-resource/mcp HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    assert.equal((await wire.answer()).status, status, host);
    wire.hangUp();
  }
  await http.close();
});

Deno.test("bearer() publishes the resource as it was given, and the metadata where clients look for it", async (t) => {
  const cases = [
    ["https://mcp.example", "https://mcp.example/.well-known/oauth-protected-resource"],
    ["https://mcp.example/", "https://mcp.example/.well-known/oauth-protected-resource"],
    ["https://mcp.example/a/b", "https://mcp.example/.well-known/oauth-protected-resource/a/b"],
    ["https://mcp.example/a/", "https://mcp.example/.well-known/oauth-protected-resource/a"],
    ["HTTPS://MCP.Example/Mcp", "https://mcp.example/.well-known/oauth-protected-resource/Mcp"],
    ["https://mcp.example:443/x", "https://mcp.example/.well-known/oauth-protected-resource/x"],
  ] as const;
  for (const [resource, url] of cases) {
    await t.step(resource, async () => {
      const { server } = opaqueServer({ resource });
      const reply = await server.with({ hosts: ["mcp.example"], path: "/elsewhere" }).fetch(new Request(url));
      assert.equal((await reply.json()).resource, resource);
      const refused = await callWith(server, undefined);
      const [challenge] = parseChallenges(refused.headers.get("www-authenticate") as string);
      assert.equal(challenge?.params.get("resource_metadata"), url);
    });
  }
});

Deno.test("bearer() refuses wrong options, and offline_access among them (M-AUTH-092, M-AUTH-093)", () => {
  const good = { resource: RESOURCE, authorizationServers: ["https://as.example"], verify: () => undefined };
  const fault = (changes: Record<string, unknown>): string => {
    try {
      bearer({ ...good, ...changes } as never);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(fault({}), "");
  assert.match(fault({ scopes: ["offline_access"] }), /^bearer\.scopes: offline_access/);
  assert.match(fault({ scopesSupported: ["offline_access"] }), /^bearer\.scopesSupported: offline_access/);
  assert.match(fault({ scopes: ["a b"] }), /^bearer\.scopes: Expected a list of scopes/);
  assert.match(fault({ scopes: ['a"b'] }), /^bearer\.scopes: Expected a list of scopes/);
  assert.match(fault({ authorizationServers: [] }), /^bearer\.authorizationServers: /);
  assert.match(
    fault({ authorizationServers: ["http://as.example"] }),
    /^bearer\.authorizationServers\[0\]: Expected an https URL/,
  );
  assert.match(fault({ resource: "http://mcp.example/mcp" }), /^bearer\.resource: Expected an https URL/);
  assert.match(fault({ resource: "https://mcp.example/mcp#x" }), /^bearer\.resource: .* fragment/);
  assert.match(fault({ resource: "https://u:secret@mcp.example" }), /^bearer\.resource: Expected a URL without a user name$/);
  assert.match(fault({ resource: "/mcp" }), /^bearer\.resource: Expected an absolute URL/);
  assert.match(fault({ dpop: "on" }), /^bearer\.dpop: /);
  assert.match(fault({ audience: "x" }), /^bearer\.audience: Unknown option/);
  assert.throws(() => defineServer({ name: "x", version: "1", auth: {} as never }), /^TypeError: auth: Expected/);
});

Deno.test("a verifier or authenticator that fails lets nobody in, and tells the client nothing (M-AUTH-086, M-AUTH-114)", async () => {
  const failures: readonly (() => never)[] = [
    () => {
      throw new Error("database marked-secret");
    },
  ];
  const errors: unknown[] = [];
  for (const verify of failures) {
    const { server, runs } = protectedServer(ISSUER, { bearer: { verify } });
    const reply = await callWith(server, "marked-token");
    assert.equal(reply.status, 503);
    assert.doesNotMatch(reply.text + JSON.stringify([...reply.headers]), /marked/);
    assert.equal(runs.count, 0);
    errors.push(...runs.errors);
  }
  assert.equal(errors.length, 1);
  const { server, runs } = opaqueServer();
  for (const token of ["nobody", "endless", "text"]) {
    assert.equal((await callWith(server, token)).status, 503, token);
    assert.match(String(runs.errors.pop()), /bearer\.verify: Expected/);
  }
  for (const answer of [undefined, null, {}, { principal: "" }, { principal: "a" }, "alice"]) {
    const broken = server.with({ auth: { authenticate: () => Promise.resolve(answer as never), of: () => answer as never } });
    assert.equal((await callWith(broken, "good")).status, 503);
  }
});

Deno.test("a server takes an authenticator of the application's own (M-AUTH-004)", async () => {
  const auth = {
    authenticate: (request: Request) =>
      Promise.resolve(
        request.headers.get("x-key") === "k"
          ? { principal: "key", scopes: ["a"], claims: 7 }
          : Response.redirect("https://login.example"),
      ),
    of: () => ({ principal: "key", scopes: ["a"], claims: 7 }),
  };
  const who = tool({ name: "whoami", scopes: ["a"], handler: (_args, ctx) => JSON.stringify({ auth: ctx.auth }) });
  const more = tool({ name: "more", scopes: ["b"], handler: () => "no" });
  const server = defineServer({ name: "x", version: "1", auth, tools: [who, more] });
  assert.equal(said(await callWith(server, undefined, { "x-key": "k" })).auth.claims, 7);
  assert.equal((await callWith(server, undefined, { origin: "http://localhost" })).status, 302);
  const refused = await callWith(server, undefined, { "x-key": "k" }, request("tools/call", { name: "more" }));
  assert.equal(refused.headers.get("www-authenticate"), 'Bearer error="insufficient_scope", scope="b"');
});

Deno.test("bearer() guards a real endpoint: tokens of large requests are checked before the body is taken", async () => {
  await withAuthorizationServer(async (as) => {
    const { server, runs } = protectedServer(as);
    const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, server.fetch);
    try {
      const url = `http://127.0.0.1:${http.addr.port}/mcp`;
      const message = JSON.stringify(request("tools/call", { name: "whoami", arguments: {} }));
      const headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "whoami",
      };
      const refused = await fetch(url, { method: "POST", headers, body: message.padEnd(100_000) });
      assert.equal(refused.status, 401);
      await refused.body?.cancel();
      const authorization = `Bearer ${await as.issue()}`;
      const taken = await fetch(url, { method: "POST", headers: { ...headers, authorization }, body: message });
      assert.equal(said(await readReply(taken)).auth.claims.sub, "alice");
      assert.equal(runs.count, 1);
      const metadata = await fetch(`http://127.0.0.1:${http.addr.port}/.well-known/oauth-protected-resource/mcp`);
      assert.deepEqual((await metadata.json()).authorization_servers, [as.issuer]);
    } finally {
      await http.shutdown();
    }
  });
});
