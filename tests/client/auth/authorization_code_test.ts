/** Tests of `client/auth/authorization_code.ts` through `connect`, over sockets. */
import assert from "node:assert/strict";
import { memoryTokenStore, oauth } from "../../../client/auth/mod.ts";
import type { AuthProvider, OAuthOptions } from "../../../client/auth/mod.ts";
import { AuthorizationError, connect } from "../../../client/mod.ts";
import type { Client } from "../../../client/mod.ts";
import { until } from "../../until.ts";
import { authorizationSite } from "./authorization_server.ts";
import type { Lies } from "./authorization_server.ts";
import { person, refusal, world } from "./world.ts";
import type { World } from "./world.ts";

const REDIRECT = "http://localhost:3000/callback";

function flow(options: OAuthOptions = {}): AuthProvider {
  return oauth({ allowInsecureLoopback: true, redirectUri: REDIRECT, open: person(), ...options });
}

async function within(lies: Lies, use: (there: World) => Promise<void>): Promise<void> {
  const there = world(lies);
  try {
    await use(there);
  } finally {
    await there.close();
  }
}

async function visit(there: World, auth: AuthProvider, use: (client: Client) => Promise<void>): Promise<void> {
  const client = await connect(there.site.url, { auth });
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

Deno.test("oauth goes from a 401 to a token, with PKCE, state and resource (M-AUTH-010, M-AUTH-021, M-AUTH-065, M-AUTH-066, M-AUTH-067, M-AUTH-075, M-AUTH-076, M-AUTH-117, M-AUTH-119, M-AUTH-123, M-AUTH-124)", async () => {
  await within({}, async (there) => {
    const queries: string[] = [];
    there.needs = ({ request }) => void queries.push(new URL(request.url).search);
    await visit(there, flow(), async (client) => void await client.callTool("x"));
    assert.deepEqual(queries, ["", ""]);
    const [page] = there.server.at("/authorize");
    const [exchange] = there.server.at("/token");
    assert.ok(page !== undefined && exchange !== undefined);
    const resource = new URL(there.site.url).origin;
    assert.equal(page.params.get("code_challenge_method"), "S256");
    assert.ok((page.params.get("state") ?? "").length >= 32);
    assert.equal(page.params.get("redirect_uri"), REDIRECT);
    assert.equal(page.params.get("scope"), null);
    assert.deepEqual([page.params.get("resource"), exchange.params.get("resource")], [resource, resource]);
    assert.ok((exchange.params.get("code_verifier") ?? "").length >= 43);
    assert.equal(exchange.headers.get("accept"), "application/json");
    const [, ...authorized] = there.site.posts;
    for (const { headers } of authorized) assert.match(headers.get("authorization") ?? "", /^Bearer secret-access/);
    assert.equal(there.server.at("/token").length, 1);
  });
});

Deno.test("oauth registers with an application type that fits its redirect, and wants to refresh (M-AUTH-038, M-AUTH-039, M-AUTH-040, M-AUTH-089)", async () => {
  for (const [redirectUri, type] of [[REDIRECT, "native"], ["https://app.example/callback", "web"]] as const) {
    await within({}, async (there) => {
      await visit(there, flow({ redirectUri, clientName: "Tests" }), () => Promise.resolve());
      const body = JSON.parse(there.server.at("/register")[0]?.body ?? "{}");
      assert.equal(body.application_type, type);
      assert.deepEqual(body.grant_types, ["authorization_code", "refresh_token"]);
      assert.deepEqual(body.redirect_uris, [redirectUri]);
      assert.equal(body.client_name, "Tests");
    });
  }
});

Deno.test("oauth takes a client that is registered before its metadata's address, and that before a registration (M-AUTH-012, M-AUTH-027, M-AUTH-035, M-AUTH-036, M-AUTH-037, M-AUTH-007)", async () => {
  const clientMetadataUrl = "https://app.example/client.json";
  const client = { id: "mine" } as const;
  const supported = { metadata: { client_id_metadata_document_supported: true } };
  const cases = [
    [supported, { client, clientMetadataUrl }, "mine", 0],
    [supported, { clientMetadataUrl }, clientMetadataUrl, 0],
    [{}, { clientMetadataUrl }, "client-1", 1],
  ] as const;
  for (const [lies, options, id, registrations] of cases) {
    await within(lies, async (there) => {
      await visit(there, flow(options), () => Promise.resolve());
      assert.equal(there.server.at("/authorize")[0]?.params.get("client_id"), id);
      assert.equal(there.server.at("/register").length, registrations);
    });
  }
});

Deno.test("oauth shows what a server says that refuses to register it (M-AUTH-041, M-AUTH-042)", async () => {
  const answer = { error: "invalid_redirect_uri", error_description: "only https here" };
  const lies: Lies = { answer: (_, { path }) => path === "/register" ? Response.json(answer, { status: 400 }) : undefined };
  await within(lies, async (there) => {
    await assert.rejects(connect(there.site.url, { auth: flow() }), (error) => {
      assert.ok(error instanceof AuthorizationError);
      assert.equal(error.reason, "registration_failed");
      assert.match(error.message, /invalid_redirect_uri \(only https here\)/);
      return true;
    });
    assert.equal(there.server.at("/authorize").length, 0);
  });
});

Deno.test("oauth says what is needed where clients cannot register themselves", async () => {
  await within({ metadata: { registration_endpoint: undefined } }, async (there) => {
    await assert.rejects(connect(there.site.url, { auth: flow() }), {
      reason: "registration_failed",
      message: /clientMetadataUrl/,
    });
  });
});

Deno.test("oauth refreshes once for calls that fail together and late, and keeps a refresh token that is not replaced (B049, M-AUTH-091)", async () => {
  await within({}, async (there) => {
    const auth = flow();
    await visit(there, auth, async (client) => {
      await client.callTool("x");
      there.server.valid.clear();
      await Promise.all(Array.from({ length: 5 }, () => client.callTool("x")));
      const refreshes = () => there.server.at("/token").filter(({ params }) => params.get("grant_type") === "refresh_token");
      assert.equal(refreshes().length, 1);
      // A sixth hears of its 401 only now: the provider knows that the token was replaced.
      const request = { url: there.site.url, method: "POST", signal: new AbortController().signal };
      await auth.credentials(request);
      there.server.valid.clear();
      await client.callTool("x");
      assert.equal(refreshes().length, 2);
      assert.equal(await auth.challenged(refusal(), request), true);
      assert.equal(refreshes().length, 2);
      there.server.lies = { token: { refresh_token: undefined } };
      there.server.valid.clear();
      await client.callTool("x");
      const kept = refreshes().at(-1)?.params.get("refresh_token");
      there.server.lies = {
        answer: (_, { params }) =>
          params.get("refresh_token") === kept ? Response.json({ error: "invalid_grant" }, { status: 400 }) : undefined,
      };
      there.server.valid.clear();
      await client.callTool("x");
      assert.equal(refreshes().at(-1)?.params.get("refresh_token"), kept);
    });
    assert.equal(there.server.at("/authorize").length, 2);
  });
});

Deno.test("oauth keeps its refresh token over a failure of the server, tells all callers the same, and tries anew (B049)", async () => {
  await within({}, async (there) => {
    await visit(there, flow(), async (client) => {
      await client.callTool("x");
      there.server.valid.clear();
      there.server.lies = { answer: (_, { path }) => path === "/token" ? new Response("down", { status: 500 }) : undefined };
      const outcomes = await Promise.allSettled(Array.from({ length: 3 }, () => client.callTool("x")));
      const errors = outcomes.map((one) => one.status === "rejected" ? one.reason : undefined);
      for (const error of errors) assert.equal(error?.message, "Asking for a token: the authorization server answered 500: down");
      assert.equal(new Set(errors).size, 1);
      there.server.lies = {};
      await client.callTool("x");
    });
    assert.equal(there.server.at("/authorize").length, 1);
  });
});

Deno.test("oauth takes the tokens of another process that used the refresh token first, where the store has no lock", async () => {
  await within({}, async (there) => {
    const values = new Map<string, string>();
    const store = {
      get: (key: string) => values.get(key),
      set: (key: string, value: string) => void values.set(key, value),
      delete: (key: string) => void values.delete(key),
    };
    await visit(there, flow({ store }), async (client) => {
      await client.callTool("x");
      there.server.valid.clear();
      there.server.lies = {
        answer: (_, { params }) => {
          if (params.get("grant_type") !== "refresh_token") return undefined;
          for (const [key, value] of values) {
            if (!key.startsWith('["tokens"')) continue;
            const more = { accessToken: "secret-access-other", refreshToken: "secret-refresh-other" };
            values.set(key, JSON.stringify({ ...JSON.parse(value), ...more }));
          }
          there.server.valid.set("secret-access-other", "");
          return Response.json({ error: "invalid_grant" }, { status: 400 });
        },
      };
      await client.callTool("x");
      assert.equal(there.site.posts.at(-1)?.headers.get("authorization"), "Bearer secret-access-other");
    });
    assert.equal(there.server.at("/authorize").length, 1);
    assert.ok([...values.values()].some((value) => value.includes("secret-refresh-other")));
  });
});

Deno.test("oauth renews a token before it ends, and copes without a refresh token (M-AUTH-091)", async () => {
  await within({ token: { expires_in: 5 } }, async (there) => {
    const store = memoryTokenStore();
    const written: [string, string][] = [];
    const noting = { ...store, set: (key: string, value: string) => (written.push([key, value]), store.set(key, value)) };
    await visit(there, flow({ store: noting }), async (client) => void await client.callTool("x"));
    const grants = () => there.server.at("/token").map(({ params }) => params.get("grant_type"));
    assert.deepEqual(grants(), ["authorization_code"]);
    const [key, value] = written.find(([key]) => key.startsWith('["tokens"')) ?? ["", "{}"];
    await store.set(key, JSON.stringify({ ...JSON.parse(value), renewAt: Date.now() - 1 }));
    await visit(there, flow({ store }), async (client) => void await client.callTool("x"));
    assert.deepEqual(grants(), ["authorization_code", "refresh_token"]);
    assert.equal(there.site.posts.filter(({ headers }) => !headers.has("authorization")).length, 1);
  });
  await within({ token: { refresh_token: undefined } }, async (there) => {
    await visit(there, flow(), async (client) => {
      there.server.valid.clear();
      await client.callTool("x");
      assert.equal(there.server.at("/authorize").length, 2);
    });
  });
});

Deno.test("oauth asks for wider scopes with those of before, never by a refresh, and gives up on a stubborn server (B050, M-AUTH-052, M-AUTH-105, M-AUTH-106, M-AUTH-108, M-AUTH-110, M-AUTH-111)", async () => {
  await within({}, async (there) => {
    await visit(there, flow({ scope: "init" }), async (client) => {
      const scopes = () => there.server.at("/authorize").map(({ params }) => params.get("scope"));
      there.needs = () => "read";
      await client.callTool("x");
      there.needs = () => "write";
      await client.callTool("x");
      assert.deepEqual(scopes(), ["init", "init read", "init read write"]);
      there.server.lies = { grants: (scope) => scope.replace(" more", "") };
      there.needs = () => "more";
      for (let call = 0; call < 3; call++) {
        await assert.rejects(client.callTool("x"), { kind: "authorization", reason: "insufficient_scope", status: 403 });
      }
      assert.equal(scopes().length, 4);
      assert.ok(there.server.at("/token").every(({ params }) => params.get("grant_type") === "authorization_code"));
    });
  });
});

Deno.test("oauth asks a person for whoever comes after a caller that left, whether or not the page of that one is still shown", async () => {
  await within({}, async (there) => {
    const honest = person();
    let shown: (() => void) | undefined;
    let isSlow = false;
    let close: () => void = () => undefined;
    const open: OAuthOptions["open"] = async (page, info) => {
      const answer = await honest(page, info);
      // A program that does not heed the signal.
      if (isSlow) await new Promise<void>((resolve) => (close = resolve, shown?.()));
      return answer;
    };
    await visit(there, flow({ open }), async (client) => {
      for (const [scope, isStillShown] of [["more", true], ["most", false]] as const) {
        there.needs = () => scope;
        isSlow = true;
        const showing = new Promise<void>((resolve) => shown = resolve);
        const stop = new AbortController();
        const left = client.callTool("x", {}, { signal: stop.signal });
        await showing;
        stop.abort(new Error("left"));
        await assert.rejects(left, /left/);
        isSlow = false;
        if (!isStillShown) close();
        const sent = there.site.posts.length;
        const next = client.callTool("x");
        await until(() => there.site.posts.length !== sent);
        // By then it has most likely heard of its refusal.
        await new Promise((resolve) => setTimeout(resolve, 20));
        close();
        await next;
      }
    });
    const scopes = there.server.at("/authorize").map(({ params }) => params.get("scope"));
    assert.deepEqual(scopes, [null, "more", "more", "more most", "more most"]);
  });
});

Deno.test("oauth does not ask a person again and again for a server that accepts no token (M-AUTH-110)", async () => {
  await within({ token: { access_token: "secret-useless", refresh_token: undefined } }, async (there) => {
    const auth = flow();
    for (let call = 0; call < 6; call++) {
      await assert.rejects(connect(there.site.url, { auth }), { kind: "authorization", reason: "unauthorized", status: 401 });
    }
    assert.equal(there.server.at("/authorize").length, 3);
  });
});

Deno.test("oauth presents nothing of one authorization server to another, and finds it again (B053, M-AUTH-014, M-AUTH-015, M-AUTH-044, M-AUTH-045, M-AUTH-046, M-AUTH-082)", async () => {
  await within({}, async (there) => {
    const other = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, (request) => second.fetch(request));
    const second = authorizationSite(`http://127.0.0.1:${other.addr.port}`, {
      // Ids of both servers are made apart.
      answer: (_, { path }) => path === "/register" ? Response.json({ client_id: "b-client" }, { status: 201 }) : undefined,
      token: { access_token: "secret-access-b", refresh_token: "secret-refresh-b" },
    });
    try {
      await visit(there, flow(), async (client) => {
        const first = there.server.issuer;
        there.issuer = second.issuer;
        there.server.valid.clear();
        there.server.valid.set("secret-access-b", "");
        await client.callTool("x");
        const texts = second.seen.map(({ url, body, headers }) => url + body + (headers.get("authorization") ?? "")).join("\n");
        for (const secret of there.server.secrets) assert.ok(!texts.includes(secret));
        assert.ok(!texts.includes("client-1"));
        assert.equal(second.at("/register").length, 1);
        there.issuer = first;
        there.server.valid.clear();
        await client.callTool("x");
        assert.equal(there.server.at("/register").length, 1);
        assert.equal(there.server.at("/token").at(-1)?.params.get("grant_type"), "refresh_token");
      });
    } finally {
      await other.shutdown();
    }
  });
});

Deno.test("oauth goes on at another authorization server with its metadata's address, registers nowhere, and takes no token along (B053, M-AUTH-044)", async () => {
  const clientMetadataUrl = "https://app.example/client.json";
  const supported: Lies = { metadata: { client_id_metadata_document_supported: true } };
  await within(supported, async (there) => {
    const other = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, (request) => second.fetch(request));
    const second = authorizationSite(`http://127.0.0.1:${other.addr.port}`, {
      ...supported,
      token: { access_token: "secret-access-b", refresh_token: "secret-refresh-b" },
    });
    try {
      await visit(there, flow({ clientMetadataUrl }), async (client) => {
        await client.callTool("x");
        there.issuer = second.issuer;
        there.server.valid.clear();
        there.server.valid.set("secret-access-b", "");
        await client.callTool("x");
        assert.equal(second.at("/authorize")[0]?.params.get("client_id"), clientMetadataUrl);
        assert.deepEqual(second.at("/token").map(({ params }) => params.get("grant_type")), ["authorization_code"]);
        const texts = second.seen.map(({ url, body, headers }) => url + body + (headers.get("authorization") ?? "")).join("\n");
        for (const secret of there.server.secrets) assert.ok(!texts.includes(secret));
        assert.deepEqual([there.server.at("/register").length, second.at("/register").length], [0, 0]);
      });
    } finally {
      await other.shutdown();
    }
  });
});

Deno.test("oauth uses a client that was registered before at its own authorization server alone (B053, M-AUTH-047, M-AUTH-048)", async () => {
  const client = { id: "mine", authentication: { method: "client_secret_basic", secret: "secret-of-mine" } } as const;
  for (const issuer of [undefined, "https://elsewhere.example"]) {
    await within({}, async (there) => {
      const store = memoryTokenStore();
      const bound = issuer === undefined ? { trustAnnouncedIssuer: true } : { issuer };
      const auth = flow({ client: { ...client, ...bound }, store });
      if (issuer === undefined) {
        await visit(there, auth, () => Promise.resolve());
        const second = world();
        try {
          there.issuer = second.issuer;
          there.server.valid.clear();
          await assert.rejects(connect(there.site.url, { auth }), { reason: "issuer_mismatch" });
          assert.deepEqual(second.server.at("/authorize"), []);
          assert.deepEqual(second.server.at("/token"), []);
        } finally {
          await second.close();
        }
      } else {
        await assert.rejects(connect(there.site.url, { auth }), { reason: "issuer_mismatch", message: /elsewhere\.example/ });
        assert.deepEqual(there.server.at("/authorize"), []);
      }
    });
  }
});

Deno.test("oauth registers once more when the server has forgotten it", async () => {
  await within({}, async (there) => {
    const store = memoryTokenStore();
    await visit(there, flow({ store }), () => Promise.resolve());
    let forgotten = true;
    there.server.lies = {
      answer: (_, { path }) => {
        if (path === "/register") forgotten = false;
        return path === "/token" && forgotten ? Response.json({ error: "invalid_client" }, { status: 401 }) : undefined;
      },
    };
    there.server.valid.clear();
    await visit(there, flow({ store }), () => Promise.resolve());
    assert.equal(there.server.at("/register").length, 2);
  });
});

Deno.test("oauth takes tokens from its store without asking anybody (M-AUTH-088)", async () => {
  await within({}, async (there) => {
    const store = memoryTokenStore();
    await visit(there, flow({ store }), () => Promise.resolve());
    const before = there.server.seen.length;
    await visit(there, flow({ store }), async (client) => void await client.callTool("x"));
    assert.equal(there.server.seen.length, before);
  });
});

Deno.test("oauth goes on with a token that still holds when renewing it ahead fails, and tries that once", async () => {
  await within({}, async (there) => {
    const store = memoryTokenStore();
    const written: [string, string][] = [];
    const noting = { ...store, set: (key: string, value: string) => (written.push([key, value]), store.set(key, value)) };
    await visit(there, flow({ store: noting }), () => Promise.resolve());
    const [key, value] = written.find(([key]) => key.startsWith('["tokens"')) ?? ["", "{}"];
    await store.set(key, JSON.stringify({ ...JSON.parse(value), renewAt: Date.now() - 1 }));
    there.server.lies = { answer: () => new Response("down", { status: 500 }) };
    const before = there.server.seen.length;
    await visit(there, flow({ store }), async (client) => {
      for (let call = 0; call < 3; call++) await client.callTool("x");
    });
    assert.equal(there.server.seen.length, before + 1);
  });
});

Deno.test("oauth adds offline_access only where the server lists it and other scopes are asked for (M-AUTH-090)", async () => {
  const listed = { metadata: { scopes_supported: ["a", "offline_access"] } };
  const cases = [
    [listed, { scope: "a" }, "a offline_access"],
    [listed, { scope: "a", offlineAccess: false }, "a"],
    [listed, {}, null],
    [{}, { scope: "a" }, "a"],
  ] as const;
  for (const [lies, options, scope] of cases) {
    await within(lies, async (there) => {
      await visit(there, flow(options), () => Promise.resolve());
      assert.equal(there.server.at("/authorize")[0]?.params.get("scope"), scope);
    });
  }
});

Deno.test("oauth lets a person take longer than a call may, and no longer than its own time", async () => {
  await within({}, async (there) => {
    const slow = flow({
      open: async (url, info) => {
        await new Promise((resolve) => setTimeout(resolve, 120));
        return await person()(url, info);
      },
    });
    const client = await connect(there.site.url, { auth: slow, limits: { probeTimeout: 60, requestTimeout: 60 } });
    await client.close();
    const never = flow({
      timeout: 30,
      open: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    await assert.rejects(connect(there.site.url, { auth: never }), { kind: "authorization", reason: "timeout" });
  });
});

Deno.test("oauth ends its waiting when nobody waits for it any more", async () => {
  await within({}, async (there) => {
    const opened = Promise.withResolvers<AbortSignal>();
    const auth = flow({
      redirectUri: "https://app.example/callback",
      open: (_, { signal }) => {
        opened.resolve(signal);
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    const abort = new AbortController();
    const connecting = connect(there.site.url, { auth, signal: abort.signal });
    const signal = await opened.promise;
    abort.abort(new Error("enough"));
    await assert.rejects(connecting);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
});

Deno.test("oauth refuses options that the specification forbids (M-AUTH-030, M-AUTH-031, M-AUTH-116)", () => {
  for (const clientMetadataUrl of ["http://app.example/c", "https://app.example", "https://app.example/", "no"]) {
    assert.throws(() => oauth({ clientMetadataUrl }), /^TypeError: oauth\.clientMetadataUrl: /);
  }
  for (const redirectUri of ["http://app.example/cb", "app:cb", "javascript:alert(1)", "no", "https://app.example/cb#x"]) {
    assert.throws(() => oauth({ redirectUri }), /^TypeError: oauth\.redirectUri: /);
  }
  oauth({ redirectUri: "http://[::1]:1/cb" });
  assert.throws(() => oauth({ timeout: 0 }), /^TypeError: oauth\.timeout: /);
});
