import assert from "node:assert/strict";
import { AuthorizationError, connect } from "../../client/mod.ts";
import { site, visit } from "./site.ts";

Deno.test("authorizedFetch asks a token's function before every request, and sends one Authorization header (B025)", async () => {
  let count = 0;
  const there = site(() => undefined);
  const headers = { Authorization: "Bearer old", "X-A": "1" };
  await visit(there, { auth: () => `token-${++count}`, headers }, async (client) => {
    await client.callTool("x");
  });
  assert.deepEqual(there.posts.map(({ headers }) => [headers.get("authorization"), headers.get("x-a")]), [
    ["Bearer token-1", "1"],
    ["Bearer token-2", "1"],
  ]);
});

Deno.test("authorizedFetch lets a provider answer one challenge (B047)", async () => {
  let token = "old";
  const challenges: unknown[] = [];
  const there = site(({ headers }) =>
    headers.get("authorization") === "Bearer new" ? undefined : new Response(null, {
      status: 401,
      headers: { "www-authenticate": 'Basic realm="x", Bearer scope="a b", resource_metadata="https://h.example/m"' },
    })
  );
  const auth = {
    credentials: () => token,
    challenged: (
      { status, scheme, scope, resourceMetadata }: {
        status: number;
        scheme?: unknown;
        scope?: unknown;
        resourceMetadata?: unknown;
      },
    ) => {
      challenges.push([status, scheme, scope, resourceMetadata]);
      token = "new";
      return true;
    },
  };
  await visit(there, { auth }, async (client) => {
    await client.callTool("x");
  });
  assert.deepEqual(challenges, [[401, "bearer", "a b", "https://h.example/m"]]);
  assert.equal(there.posts.length, 3);
});

Deno.test("authorizedFetch gives up after one answered challenge, and its error holds no token", async () => {
  const there = site(() => new Response(null, { status: 401, headers: { "www-authenticate": "Bearer scope=a" } }));
  const attempts = [
    { auth: "secret-token", posts: 1 },
    { auth: { credentials: () => "secret-token", challenged: () => true }, posts: 2 },
    { auth: { credentials: () => "secret-token", challenged: () => false }, posts: 1 },
    { auth: () => undefined, posts: 1 },
  ];
  try {
    for (const { auth, posts } of attempts) {
      there.posts.length = 0;
      await assert.rejects(connect(there.url, { auth }), (error) => {
        assert.ok(error instanceof AuthorizationError);
        assert.deepEqual([error.reason, error.status, error.challenge?.scope], ["unauthorized", 401, "a"]);
        assert.doesNotMatch(Deno.inspect(error), /secret-token/);
        return true;
      });
      assert.equal(there.posts.length, posts);
    }
  } finally {
    await there.close();
  }
});

Deno.test("authorizedFetch says that a provider failed, without the credentials", async () => {
  const there = site(() => undefined);
  try {
    const failing = () => {
      throw new Error("vault closed");
    };
    await assert.rejects(connect(there.url, { auth: failing }), { kind: "authorization", reason: "token_request_failed" });
    await assert.rejects(connect(there.url, { auth: () => "secret\ntoken" }), (error) => {
      assert.ok(error instanceof AuthorizationError);
      assert.doesNotMatch(Deno.inspect(error), /secret/);
      return true;
    });
    assert.equal(there.posts.length, 0);
  } finally {
    await there.close();
  }
});

Deno.test("authorizedFetch lets a provider answer a 401, a 403 and a wish for a nonce, each once, and hear of every answer", async () => {
  const challenges = ["Bearer", 'DPoP error="use_dpop_nonce"', 'Bearer error="insufficient_scope", scope="b"'];
  const there = site(({ message }) => {
    const challenge = message.method === "tools/call" ? challenges.shift() : undefined;
    if (challenge === undefined) return undefined;
    const status = challenge.includes("scope") ? 403 : 401;
    return new Response(null, { status, headers: { "www-authenticate": challenge, "x-at": String(challenges.length) } });
  });
  const told: unknown[] = [];
  const answers: unknown[] = [];
  const auth = {
    credentials: () => "token",
    challenged: ({ status, error }: { readonly status: number; readonly error: string | undefined }) => {
      told.push([status, error]);
      return true;
    },
    answered: ({ status, headers }: { readonly status: number; readonly headers: Headers }) => {
      answers.push([status, headers.get("x-at")]);
    },
  };
  await visit(there, { auth }, async (client) => {
    answers.length = 0;
    await client.callTool("x");
    assert.deepEqual(told, [[401, undefined], [401, "use_dpop_nonce"], [403, "insufficient_scope"]]);
    assert.deepEqual(answers.slice(-4), [[401, "2"], [401, "1"], [403, "0"], [200, null]]);
  });
});
