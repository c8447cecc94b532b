import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { connect } from "../../../client/mod.ts";
import type { AuthProvider, HttpConnectOptions, JsonObject } from "../../../client/mod.ts";
import { hinted, spied } from "./cached.ts";
import { complete, deferred } from "../scripted.ts";
import { rpcError, site, visit } from "../site.ts";
import type { Posted, Site } from "../site.ts";

/** A site whose lists name the caller; the scope is its last path segment. */
function namingCallers(cacheScope: string): Site {
  return site(({ message, headers }) =>
    message.method === "tools/list"
      ? complete({ tools: [{ name: headers.get("authorization") ?? "nobody", inputSchema: {} }], ttlMs: 60_000, cacheScope })
      : undefined
  );
}

Deno.test("private answers are kept for one credential, public ones for all, on one client (M-CACHE-016, M-CACHE-017, M-CACHE-018, B084)", async () => {
  for (const cacheScope of ["private", "shared", "public"]) {
    let token: string | undefined = "A";
    const there = namingCallers(cacheScope);
    await visit(there, { cache: true, auth: () => token }, async (client) => {
      const caller = async (as: string | undefined): Promise<string | undefined> => {
        token = as;
        return (await client.listTools())[0]?.name;
      };
      const all = [
        await caller("A"),
        await caller("A"),
        await caller("B"),
        await caller(undefined),
        await caller("A"),
        await caller("B"),
      ];
      const own = ["Bearer A", "Bearer A", "Bearer B", "nobody", "Bearer A", "Bearer B"];
      assert.deepEqual(all, cacheScope === "public" ? own.map(() => "Bearer A") : own);
      assert.equal(there.calls("tools/list").length, cacheScope === "public" ? 1 : 3);
    });
  }
});

Deno.test("callers at once do not get each other's private answers (M-CACHE-018)", async () => {
  const caller = new AsyncLocalStorage<string>();
  const gate = deferred();
  const there = site(async ({ message, headers }) => {
    if (message.method !== "tools/list") return undefined;
    await gate.promise;
    return complete({ tools: [{ name: headers.get("authorization") as string, inputSchema: {} }], ttlMs: 60_000 });
  });
  await visit(there, { cache: true, auth: () => caller.getStore() }, async (client) => {
    const list = (as: string): Promise<string | undefined> => caller.run(as, async () => (await client.listTools())[0]?.name);
    const waiting = Promise.all(["A", "B", "A", "C"].map(list));
    await new Promise((resolve) => setTimeout(resolve, 20));
    gate.resolve();
    assert.deepEqual(await waiting, ["Bearer A", "Bearer B", "Bearer A", "Bearer C"]);
    for (const as of ["B", "A", "C", "B"]) assert.equal(await list(as), `Bearer ${as}`);
  });
});

Deno.test("an answer that came with other credentials than were asked for is not kept (M-CACHE-018)", async () => {
  for (const cacheScope of ["private", "public"]) {
    let asked = 0;
    const there = namingCallers(cacheScope);
    // Connecting asks once. Then the cache always hears A, and what leaves always carries B.
    await visit(there, { cache: true, auth: () => asked++ % 2 === 1 ? "A" : "B" }, async (client) => {
      for (let i = 0; i < 2; i++) assert.equal((await client.listTools())[0]?.name, "Bearer B");
      assert.equal(there.calls("tools/list").length, cacheScope === "private" ? 2 : 1);
    });
  }
});

Deno.test("a token that is renewed for a challenge is another authorization context (M-CACHE-018)", async () => {
  let token = "old";
  const there = site(({ message, headers }) => {
    if (message.method !== "tools/list") return undefined;
    if (headers.get("authorization") !== `Bearer ${token}`) return new Response(null, { status: 401 });
    return complete({ tools: [], ttlMs: 60_000 });
  });
  let given = "old";
  const auth: AuthProvider = {
    credentials: () => given,
    challenged: () => {
      given = token;
      return true;
    },
  };
  await visit(there, { cache: true, auth }, async (client) => {
    const count = (): number => there.calls("tools/list").length;
    await client.listTools();
    await client.listTools();
    assert.equal(count(), 1);
    token = "new";
    // The old token's answer is still its caller's.
    await client.listTools();
    assert.equal(count(), 1);
    await client.listTools({ cache: "refresh" });
    assert.equal(count(), 3);
    await client.listTools();
    await client.listTools();
    assert.equal(count(), 4);
  });
});

Deno.test("proofs that are new with every request are no other caller", async () => {
  let proofs = 0;
  const auth: AuthProvider = {
    credentials: () => ({ headers: { Authorization: "DPoP t", DPoP: `proof-${++proofs}` } }),
    challenged: () => false,
  };
  const there = namingCallers("private");
  await visit(there, { cache: true, auth }, async (client) => {
    await client.listTools();
    await client.listTools();
    assert.equal(there.calls("tools/list").length, 1);
  });
});

Deno.test("a provider that fails fails a call that needs it, with its own error; a public answer needs none", async () => {
  let broken = false;
  const auth = (): string => {
    if (broken) throw new Error("no token");
    return "t";
  };
  for (const cacheScope of ["public", "private"]) {
    broken = false;
    await visit(namingCallers(cacheScope), { cache: true, auth }, async (client) => {
      await client.listTools();
      broken = true;
      const list = client.listTools();
      if (cacheScope === "public") assert.equal((await list).length, 1);
      else await assert.rejects(list, { kind: "authorization", reason: "token_request_failed" });
    });
  }
});

/** Connects to the site with a store, lists once and closes; how many requests that took. */
async function listOnce(there: Site, options: HttpConnectOptions): Promise<number> {
  const before = there.calls("tools/list").length;
  const client = await connect(there.url, options);
  await client.listTools();
  await client.close();
  return there.calls("tools/list").length - before;
}

Deno.test("a shared store gives public answers to all clients of the endpoint, and private ones to none (M-CACHE-016, M-CACHE-018, B084)", async () => {
  for (const cacheScope of ["public", "private"]) {
    const there = namingCallers(cacheScope);
    const elsewhere = namingCallers(cacheScope);
    const cache = spied();
    const again = cacheScope === "public" ? 0 : 1;
    try {
      assert.equal(await listOnce(there, { cache, auth: "A" }), 1);
      assert.equal(await listOnce(there, { cache, auth: "A" }), again);
      assert.equal(await listOnce(there, { cache, auth: "B" }), again);
      assert.equal(await listOnce(there, { cache, headers: { "X-Api-Key": "k", Cookie: "c=1" } }), again);
      assert.equal(await listOnce(there, { cache, headers: { "X-Tenant": "1" } }), 1);
      assert.equal(await listOnce(there, { cache, headers: [["x-tenant", "1"]] }), again);
      assert.equal(await listOnce(there, { cache, headers: { "X-Tenant": "2" } }), 1);
      assert.equal(await listOnce(there, { cache, capabilities: { sampling: {} } }), 1);
      assert.equal(await listOnce(elsewhere, { cache, auth: "A" }), 1);
      assert.equal(await listOnce({ ...there, url: `${there.url}?other` }, { cache, auth: "A" }), 1);
    } finally {
      await Promise.all([there.close(), elsewhere.close()]);
    }
  }
});

Deno.test("keys hold no credential, no header value, no address and no URI", async () => {
  const cache = spied();
  const there = site(({ message }) =>
    message.method === "resources/read" ? complete({ contents: [], ttlMs: 1000, cacheScope: "public" }) : undefined
  );
  const url = `${there.url}?key=secret-in-url`;
  try {
    const client = await connect(url, { cache, auth: "secret-token", headers: { "x-api-key": "secret-key", "x-a": "value-a" } });
    await client.readResource("file:///secret/uri");
    await client.discover();
    await client.close();
  } finally {
    await there.close();
  }
  const keys = cache.sets.map(([key]) => key);
  assert.equal(keys.length, 1);
  for (const key of keys) assert.match(key, /^causeway\/cache\/1\/[0-9a-f]{64}$/);
});

Deno.test("the same caller has another key in every connection, so that keys tell nobody who calls", async () => {
  const cache = spied();
  const there = namingCallers("private");
  try {
    for (let i = 0; i < 2; i++) await listOnce(there, { cache, auth: "A" });
  } finally {
    await there.close();
  }
  assert.equal(new Set(cache.sets.map(([key]) => key)).size, 2);
});

Deno.test("a tool call that is refused for its headers lists the tools past the cache (M-CACHE-014)", async () => {
  let header = "Old";
  const there = site((posted: Posted) => {
    const { method } = posted.message;
    if (method === "tools/call") {
      return posted.headers.has(`mcp-param-${header}`) ? undefined : rpcError(posted, 400, -32020);
    }
    if (method !== "tools/list") return undefined;
    const inputSchema: JsonObject = { type: "object", properties: { a: { type: "string", "x-mcp-header": header } } };
    return complete({ tools: [{ name: "t", inputSchema }], ttlMs: 60_000 });
  });
  await visit(there, { cache: true }, async (client) => {
    await client.listTools();
    await client.callTool("t", { a: "1" });
    header = "New";
    await client.callTool("t", { a: "1" });
    assert.equal(there.calls("tools/list").length, 2);
    assert.equal(there.calls("tools/call").length, 3);
    // And the refreshed list is what the cache has now.
    assert.match(JSON.stringify(await client.listTools()), /New/);
    assert.equal(there.calls("tools/list").length, 2);
  });
});

Deno.test("a real server over HTTP: its lists and reads come from the cache", async () => {
  const served = hinted({ ttlMs: 60_000, cacheScope: "public" });
  let posts = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, (request) => {
    posts++;
    return served.fetch(request);
  });
  const client = await connect(`http://127.0.0.1:${server.addr.port}/mcp`, { cache: true });
  try {
    const first = [await client.listTools(), await client.readResource("mem://x/one")];
    const asked = posts;
    assert.deepEqual([await client.listTools(), await client.readResource("mem://x/one")], first);
    assert.equal(posts, asked);
  } finally {
    await client.close();
    await server.shutdown();
  }
});
