import assert from "node:assert/strict";
import type { Auth } from "../../client/authorized_fetch.ts";
import { AuthorizationError, connect } from "../../client/mod.ts";
import type { HttpConnectOptions } from "../../client/mod.ts";
import { DISCOVERED } from "./scripted.ts";
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

/** Connects to a name on the other side of the world, whose server takes anything. */
async function far(url: string, options: HttpConnectOptions): Promise<readonly (string | null)[]> {
  const sent: (string | null)[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    sent.push(request.headers.get("authorization"));
    const { id } = JSON.parse(await request.text());
    return Response.json({ jsonrpc: "2.0", id, result: DISCOVERED });
  };
  const client = await connect(url, { ...options, fetch });
  await client.close();
  return sent;
}

const PROVIDER = { credentials: () => "secret-token", challenged: () => false };
const BOUND = { ...PROVIDER, credentials: () => ({ headers: { authorization: "DPoP secret-token", dpop: "secret-proof" } }) };
const AUTHS: readonly Auth[] = ["secret-token", () => "secret-token", PROVIDER, BOUND];

Deno.test("authorizedFetch sends no credentials over plain http to another host than a loopback one, whoever gives them (M-AUTH-115)", async () => {
  for (const auth of AUTHS) {
    for (
      const url of [
        "http://h.example/mcp",
        "http://10.0.0.1/mcp",
        "http://[fd00::1]/mcp",
        "http://localhost.example/mcp",
        "http://127.0.0.1.example/mcp",
        "http://127.example/mcp",
      ]
    ) {
      const sent: unknown[] = [];
      const fetch = (): Promise<Response> => {
        sent.push(url);
        return Promise.resolve(new Response(null, { status: 500 }));
      };
      await assert.rejects(connect(url, { auth, fetch }), (error) => {
        assert.ok(error instanceof AuthorizationError);
        assert.equal(error.reason, "token_request_failed");
        assert.match(error.message, /^Sending credentials to http:.*: the address is not https .*allowInsecureAuth/);
        assert.doesNotMatch(Deno.inspect(error, { depth: 9 }), /secret-/);
        return true;
      });
      assert.deepEqual(sent, []);
    }
    for (const url of ["https://h.example/mcp", "http://localhost:9/mcp", "http://127.9.9.9/mcp", "http://[::1]/mcp"]) {
      assert.match(String((await far(url, { auth }))[0]), /^(?:Bearer|DPoP) secret-token$/, url);
    }
    assert.match(String((await far("http://h.example/mcp", { auth, allowInsecureAuth: true }))[0]), /secret-token$/);
  }
  const insecure = far("http://h.example/mcp", { auth: "secret-token", allowInsecureAuth: "false" as never });
  await assert.rejects(insecure, { message: /not https/ });
  assert.deepEqual(new Set(await far("http://h.example/mcp", { auth: () => undefined })), new Set([null]));
});

Deno.test("tokens go in the Authorization header alone, never into an address or a body (M-AUTH-077)", async () => {
  const urls: string[] = [];
  const there = site(({ request }) => void urls.push(request.url));
  await visit(there, { auth: "secret-token" }, async (client) => {
    await client.callTool("x");
  });
  assert.doesNotMatch(urls.join(), /secret-token/);
  assert.ok(there.posts.length >= 2);
  for (const { message, headers } of there.posts) {
    assert.equal(headers.get("authorization"), "Bearer secret-token");
    assert.doesNotMatch(JSON.stringify(message), /secret-token/);
    const others = [...headers].filter(([name]) => name !== "authorization");
    assert.doesNotMatch(JSON.stringify(others), /secret-token/);
  }
});

Deno.test("the error of a refusal says the status, the reason, the wanted scopes and what to do, on one bounded line", async () => {
  const cases: readonly (readonly [number, string | undefined, RegExp])[] = [
    [401, undefined, /: the server answered 401; the option auth has to give a token for this server$/],
    [401, "Bearer", /answered 401; the option auth has to give a token/],
    [
      401,
      'Bearer error="invalid_token", error_description="The token ended at noon", scope="a b"',
      /answered 401 \(invalid_token: The token ended at noon\), it wants the scopes a b; the option auth has to give another token, issued for this server$/,
    ],
    [
      401,
      'DPoP error="invalid_dpop_proof", error_description="The proof is old"',
      /answered 401 \(invalid_dpop_proof: The proof is old\); the option auth/,
    ],
    [
      403,
      'Bearer error="insufficient_scope", scope="write"',
      /answered 403 \(insufficient_scope\), it wants the scopes write; the option auth has to give a token with these scopes$/,
    ],
    [
      403,
      'Bearer error="insufficient_scope"',
      /answered 403 \(insufficient_scope\); the option auth has to give a token with more scopes$/,
    ],
    [403, "Bearer", /answered 403; the server does not allow this to the caller, whichever token is sent$/],
  ];
  for (const [status, challenge, expected] of cases) {
    const headers: Record<string, string> = challenge === undefined ? {} : { "www-authenticate": challenge };
    const there = site(() => new Response(null, { status, headers }));
    try {
      await assert.rejects(connect(there.url, { auth: "secret-token" }), (error) => {
        assert.ok(error instanceof AuthorizationError);
        assert.equal(error.status, status);
        assert.match(error.message, expected);
        return true;
      });
    } finally {
      await there.close();
    }
  }
  const hostile = `Bearer error="${"e".repeat(2_000)}", error_description="a\tb\x1b[31m${"d".repeat(3_000)}", scope="${
    "s ".repeat(900)
  }"`;
  const fetch = () =>
    Promise.resolve({ status: 401, ok: false, body: null, headers: new Headers({ "www-authenticate": hostile }) });
  await assert.rejects(connect("https://h.example/mcp", { fetch: fetch as never }), (error) => {
    assert.ok(error instanceof AuthorizationError);
    assert.ok(error.message.length < 700, String(error.message.length));
    // deno-lint-ignore no-control-regex -- none of them may be there
    assert.doesNotMatch(error.message + error.challenge?.errorDescription, /[\x00-\x1f\x7f]/);
    return true;
  });
});

Deno.test("a refusal that repeats the token, as it is or encoded, is told without it (M-AUTH-114)", async () => {
  const token = "secret+token/of=me";
  const bound = { credentials: () => ({ headers: { authorization: `DPoP ${token}` } }), challenged: () => false };
  for (const auth of [token, () => token, bound]) {
    for (const status of [401, 403]) {
      const there = site(({ headers }) => {
        const said = headers.get("authorization");
        const parts = [`error="${token}"`, `error_description="never seen ${said}"`, `scope="${encodeURIComponent(token)}"`];
        const challenge = `Bearer ${parts.join(", ")}, resource_metadata="https://h.example/${token}"`;
        return new Response(said, { status, headers: { "www-authenticate": challenge } });
      });
      try {
        await assert.rejects(connect(there.url, { auth }), (error) => {
          assert.ok(error instanceof AuthorizationError);
          assert.match(error.message, /never seen (?:Bearer|DPoP) \*\*\*/);
          assert.doesNotMatch(Deno.inspect(error, { depth: 9 }), /secret.{1,3}token/);
          return true;
        });
      } finally {
        await there.close();
      }
    }
  }
});
