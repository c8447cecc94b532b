/** Tests of `server.mount`. */
import assert from "node:assert/strict";
import { connect } from "../../client/connect.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import { extension } from "../../protocol/extensions/extension.ts";
import type { ServerExtension } from "../../protocol/extensions/extension_types.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { around } from "../../server/middleware/around.ts";
import { apps } from "../../server/extensions/apps.ts";
import { skill, skills } from "../../server/extensions/skills.ts";
import { tasks } from "../../server/extensions/tasks.ts";
import type { Middleware } from "../../server/middleware/middleware_types.ts";
import { prompt } from "../../server/components/prompt.ts";
import { resource } from "../../server/components/resource.ts";
import { defineServer } from "../../server/server.ts";
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/components/tool.ts";
import { errorOf, request, resultOf, serverOf, textOf, toolCall } from "./calls.ts";
import { onEveryWay } from "./eras.ts";
import type { Json } from "./handshake_client.ts";

const echo = tool({ name: "echo", args: { text: { type: "string", required: true } }, handler: ({ text }) => ({ text }) });

/** A server with one component of every kind, named after it. */
function part(name: string, use: readonly Middleware[] = []): Server {
  return serverOf({
    tools: [tool({ name: "who", handler: () => `${name} who` }), tool({ name: "admin", handler: () => `${name} admin` })],
    resources: [
      resource({ uri: `${name}:r`, name: "r", read: () => `${name} r` }),
      resource({ uri: `${name}:t/{v}`, name: "t", complete: { v: () => [name] }, read: ({ v }) => `${name} ${v}` }),
    ],
    prompts: [
      prompt({ name: "hi", arguments: { x: {} }, complete: { x: () => [name] }, render: () => `${name} hi` }),
    ],
  }, { name, use });
}

const namesOf = async (call: (method: string) => Promise<Json>, method: string, member: string): Promise<string[]> =>
  (await call(method)).result[member].map(({ name }: Json) => name);

onEveryWay(
  "mount puts tools and prompts behind the prefix, and keeps URIs",
  () => part("outer").mount(part("inner"), { prefix: "in_" }),
  async (way) => {
    assert.deepEqual(await namesOf(way.call, "tools/list", "tools"), ["who", "admin", "in_who", "in_admin"]);
    assert.deepEqual(await namesOf(way.call, "prompts/list", "prompts"), ["hi", "in_hi"]);
    const { resources } = (await way.call("resources/list")).result;
    assert.deepEqual(resources.map(({ uri }: Json) => uri), ["outer:r", "inner:r"]);
    assert.equal(textOf((await way.call("tools/call", { name: "who" })).result), "outer who");
    assert.equal(textOf((await way.call("tools/call", { name: "in_who" })).result), "inner who");
    assert.equal((await way.call("prompts/get", { name: "in_hi" })).result.messages[0].content.text, "inner hi");
    assert.equal((await way.call("resources/read", { uri: "inner:t/7" })).result.contents[0].text, "inner 7");
    const complete = { ref: { type: "ref/prompt", name: "in_hi" }, argument: { name: "x", value: "" } };
    assert.deepEqual((await way.call("completion/complete", complete)).result.completion.values, ["inner"]);
    assert.ok((await way.call("tools/call", { name: "inwho" })).error !== undefined);
  },
);

Deno.test("mount gives a new server; both that it is made of stay as they are", async () => {
  const [outer, inner] = [part("outer"), part("inner")];
  const both = outer.mount(inner, { prefix: "in_" });
  assert.notEqual(both, outer);
  for (const one of [outer, inner]) {
    assert.deepEqual(((await resultOf(one, request("tools/list"))).tools as Json[]).map(({ name }) => name), ["who", "admin"]);
  }
  await inner.update({ tools: [] });
  await outer.update({ tools: [] });
  assert.equal(textOf(await resultOf(both, toolCall("in_who"))), "inner who");
  assert.equal(both.info.name, "outer");
});

Deno.test("mount brings features that the outer server does not have", async () => {
  const both = serverOf({ tools: [echo] }).mount(part("inner"));
  const { capabilities } = await resultOf(both, request("server/discover"));
  assert.deepEqual(Object.keys(capabilities as JsonObject).sort(), ["completions", "logging", "prompts", "resources", "tools"]);
});

Deno.test("mount refuses to lose an extension of the other server, and takes what the outer one has too", async () => {
  const shelf = async (name: string): Promise<ServerExtension> =>
    skills({ skills: [await skill({ files: { "SKILL.md": `---\nname: ${name}\ndescription: d\n---\n` } })] });
  const own = extension({ id: "com.example/own" }).serve({});
  const [one, other] = [await shelf("one"), await shelf("other")];
  const withThem = (name: string, ...extensions: readonly ServerExtension[]): Server =>
    defineServer({ name, version: "1", extensions }) as Server;
  for (const lost of [one, tasks(), apps(), own]) {
    const message = `mount: "inner" has the extension ${lost.id} and "outer" has not`;
    assert.throws(() => withThem("outer").mount(withThem("inner", lost), { prefix: "in_" }), { name: "TypeError", message });
  }
  // Another shelf has other books.
  assert.throws(() => withThem("outer", other).mount(withThem("inner", one)), /^TypeError: mount: "inner" has the extension /);
  assert.ok(withThem("outer", tasks(), apps(), own).mount(withThem("inner", tasks(), apps(), own)));
  const both = withThem("outer", one).mount(withThem("inner", one), { prefix: "in_" });
  const { skills: listed } = await resultOf(both, request("skills/list"));
  assert.deepEqual((listed as Json[]).map(({ frontmatter }) => (frontmatter as Json).name), ["one"]);
});

Deno.test("mount takes what the other server has been updated with", async () => {
  const inner = part("inner");
  await inner.update({ tools: [echo] });
  const both = serverOf({ tools: [] }).mount(inner, { prefix: "in_" });
  assert.deepEqual(((await resultOf(both, request("tools/list"))).tools as Json[]).map(({ name }) => name), ["in_echo"]);
});

Deno.test("mount: a name or URI that both have is an error that names it and both servers", () => {
  const outer = part("outer");
  assert.throws(
    () => outer.mount(part("inner")),
    /^TypeError: tools\.who: Mounting "inner" in "outer": both have it/,
  );
  const same = serverOf({ resources: [resource({ uri: "outer:r", name: "r", read: () => "" })] }, { name: "same" });
  assert.throws(() => outer.mount(same), /^TypeError: resources\.outer:r: Mounting "same" in "outer": both have it/);
  const greets = serverOf({ prompts: [prompt({ name: "i", render: () => "" })] }, { name: "greets" });
  assert.throws(
    () => outer.mount(greets, { prefix: "h" }),
    /^TypeError: prompts\.hi: Mounting "greets" in "outer": both have it/,
  );
  assert.throws(() => outer.mount(part("outer"), { prefix: "x_" }), /^TypeError: resources\.outer:r: /);
});

Deno.test("mount refuses a prefix that makes no names, and what is no server", () => {
  const outer = part("outer");
  assert.throws(() => outer.mount(part("inner"), { prefix: "a b" }), /^TypeError: mount\.prefix: /);
  assert.throws(() => outer.mount(part("inner"), { prefix: "x".repeat(128) }), /^TypeError: mount\.prefix: .*"inner"/);
  assert.throws(() => outer.mount(part("inner"), { prefix: 1 as never }), /^TypeError: mount\.prefix: Expected a string/);
  assert.throws(() => outer.mount(part("inner"), { before: "x" } as never), /^TypeError: mount\.before: Unknown option/);
  assert.throws(
    () => outer.mount({ handle: outer.handle } as never),
    /^TypeError: mount: Expected what defineServer\(\) returns/,
  );
});

/** Refuses and hides what its author called "admin", and notes what it sees. */
function policy(seen: string[]): Middleware[] {
  return [
    (call, next) => {
      const { ref } = call.params as { readonly ref?: { readonly name?: string } };
      seen.push(`${call.method} ${call.params.name ?? call.params.uri ?? ref?.name ?? ""}`.trim());
      return next();
    },
    around("tools/call", (call, next) => {
      if (call.params.name === "admin") throw ProtocolError.invalidParams("Not for you");
      return next();
    }),
    around("tools/list", async (_call, next) => {
      const result = await next();
      assert.equal(result.nextCursor, undefined);
      return { ...result, tools: result.tools.filter(({ name }) => name !== "admin") };
    }),
  ];
}

const seen: string[] = [];
onEveryWay(
  "mount: the middleware of the mounted server stays around its own components, which it knows by their own names",
  () => {
    seen.length = 0;
    return part("outer").mount(part("inner", policy(seen)), { prefix: "in_" });
  },
  async (way) => {
    assert.deepEqual(await namesOf(way.call, "tools/list", "tools"), ["who", "admin", "in_who"]);
    assert.equal(textOf((await way.call("tools/call", { name: "admin" })).result), "outer admin");
    assert.equal((await way.call("tools/call", { name: "in_admin" })).error.message, "Not for you");
    assert.equal(textOf((await way.call("tools/call", { name: "in_who" })).result), "inner who");
    await way.call("prompts/get", { name: "in_hi" });
    await way.call("prompts/get", { name: "hi" });
    await way.call("resources/read", { uri: "inner:t/1" });
    await way.call("resources/read", { uri: "outer:r" });
    await way.call("completion/complete", {
      ref: { type: "ref/prompt", name: "in_hi" },
      argument: { name: "x", value: "" },
    });
    assert.deepEqual(await namesOf(way.call, "prompts/list", "prompts"), ["hi", "in_hi"]);
    assert.deepEqual(seen, [
      "tools/list",
      "tools/call admin",
      "tools/call who",
      "prompts/get hi",
      "resources/read inner:t/1",
      "completion/complete hi",
      "prompts/list",
    ]);
  },
);

Deno.test("mount: a list that a mounted server's middleware had in hand is private, and has pages", async () => {
  const both = part("outer").with({ pageSize: 2, cache: { tools: { cacheScope: "public" } } })
    .mount(part("inner", policy([])), { prefix: "in_" });
  const first = await resultOf(both, request("tools/list"));
  assert.deepEqual([first.cacheScope, (first.tools as Json[]).length], ["private", 2]);
  const second = await resultOf(both, request("tools/list", { cursor: first.nextCursor }));
  assert.deepEqual((second.tools as Json[]).map(({ name }) => name), ["in_who"]);
});

Deno.test("mount: nested servers keep their layers, outermost first, each with its own names", async () => {
  const steps: string[] = [];
  const note = (server: string): Middleware => async (call, next) => {
    steps.push(`${server} ${call.method} ${call.params.name ?? ""}`.trim());
    const result = await next() as { readonly tools?: readonly { readonly name: string }[] };
    if (result.tools !== undefined) steps.push(`${server}: ${result.tools.map(({ name }) => name).join(" ")}`);
    return result as JsonObject;
  };
  const c = part("c", [note("c")]);
  const b = part("b", [note("b")]).mount(c, { prefix: "c_" });
  const a = part("a", [note("a")]).mount(b, { prefix: "b_" });
  assert.equal(textOf(await resultOf(a, toolCall("b_c_who"))), "c who");
  assert.deepEqual(steps.splice(0), ["a tools/call b_c_who", "b tools/call c_who", "c tools/call who"]);
  assert.equal(textOf(await resultOf(a, toolCall("b_who"))), "b who");
  assert.deepEqual(steps.splice(0), ["a tools/call b_who", "b tools/call who"]);
  await resultOf(a, request("tools/list"));
  assert.deepEqual(steps, [
    "a tools/list",
    "b tools/list",
    "c tools/list",
    "c: who admin",
    "b: who admin c_who c_admin",
    "a: who admin b_who b_admin b_c_who b_c_admin",
  ]);
});

Deno.test("mount: a server without middleware between two keeps the names of the innermost", async () => {
  const names: unknown[] = [];
  const look: Middleware = (call, next) => {
    names.push(call.params.name);
    return next();
  };
  const nested = part("a").mount(part("b").mount(part("c", [look]), { prefix: "c_" }), { prefix: "b_" });
  assert.equal(textOf(await resultOf(nested, toolCall("b_c_who"))), "c who");
  assert.deepEqual(names, ["who"]);
});

Deno.test("mount: a mounted server's middleware changes calls among its own components alone, through their layers", async () => {
  const told: string[] = [];
  const guard = around("tools/call", (call, next) => {
    if (call.params.name === "admin") throw ProtocolError.invalidParams("Guarded");
    return next();
  });
  const redirect = (to: string): Middleware => around("tools/call", (call, next) => next({ ...call, params: { name: to } }));
  const onError = (error: unknown): void => {
    told.push(String(error));
  };
  const mounted = (to: string): Server =>
    part("a").with({ onError }).mount(part("b", [redirect(to)]).mount(part("c", [guard]), { prefix: "c_" }), {
      prefix: "b_",
    });
  assert.equal(textOf(await resultOf(mounted("admin"), toolCall("b_who"))), "b admin");
  assert.equal((await errorOf(mounted("c_admin"), toolCall("b_who"))).message, "Guarded");
  assert.equal((await errorOf(mounted("nobody"), toolCall("b_who"))).message, "Internal error");
  assert.match(told[0] as string, /^TypeError: use: The middleware of "b" changed tools\/call to a component/);
  const flat = serverOf({ tools: [tool({ name: "own", handler: () => "own" })] }, { onError })
    .mount(part("b", [redirect("own")]));
  assert.equal((await errorOf(flat, toolCall("who"))).message, "Internal error");
});

Deno.test("mount: the layers go with the components through update, with, and further mounts", async () => {
  const calls: unknown[] = [];
  const look: Middleware = (call, next) => {
    if (call.method === "tools/call") calls.push(call.params.name);
    return next();
  };
  const both = part("outer").mount(part("inner", [look]), { prefix: "in_" });
  await both.update((now) => ({ tools: [...now.tools.filter(({ name }) => name.startsWith("in_")), echo] }));
  const other = both.with({ use: [] });
  for (const one of [both, other]) await resultOf(one, toolCall("in_who"));
  await resultOf(other, toolCall("echo", { text: "x" }));
  assert.deepEqual(calls, ["who", "who"]);
});

Deno.test("mount: a state of one mounted tool opens in no other, whatever their own names", async () => {
  const asks = (name: string): Server =>
    serverOf({
      tools: [tool({
        name: "ask",
        handler: async (_args, ctx) => `${name} ${await ctx.once("k", () => name)} ${(await ctx.roots({ key: "r" })).length}`,
      })],
    }, { name, use: [(_call, next) => next()] });
  const both = serverOf({ tools: [] }).mount(asks("a"), { prefix: "a_" }).mount(asks("b"), { prefix: "b_" });
  const roots = { "io.modelcontextprotocol/clientCapabilities": { roots: {} } };
  const { requestState } = await resultOf(both, request("tools/call", { name: "a_ask", _meta: roots }));
  const answered = { inputResponses: { r: { roots: [] } }, requestState, _meta: roots };
  assert.equal(textOf(await resultOf(both, request("tools/call", { name: "a_ask", ...answered }))), "a a 0");
  assert.equal((await errorOf(both, request("tools/call", { name: "b_ask", ...answered }))).code, -32602);
});

Deno.test("mount types tools and prompts behind the prefix, through more than one mount", async () => {
  const inner = defineServer({
    name: "inner",
    version: "1",
    tools: [echo],
    prompts: [prompt({ name: "hi", arguments: { who: { required: true } }, render: ({ who }) => `Hi ${who}` })],
  });
  const outer = defineServer({ name: "outer", version: "1", tools: [tool({ name: "own", handler: () => "own" })] });
  const both = outer.mount(inner, { prefix: "in_" });
  const twice = defineServer({ name: "far", version: "1" }).mount(both, { prefix: "far_" });
  const client = await connect(twice);
  const { text } = await client.tools.far_in_echo({ text: "a" });
  assert.equal(text satisfies string, "a");
  await client.callTool("far_own");
  await client.getPrompt("far_in_hi", { who: "Ada" });
  // @ts-expect-error the name without its prefix
  await assert.rejects(client.callTool("in_echo", { text: "a" }));
  // @ts-expect-error an argument of the wrong type
  await assert.rejects(client.tools.far_in_echo({ text: 1 }));
  // @ts-expect-error a required argument is missing
  await assert.rejects(client.getPrompt("far_in_hi", {}));
  await client.close();
});
