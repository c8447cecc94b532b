import assert from "node:assert/strict";
import { TOKEN_LIMITS } from "../../../protocol/limits.ts";
import { introspection } from "../../../server/auth/mod.ts";
import type { IntrospectionOptions } from "../../../server/auth/mod.ts";
import { RESOURCE, seconds, withAuthorizationServer } from "./authorization_server.ts";
import type { AuthorizationServer } from "./authorization_server.ts";
import { callWith, challenged, protectedServer, said } from "./protected.ts";

function setUp(as: AuthorizationServer, options: Partial<IntrospectionOptions> = {}) {
  const verify = introspection({
    endpoint: `${as.issuer}/introspect`,
    clientId: "rs:1",
    clientSecret: "s&c %",
    audience: RESOURCE,
    issuer: as.issuer,
    ...options,
  });
  return protectedServer(as, { bearer: { verify } });
}

function answer(as: AuthorizationServer, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    active: true,
    aud: RESOURCE,
    sub: "alice",
    client_id: "app",
    scope: "a b",
    exp: seconds() + 60,
    iss: as.issuer,
    ...changes,
  };
}

Deno.test("introspection() asks as RFC 7662 says, once per token for a while (M-AUTH-078)", async () => {
  await withAuthorizationServer(async (as) => {
    const { server } = setUp(as);
    as.opaque.set("t+1/x==", answer(as));
    const replies = await Promise.all(Array.from({ length: 5 }, () => callWith(server, "t+1/x==")));
    for (const reply of replies) {
      assert.equal(said(reply).auth.principal, JSON.stringify([as.issuer, "alice", "app"]));
    }
    said(await callWith(server, "t+1/x=="));
    assert.equal(as.hits.get("/introspect"), 1);
    assert.equal(as.lastQuestion?.body, "token=t%2B1%2Fx%3D%3D&token_type_hint=access_token");
    assert.equal(atob(as.lastQuestion?.authorization?.slice("Basic ".length) as string), "rs%3A1:s%26c+%25");
  });
});

Deno.test("introspection() refuses every answer that does not clearly speak for this server (M-AUTH-079, M-AUTH-081, M-AUTH-085)", async (t) => {
  const cases: readonly (readonly [string, Record<string, unknown>])[] = [
    ["inactive", { active: false }],
    ["active as a text", { active: "true" }],
    ["another audience", { aud: "https://other.example" }],
    ["an audience with a slash more", { aud: `${RESOURCE}/` }],
    ["no audience", { aud: undefined }],
    ["another issuer", { iss: "https://evil.example" }],
    ["over", { exp: seconds() - 60 }],
    ["not yet", { nbf: seconds() + 60 }],
    ["an end that is a text", { exp: String(seconds() + 60) }],
    ["an end that is a list", { exp: [seconds() + 60] }],
    ["a beginning that is a text", { nbf: String(seconds() + 60) }],
    ["nobody", { sub: undefined, client_id: undefined }],
    ["a subject that is a number", { sub: 17 }],
    ["bound to a key", { cnf: { jkt: "x" } }],
    ["bound to a certificate", { cnf: { "x5t#S256": "x" } }],
  ];
  await withAuthorizationServer(async (as) => {
    const { server, runs } = setUp(as);
    for (const [name, changes] of cases) {
      await t.step(name, async () => {
        const token = name.replaceAll(" ", "-");
        as.opaque.set(token, answer(as, changes));
        challenged(await callWith(server, token), 401, "invalid_token");
        assert.equal(as.hits.get("/introspect"), cases.findIndex(([one]) => one === name) + 1);
      });
    }
    assert.equal(runs.count, 0);
  });
});

Deno.test("introspection() takes an answer whose times are null as one without them", async () => {
  await withAuthorizationServer(async (as) => {
    const { server } = setUp(as);
    as.opaque.set("t", answer(as, { exp: null, nbf: null }));
    assert.equal(said(await callWith(server, "t")).auth.expiresAt, undefined);
  });
});

Deno.test("introspection() forgets answers, refusals sooner, and asks always with ttlMs 0", async () => {
  await withAuthorizationServer(async (as) => {
    const { now } = Date;
    let ahead = 0;
    Date.now = () => now.call(Date) + ahead;
    try {
      const { server } = setUp(as);
      as.opaque.set("t", answer(as));
      challenged(await callWith(server, "later"), 401, "invalid_token");
      said(await callWith(server, "t"));
      as.opaque.set("later", answer(as));
      as.opaque.delete("t");
      challenged(await callWith(server, "later"), 401, "invalid_token");
      said(await callWith(server, "t"));
      ahead += 5_000;
      said(await callWith(server, "later"));
      said(await callWith(server, "t"));
      ahead += 25_000;
      challenged(await callWith(server, "t"), 401, "invalid_token");
      // An answer is not believed longer than the token lasts.
      as.opaque.set("short", answer(as, { exp: Math.floor(Date.now() / 1000) - 25 }));
      said(await callWith(server, "short"));
      ahead += 10_000;
      challenged(await callWith(server, "short"), 401, "invalid_token");
      const always = setUp(as, { ttlMs: 0 }).server;
      as.opaque.set("r", answer(as, { exp: undefined }));
      said(await callWith(always, "r"));
      as.opaque.delete("r");
      challenged(await callWith(always, "r"), 401, "invalid_token");
    } finally {
      Date.now = now;
    }
  });
});

Deno.test("introspection() lets nobody in when the authorization server fails, and reports no secret (M-AUTH-086, M-AUTH-114)", async (t) => {
  const cases: readonly (readonly [string, () => Response])[] = [
    ["401", () => new Response("s&c %", { status: 401 })],
    ["redirect", () => new Response(null, { status: 307, headers: { location: "https://evil.example" } })],
    ["page", () => new Response("<html>marked-token")],
    ["list", () => Response.json([{ active: true }])],
    ["too much", () => new Response(" ".repeat(300_000))],
  ];
  await withAuthorizationServer(async (as) => {
    const { server, runs } = setUp(as);
    for (const [name, respond] of cases) {
      await t.step(name, async () => {
        as.instead = respond;
        const reply = await callWith(server, `marked-token-${name.replaceAll(" ", "-")}`);
        assert.equal(reply.status, 503);
        assert.doesNotMatch(reply.text, /marked|s&c/);
      });
    }
    const told = runs.errors.map((error) => `${error} ${(error as Error).stack} ${(error as Error).cause}`).join();
    assert.equal(runs.errors.length, cases.length);
    assert.doesNotMatch(told, /marked|s&c|s%26c|Basic/);
    as.instead = undefined;
    as.opaque.set("fine", answer(as));
    said(await callWith(server, "fine"));
  });
});

Deno.test("introspection() bounds the questions that are open at once", async () => {
  await withAuthorizationServer(async (as) => {
    const { server } = setUp(as);
    const gate = Promise.withResolvers<void>();
    as.instead = () => gate.promise.then(() => Response.json({ active: false }));
    const waiting = Array.from({ length: 70 }, (_, at) => callWith(server, `t${at}`));
    const early = await Promise.race(waiting);
    assert.equal(early.status, 503);
    gate.resolve();
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    assert.deepEqual([statuses.filter((one) => one === 503).length, statuses.filter((one) => one === 401).length], [6, 64]);
  });
});

Deno.test("introspection() keeps what it knows of a valid token while strangers make tokens up", async () => {
  let asked = 0;
  const verify = introspection({
    endpoint: "https://as.example/introspect",
    clientId: "rs",
    clientSecret: "secret",
    audience: RESOURCE,
    fetch: (_, init) => {
      const valid = String(init?.body).startsWith("token=valid&");
      if (valid) asked++;
      return Promise.resolve(Response.json(valid ? { active: true, aud: RESOURCE, sub: "alice" } : { active: false }));
    },
  });
  const request = new Request(RESOURCE);
  assert.ok(await verify("valid", request) !== undefined);
  for (let at = 0; at <= TOKEN_LIMITS.answers; at++) assert.equal(await verify(`made-up-${at}`, request), undefined);
  assert.ok(await verify("valid", request) !== undefined);
  assert.equal(asked, 1);
});

Deno.test("introspection() refuses wrong options, and its errors hold no secret", () => {
  const good = { endpoint: "https://as.example/i", clientId: "c", clientSecret: "marked", audience: RESOURCE };
  for (
    const [changes, message] of [
      [{ endpoint: "http://as.example/i" }, /^introspection\.endpoint: Expected an https URL/],
      [{ clientSecret: "" }, /^introspection\.clientSecret: /],
      [{ audience: "" }, /^introspection\.audience: /],
      [{ ttlMs: -1 }, /^introspection\.ttlMs: /],
      [{ issuer: "x" }, /^introspection\.issuer: /],
      [{ secret: "marked" }, /^introspection\.secret: Unknown option/],
    ] as const
  ) {
    assert.throws(() => introspection({ ...good, ...changes } as never), (error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /marked/);
      return true;
    });
  }
});
