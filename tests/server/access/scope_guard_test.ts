import assert from "node:assert/strict";
import { parseChallenges } from "../../../protocol/auth/challenge.ts";
import { bearer } from "../../../server/auth/mod.ts";
import { defineServer, prompt, resource, tool } from "../../../server/mod.ts";
import type { Middleware, ServerOptions } from "../../../server/mod.ts";
import { connect } from "../../../client/connect.ts";
import { post, request } from "../wire.ts";
import type { Json, Reply } from "../wire.ts";

const RUNS = { count: 0 };

/** Every token is the list of its scopes, joined by dots. */
const auth = bearer({
  resource: "https://mcp.example/mcp",
  authorizationServers: ["https://as.example"],
  scopes: ["mcp"],
  covers: (granted, needed) => needed.every((scope) => granted.includes(scope) || granted.includes("admin")),
  verify: (token) => ({ principal: token, scopes: token.split("."), claims: {} }),
});

function ran(): string {
  RUNS.count++;
  return "done";
}

const complete = (): readonly string[] => [ran()];
const components = {
  tools: [
    tool({ name: "open", handler: ran }),
    tool({ name: "write", scopes: ["notes-read", "notes-write"], args: { x: { type: "string", required: true } }, handler: ran }),
    tool({ name: "hidden", scopes: ["secret"], visible: ({ auth }) => auth?.scopes.includes("see") === true, handler: ran }),
  ],
  resources: [
    resource({ uri: "app://a", name: "a", scopes: ["a"], cacheScope: "public", read: ran }),
    resource({ uri: "app://{x}/b", name: "b", scopes: ["b"], complete: { x: complete }, read: ran }),
    resource({ uri: "app://open", name: "open", cacheScope: "public", read: ran }),
  ],
  prompts: [prompt({ name: "p", scopes: ["p"], arguments: { x: {} }, complete: { x: complete }, render: ran })],
};

function serverWith(options: Partial<ServerOptions> = {}) {
  return defineServer({ name: "s", version: "1", auth, ...components, ...options });
}

function send(
  server: Pick<ReturnType<typeof serverWith>, "fetch">,
  scopes: string,
  method: string,
  params: Json,
): Promise<Reply> {
  return post(server, request(method, params), { authorization: `Bearer ${scopes}` });
}

function needed(reply: Reply): string {
  assert.equal(reply.status, 403, reply.text);
  assert.equal(reply.headers.get("content-type"), "application/json");
  const [challenge, ...more] = parseChallenges(reply.headers.get("www-authenticate") as string);
  assert.deepEqual([challenge?.scheme, challenge?.params.get("error"), more.length], ["bearer", "insufficient_scope", 0]);
  assert.match(challenge?.params.get("resource_metadata") as string, /^https:\/\/mcp\.example\/\.well-known\//);
  assert.deepEqual([reply.error.code, reply.last.id, reply.error.data.reason], [-32600, 1, "insufficient_scope"]);
  return challenge?.params.get("scope") as string;
}

Deno.test("scopes of a component are checked before it runs, and a 403 names all of them (M-AUTH-095, M-AUTH-097, M-AUTH-098, M-AUTH-099, M-AUTH-100, M-AUTH-102, M-AUTH-112)", async () => {
  const server = serverWith();
  RUNS.count = 0;
  const write = { name: "write", arguments: { x: "1" } };
  assert.equal(needed(await send(server, "mcp", "tools/call", write)), "mcp notes-read notes-write");
  assert.equal(needed(await send(server, "mcp.notes-read", "tools/call", write)), "mcp notes-read notes-write");
  // Nothing is told about arguments before the caller may use the tool.
  needed(await send(server, "mcp", "tools/call", { name: "write", arguments: { y: 1 } }));
  assert.equal(needed(await send(server, "mcp", "prompts/get", { name: "p" })), "mcp p");
  assert.equal(needed(await send(server, "mcp", "resources/read", { uri: "app://a" })), "mcp a");
  assert.equal(needed(await send(server, "mcp.a", "resources/read", { uri: "app://z/b" })), "mcp b");
  const completion = (ref: Json): Json => ({ ref, argument: { name: "x", value: "" } });
  const refs = [{ type: "ref/prompt", name: "p" }, { type: "ref/resource", uri: "app://{x}/b" }];
  assert.equal(needed(await send(server, "mcp", "completion/complete", completion(refs[0]))), "mcp p");
  assert.equal(needed(await send(server, "mcp", "completion/complete", completion(refs[1]))), "mcp b");
  const uris = ["app://a", "app://open", "app://z/b", "app://unknown"];
  const listen = { notifications: { resourceSubscriptions: uris } };
  assert.equal(needed(await send(server, "mcp", "subscriptions/listen", listen)), "mcp a b");
  assert.equal(RUNS.count, 0);
  for (const token of ["mcp.notes-write.notes-read", "mcp.admin"]) {
    assert.equal((await send(server, token, "tools/call", write)).status, 200);
  }
  assert.equal((await send(server, "mcp", "tools/call", { name: "open" })).status, 200);
  assert.equal((await send(server, "mcp.p", "completion/complete", completion(refs[0]))).result.completion.values[0], "done");
  assert.equal(RUNS.count, 4);
});

Deno.test("components with scopes are listed for everybody, and what a caller does not see stays unknown", async () => {
  const server = serverWith();
  const { tools } = (await send(server, "mcp", "tools/list", {})).result;
  assert.deepEqual(tools.map(({ name }: Json) => name), ["open", "write"]);
  assert.match((await send(server, "mcp", "tools/call", { name: "hidden" })).error.message, /^Unknown tool/);
  assert.match((await send(server, "mcp", "tools/call", { name: "nowhere" })).error.message, /^Unknown tool/);
  assert.equal(needed(await send(server, "mcp.see", "tools/call", { name: "hidden" })), "mcp secret");
  for (const name of ["__proto__", "constructor"]) {
    assert.equal((await send(server, "mcp", "tools/call", { name })).error.code, -32602);
  }
});

Deno.test("an answer that needs scopes is no public one", async () => {
  const server = serverWith();
  const scopeOf = async (uri: string): Promise<string> =>
    (await send(server, "mcp.a", "resources/read", { uri })).result.cacheScope;
  assert.deepEqual([await scopeOf("app://a"), await scopeOf("app://open")], ["private", "public"]);
});

Deno.test("scopes are checked before a slot is waited for and before middleware, and again for what middleware makes of a call", async () => {
  const seen: string[] = [];
  const gate = Promise.withResolvers<string>();
  const slow = tool({ name: "slow", handler: () => gate.promise });
  const server = serverWith({ limits: { handlers: 1, handlerQueue: 8 } }).with({
    use: [(call, next) => {
      seen.push((call.params as Json).name);
      return next((call.params as Json).name === "open" ? { ...call, params: { name: "write", arguments: { x: "1" } } } : call);
    }],
  });
  await server.update(({ tools }) => ({ tools: [...tools, slow] }));
  const running = send(server, "mcp", "tools/call", { name: "slow" });
  needed(await send(server, "mcp", "tools/call", { name: "write", arguments: { x: "1" } }));
  gate.resolve("done");
  await running;
  assert.deepEqual(seen, ["slow"]);
  assert.equal(needed(await send(server, "mcp", "tools/call", { name: "open" })), "mcp notes-read notes-write");
  assert.deepEqual(seen, ["slow", "open"]);
});

Deno.test("over HTTP an unverified caller has no scopes; one that the application has verified has its own", async () => {
  const server = serverWith().with({ auth: undefined });
  const call = request("tools/call", { name: "write", arguments: { x: "1" } });
  const reply = await post(server, call);
  assert.equal(reply.status, 403);
  assert.equal(reply.headers.get("www-authenticate"), 'Bearer error="insufficient_scope", scope="notes-read notes-write"');
  const { httpRequest, readReply } = await import("../wire.ts");
  const as = async (scopes: readonly string[]): Promise<number> => {
    const info = { principal: "alice", scopes, claims: {} };
    return (await readReply(await server.respond(httpRequest(call), { auth: info }))).status;
  };
  assert.deepEqual([await as(["notes-read"]), await as(["notes-write", "notes-read"])], [403, 200]);
});

Deno.test("in process nobody is asked for scopes, but a caller that was named is", async () => {
  await using own = await connect(serverWith());
  assert.deepEqual((await own.callTool("write", { x: "1" })).content, [{ type: "text", text: "done" }]);
  const named = { principal: "alice", scopes: ["mcp"], claims: {} };
  await using client = await connect(serverWith(), { auth: named } as never);
  await assert.rejects(client.callTool("write", { x: "1" }), /lacks scopes; needed are notes-read, notes-write/);
});

Deno.test("scopes stay with components of mounted servers, whose own `auth` must not get lost", async () => {
  const outer = defineServer({ name: "outer", version: "1", auth });
  const server = outer.mount(serverWith(), { prefix: "in_" });
  assert.equal(
    needed(await send(server as never, "mcp", "tools/call", { name: "in_write", arguments: { x: "1" } })),
    "mcp notes-read notes-write",
  );
  const bare = defineServer({ name: "outer", version: "1" });
  assert.throws(() => bare.mount(serverWith()), /^TypeError: mount: Anybody could call what was protected/);
  assert.ok(bare.mount(serverWith().with({ auth: undefined })));
});

Deno.test("tool(), resource() and prompt() refuse scopes that are none (M-AUTH-092)", () => {
  for (const scopes of ["a", ["a b"], ["a", "a"], [1], ['"'], [""]]) {
    assert.throws(
      () => tool({ name: "t", scopes: scopes as never, handler: ran }),
      /^TypeError: tools\.t\.scopes: Expected a list/,
    );
  }
  assert.throws(
    () => prompt({ name: "t", scopes: ["offline_access"], render: ran }),
    /^TypeError: prompts\.t\.scopes: offline_access is not a scope of a server/,
  );
  assert.throws(() => resource({ uri: "a://b", name: "t", scopes: ["a\\"], read: ran }), /scopes: Expected a list/);
});

Deno.test("scopes and visible of an exact resource hold for every way to write its URI, also where a template matches it", async () => {
  const reads: string[] = [];
  const name = "any";
  const open = resource({ uri: "x://files/{name}", name, read: ({ name }) => (reads.push(name), name) });
  const scoped = resource({ uri: "x://files/salary", name: "salary", scopes: ["boss"], read: () => "scoped" });
  const hidden = resource({ uri: "x://files/pl%c3%a4n", name: "plan", visible: () => false, read: () => "hidden" });
  const server = defineServer({ name: "s", version: "1", auth, resources: [open, scoped, hidden] });
  const uri = "x://files/salary";
  assert.equal(needed(await send(server, "mcp", "resources/read", { uri })), "mcp boss");
  assert.equal((await send(server, "mcp.boss", "resources/read", { uri })).result.contents[0].text, "scoped");
  for (const uri of ["x://files/s%61lary", "x://files/%73%61%6C%61%72%79", "X://files/salary"]) {
    for (const token of ["mcp", "mcp.boss"]) {
      assert.equal((await send(server, token, "resources/read", { uri })).error?.code, -32602, uri);
    }
  }
  for (const uri of ["x://files/pl%c3%a4n", "x://files/pl%C3%A4n", "x://files/%70l%C3%a4n"]) {
    assert.equal((await send(server, "mcp", "resources/read", { uri })).error?.code, -32602, uri);
  }
  assert.equal((await send(server, "mcp", "resources/read", { uri: "x://files/menu" })).result.contents[0].text, "menu");
  assert.deepEqual(reads, ["menu"]);
});

Deno.test("scopes are checked again for what a middleware makes of a completion", async () => {
  const use: Middleware = (call, next) =>
    next(
      call.method === "completion/complete"
        ? { ...call, params: { ...call.params, ref: { type: "ref/prompt", name: "p" } } }
        : call,
    );
  const open = prompt({ name: "open", arguments: { x: {} }, render: ran });
  const server = defineServer({ name: "s", version: "1", auth, prompts: [...components.prompts, open], use: [use] });
  const params = { ref: { type: "ref/prompt", name: "open" }, argument: { name: "x", value: "" } };
  RUNS.count = 0;
  assert.equal(needed(await send(server, "mcp", "completion/complete", params)), "mcp p");
  assert.equal(RUNS.count, 0);
});
