import assert from "node:assert/strict";
import { base64url, SignJWT } from "jose";
import { jwt } from "../../../server/auth/mod.ts";
import { until } from "../../until.ts";
import { makeKey, RESOURCE, seconds, withAuthorizationServer } from "./authorization_server.ts";
import type { AuthorizationServer, SigningKey } from "./authorization_server.ts";
import { callWith, challenged, protectedServer, said } from "./protected.ts";

Deno.test("jwt() lets a caller in, and its principal is issuer, subject and client (M-AUTH-074, M-AUTH-078, M-AUTH-001)", async () => {
  await withAuthorizationServer(async (as) => {
    const { server } = protectedServer(as);
    const first = said(await callWith(server, await as.issue({ scope: "read write" })));
    assert.equal(first.auth.principal, JSON.stringify([as.issuer, "alice", "app"]));
    assert.deepEqual([first.auth.clientId, first.auth.scopes, first.auth.claims.sub], ["app", ["read", "write"], "alice"]);
    const renewed = said(await callWith(server, await as.issue({ jti: "other", exp: seconds() + 900 })));
    assert.equal(renewed.auth.principal, first.auth.principal);
    const other = said(await callWith(server, await as.issue({ client_id: "app2" })));
    assert.notEqual(other.auth.principal, first.auth.principal);
    assert.deepEqual(said(await callWith(server, await as.issue({ scope: undefined, scp: ["a", "b"] }))).auth.scopes, ["a", "b"]);
    assert.equal(said(await callWith(server, await as.issue({ aud: ["https://x.example", RESOURCE] }))).auth.clientId, "app");
    assert.equal(as.hits.get("/jwks"), 1);
  });
});

type Hostile = (as: AuthorizationServer) => Promise<string> | string;

const unsigned = (as: AuthorizationServer, header: object): string => {
  const payload = { iss: as.issuer, aud: RESOURCE, sub: "eve", exp: seconds() + 300 };
  return [header, payload].map((part) => base64url.encode(JSON.stringify(part))).join(".");
};

const HOSTILE: readonly (readonly [name: string, token: Hostile])[] = [
  ["alg none", (as) => `${unsigned(as, { alg: "none" })}.`],
  ["alg None, with a signature", (as) => `${unsigned(as, { alg: "None", kid: "first" })}.AAAA`],
  ["HMAC with the public key as its secret", (as) => {
    const secret = new TextEncoder().encode(JSON.stringify(as.keys[0]?.publicJwk));
    return new SignJWT({ iss: as.issuer, aud: RESOURCE, sub: "eve", exp: seconds() + 300 })
      .setProtectedHeader({ alg: "HS256", kid: "first" }).sign(secret);
  }],
  ["a key of its own in the header", async (as) => {
    const key = await makeKey("first");
    return as.issue({}, { key, header: { jwk: key.publicJwk } });
  }],
  [
    "an address of keys in the header",
    async (as) => as.issue({}, { key: await makeKey("evil"), header: { jku: "http://127.0.0.1:1/k" } }),
  ],
  ["another key under a known id", async (as) => as.issue({}, { key: await makeKey("first") })],
  ["another audience (confused deputy)", (as) => as.issue({ aud: "https://other.example/mcp" })],
  ["an audience with a slash more", (as) => as.issue({ aud: `${RESOURCE}/` })],
  ["an audience in capitals", (as) => as.issue({ aud: "HTTP://LOCALHOST/mcp" })],
  ["an audience with a default port", (as) => as.issue({ aud: "http://localhost:80/mcp" })],
  ["an audience that is the origin", (as) => as.issue({ aud: "http://localhost" })],
  ["no audience", (as) => as.issue({ aud: undefined })],
  ["an empty list of audiences", (as) => as.issue({ aud: [] })],
  ["an audience of another type", (as) => as.issue({ aud: { [RESOURCE]: true } })],
  ["another issuer", (as) => as.issue({ iss: "https://evil.example" })],
  ["an issuer with a slash more", (as) => as.issue({ iss: `${as.issuer}/` })],
  ["no issuer", (as) => as.issue({ iss: undefined })],
  ["an end in the past", (as) => as.issue({ exp: seconds() - 60 })],
  ["no end", (as) => as.issue({ exp: undefined })],
  ["an end that is not a number", (as) => as.issue({ exp: "tomorrow" })],
  ["a beginning in the future", (as) => as.issue({ nbf: seconds() + 120 })],
  ["nobody named", (as) => as.issue({ sub: undefined, client_id: undefined })],
  ["a subject that is a number", (as) => as.issue({ sub: 17 })],
  ["an empty subject", (as) => as.issue({ sub: "" })],
  ["bound to a certificate", (as) => as.issue({ cnf: { "x5t#S256": "AAAA" } })],
  ["bound to a key, without a proof", (as) => as.issue({ cnf: { jkt: "AAAA" } })],
  ["a critical extension", async (as) => {
    const [, payload, signature] = (await as.issue()).split(".");
    return `${base64url.encode(JSON.stringify({ alg: "ES256", kid: "first", crit: ["x"], x: 1 }))}.${payload}.${signature}`;
  }],
  ["a changed payload", async (as) => {
    const [header, , signature] = (await as.issue()).split(".");
    const payload = base64url.encode(JSON.stringify({ iss: as.issuer, aud: RESOURCE, sub: "root", exp: seconds() + 300 }));
    return `${header}.${payload}.${signature}`;
  }],
  ["an empty signature", async (as) => `${(await as.issue()).split(".").slice(0, 2).join(".")}.`],
  ["base64 that is none", () => "abc.def.ghi"],
  ["one part", () => "opaque"],
  ["two parts", async (as) => (await as.issue()).split(".").slice(0, 2).join(".")],
  ["five parts", async (as) => `${await as.issue()}.a.b`],
  ["dots", () => "..."],
  ["a header that is a list", () => `${base64url.encode("[]")}.e30.AAAA`],
  ["an id of a key that is an object", (as) => `${unsigned(as, { alg: "ES256", kid: {} })}.AAAA`],
  ["an id of a key that a prototype has", (as) => `${unsigned(as, { alg: "ES256", kid: "__proto__" })}.AAAA`],
];

Deno.test("jwt() refuses hostile tokens with 401 and runs nothing (M-AUTH-079, M-AUTH-080, M-AUTH-081, M-AUTH-083, M-AUTH-084, M-AUTH-085, M-AUTH-086, M-AUTH-094)", async (t) => {
  await withAuthorizationServer(async (as) => {
    const { server, runs } = protectedServer(as);
    for (const [name, make] of HOSTILE) {
      await t.step(name, async () => {
        const reply = await callWith(server, await make(as));
        challenged(reply, 401, "invalid_token");
        assert.doesNotMatch(reply.text, /alice|eve|root/);
      });
    }
    assert.equal(runs.count, 0);
    assert.ok(runs.errors.length >= 16);
    for (const error of runs.errors) {
      assert.match(String(error), /^Error: Letting a caller in: the access token is refused, /);
      assert.doesNotMatch(String(error), /alice|eve|root/);
    }
    said(await callWith(server, await as.issue()));
  });
});

Deno.test("jwt() allows clocks to differ a little", async () => {
  await withAuthorizationServer(async (as) => {
    const { server } = protectedServer(as);
    said(await callWith(server, await as.issue({ exp: seconds() - 10, nbf: seconds() + 10 })));
  });
});

Deno.test("jwt() takes up new keys, and a flood of unknown ids leads to one request for keys", async () => {
  await withAuthorizationServer(async (as) => {
    const { server } = protectedServer(as);
    said(await callWith(server, await as.issue()));
    assert.equal(as.hits.get("/jwks"), 1);
    const stranger = await makeKey("stranger");
    const flood = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => await as.issue({}, { key: { ...stranger, kid: `unknown-${at}` } })),
    );
    for (const reply of await Promise.all(flood.map((token) => callWith(server, token)))) assert.equal(reply.status, 401);
    assert.equal(as.hits.get("/jwks"), 1);
  });
  await withAuthorizationServer(async (as) => {
    await withLaterClock(async (later) => {
      const { server } = protectedServer(as);
      said(await callWith(server, await as.issue()));
      as.keys.push(await makeKey("second"));
      later(31_000);
      const token = await as.issue();
      const replies = await Promise.all(Array.from({ length: 10 }, () => callWith(server, token)));
      for (const reply of replies) said(reply);
      assert.equal(as.hits.get("/jwks"), 2);
      const first = as.keys.shift() as SigningKey;
      said(await callWith(server, await as.issue({}, { key: first })));
      later(601_000);
      const old = await callWith(server, await as.issue({}, { key: first }));
      assert.equal(old.status, 401);
      assert.equal(as.hits.get("/jwks"), 3);
    });
  });
});

Deno.test("jwt() says 503, not 401, when the keys can not be had, and tries again later", async () => {
  await withAuthorizationServer(async (as) => {
    await withLaterClock(async (later) => {
      const { server, runs } = protectedServer(as);
      as.instead = () => new Response("no", { status: 500 });
      const token = await as.issue();
      for (let turn = 0; turn < 3; turn++) {
        const reply = await callWith(server, token);
        assert.equal(reply.status, 503);
        assert.equal(reply.headers.get("www-authenticate"), null);
        assert.match(reply.error.message, /^Service unavailable/);
      }
      assert.match(String(runs.errors[0]), /The keys of http:\/\/localhost:\d+ were not found\. GET .*: the server answered 500/);
      const asked = as.hits.get("/.well-known/oauth-authorization-server");
      assert.equal(asked, 1);
      as.instead = undefined;
      later(5_000);
      said(await callWith(server, token));
      // Keys that are old serve on while newer ones can not be had, but not for ever.
      as.instead = () => new Response("no", { status: 500 });
      later(11 * 60_000);
      said(await callWith(server, await as.issue({ exp: seconds() + 900 })));
      later(61 * 60_000);
      assert.equal((await callWith(server, await as.issue({ exp: seconds() + 900 }))).status, 503);
    });
  });
});

Deno.test("jwt() lets nobody wait for an issuer that has failed to renew keys which are still good", async () => {
  await withAuthorizationServer(async (as) => {
    await withLaterClock(async (later) => {
      const key = as.keys[0] as SigningKey;
      const keys = (): Response => Response.json({ keys: [key.publicJwk] });
      const gate = Promise.withResolvers<Response>();
      const answers = [() => Promise.resolve(keys()), () => Promise.reject(new Error("down")), () => gate.promise];
      const signals: (AbortSignal | null | undefined)[] = [];
      const verify = jwt({
        issuer: as.issuer,
        audience: RESOURCE,
        jwks: `${as.issuer}/jwks`,
        fetch: (_input, init) => {
          signals.push(init?.signal);
          return (answers[signals.length - 1] as () => Promise<Response>)();
        },
      });
      const principal = async () =>
        (await verify(await as.issue({ exp: seconds() + 900 }), new Request(RESOURCE)))?.principal !== undefined;
      assert.ok(await principal());
      later(11 * 60_000);
      assert.ok(await principal());
      later(10_000);
      for (let turn = 0; turn < 3; turn++) assert.ok(await principal());
      assert.deepEqual(signals.map((signal) => signal?.aborted), [false, false, false]);
      // A key that is not known may be a new one: its caller waits.
      const stranger = await as.issue({ exp: seconds() + 900 }, { key: await makeKey("stranger") });
      const waiting = verify(stranger, new Request(RESOURCE));
      gate.resolve(keys());
      assert.equal(await waiting, undefined);
      assert.ok(await principal());
      assert.equal(signals.length, 3);
    });
  });
});

Deno.test("jwt() tells once for each renewal of keys that fails while those of before serve on", async () => {
  await withAuthorizationServer(async (as) => {
    await withLaterClock(async (later) => {
      const { server, runs } = protectedServer(as);
      const call = async () => (await callWith(server, await as.issue({ exp: seconds() + 900 }))).status;
      assert.equal(await call(), 200);
      as.instead = () => new Response("no", { status: 500 });
      later(11 * 60_000);
      assert.deepEqual(await Promise.all([call(), call(), call()]), [200, 200, 200]);
      assert.equal(await call(), 200);
      assert.equal(runs.errors.length, 1);
      assert.match(
        String(runs.errors[0]),
        /^Error: Renewing the keys of http.*the server answered 500.*serve on for \d+ s at most$/,
      );
      later(10_000);
      assert.equal(await call(), 200);
      // Nobody waited for the second one.
      await until(() => runs.errors.length === 2);
      as.instead = () => undefined;
      later(10_000);
      // A key that is not known may be a new one: its caller waits for the renewal, which succeeds.
      const stranger = await as.issue({ exp: seconds() + 900 }, { key: await makeKey("stranger") });
      assert.equal((await callWith(server, stranger)).status, 401);
      assert.equal(await call(), 200);
      assert.equal(runs.errors.filter((error) => String(error).includes("Renewing the keys")).length, 2);
    });
  });
});

Deno.test("jwt() takes keys only from metadata whose issuer is identical, and reads bounded documents without redirects", async (t) => {
  const cases: readonly (readonly [string, (as: AuthorizationServer, path: string) => Response | undefined])[] = [
    ["another issuer", (as) => Response.json({ issuer: `${as.issuer}/`, jwks_uri: `${as.issuer}/jwks` })],
    ["no jwks_uri", (as) => Response.json({ issuer: as.issuer })],
    ["plain http elsewhere", (as) => Response.json({ issuer: as.issuer, jwks_uri: "http://keys.example/jwks" })],
    ["a redirect", (as) => new Response(null, { status: 302, headers: { location: `${as.issuer}/jwks` } })],
    ["a page", () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } })],
    ["null", () => Response.json(null)],
    ["too much", () => new Response(" ".repeat(300_000))],
    ["keys that are not a list", (_as, path) => path === "/jwks" ? Response.json({ keys: {} }) : undefined],
  ];
  for (const [name, respond] of cases) {
    await t.step(name, async () => {
      await withAuthorizationServer(async (as) => {
        const { server } = protectedServer(as);
        as.instead = (request) => respond(as, new URL(request.url).pathname);
        assert.equal((await callWith(server, await as.issue())).status, 503);
      });
    });
  }
});

Deno.test("jwt() finds keys without ids among several, and heeds algorithms, type and claims", async () => {
  await withAuthorizationServer(async (as) => {
    as.keys = [await makeKey(undefined), await makeKey(undefined)];
    const { server } = protectedServer(as);
    for (const key of as.keys) said(await callWith(server, await as.issue({}, { key })));
    assert.equal((await callWith(server, await as.issue({}, { key: await makeKey(undefined) }))).status, 401);
    const only = protectedServer(as, { jwt: { algorithms: ["RS256"] } });
    assert.equal((await callWith(only.server, await as.issue())).status, 401);
    const typed = protectedServer(as, { jwt: { type: "at+jwt" } });
    said(await callWith(typed.server, await as.issue()));
    assert.equal((await callWith(typed.server, await as.issue({}, { header: { typ: "JWT" } }))).status, 401);
    const read = protectedServer(as, {
      jwt: {
        claims: ({ tenant }) => {
          if (typeof tenant !== "string") throw new Error("no tenant");
          return { tenant };
        },
      },
    });
    assert.deepEqual(said(await callWith(read.server, await as.issue({ tenant: "t1" }))).auth.claims, { tenant: "t1" });
    challenged(await callWith(read.server, await as.issue()), 401, "invalid_token");
  });
});

Deno.test("jwt() tells onError what is wrong with the keys of an issuer, and lets nobody in with them", async (t) => {
  const other = (await makeKey("other")).publicJwk;
  const many = (own: object): object[] => [...Array.from({ length: 99 }, (_, at) => ({ ...other, kid: `k${at}` })), own];
  const cases: readonly (readonly [string, (own: object) => unknown[], string])[] = [
    ["more keys than count", many, "its issuer has no key for it among the first 64 of the 100 that it publishes"],
    ["no keys", () => [], "its issuer has no key for it"],
    ["entries that are no keys", () => [null, 1, "x", [], {}, { kid: {} }, { kty: 7 }], "its issuer has no key for it"],
    ["a key for something else", (own) => [{ ...own, use: "enc" }], "its issuer has no key for it"],
    ["a private key", (own) => [{ ...own, d: "AAAA" }], "the key that its issuer has for it cannot be used"],
    [
      "keys without ids",
      () => Array.from({ length: 9 }, () => ({ ...other, kid: undefined })),
      "none of the first 4 keys of its issuer that it may mean fits its signature",
    ],
  ];
  for (const [name, keys, why] of cases) {
    await t.step(name, async () => {
      await withAuthorizationServer(async (as) => {
        const own = as.keys[0] as SigningKey;
        as.instead = ({ url }) => url.endsWith("/jwks") ? Response.json({ keys: keys(own.publicJwk) }) : undefined;
        const { server, runs } = protectedServer(as);
        const token = await as.issue({}, name === "keys without ids" ? { key: { ...own, kid: undefined } } : {});
        challenged(await callWith(server, token), 401, "invalid_token");
        assert.deepEqual(runs.errors.map(String), [`Error: Letting a caller in: the access token is refused, ${why}`]);
      });
    });
  }
});

Deno.test("jwt() says that a token is over when one of several keys fits it", async () => {
  await withAuthorizationServer(async (as) => {
    as.keys = [await makeKey(undefined), await makeKey(undefined)];
    for (const key of as.keys) {
      const { server, runs } = protectedServer(as);
      challenged(await callWith(server, await as.issue({ exp: seconds() - 60 }, { key })), 401, "invalid_token");
      assert.match(String(runs.errors), /the access token is refused, it is over$/);
    }
  });
});

Deno.test("jwt() refuses options that would be unsafe", () => {
  const fault = (changes: Record<string, unknown>): string => {
    try {
      jwt({ issuer: "https://as.example", audience: RESOURCE, ...changes });
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(fault({}), "");
  assert.match(fault({ algorithms: ["none"] }), /^jwt\.algorithms: Expected some of/);
  assert.match(fault({ algorithms: ["HS256"] }), /^jwt\.algorithms: Expected some of/);
  assert.match(fault({ algorithms: [] }), /^jwt\.algorithms: Expected a list/);
  assert.match(fault({ issuer: "http://as.example" }), /^jwt\.issuer: Expected an https URL/);
  assert.match(fault({ issuer: "https://as.example?x" }), /^jwt\.issuer: .* query/);
  assert.match(fault({ audience: "" }), /^jwt\.audience: /);
  assert.match(fault({ jwks: "ftp://as.example/jwks" }), /^jwt\.jwks: /);
  assert.match(fault({ secret: "x" }), /^jwt\.secret: Unknown option/);
});

/** Runs a test in which `Date.now` can be set forward. */
async function withLaterClock(test: (later: (milliseconds: number) => void) => Promise<void>): Promise<void> {
  const { now } = Date;
  let ahead = 0;
  Date.now = () => now.call(Date) + ahead;
  try {
    await test((milliseconds) => void (ahead += milliseconds));
  } finally {
    Date.now = now;
  }
}
