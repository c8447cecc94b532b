/** Tests of options that nobody reads, and of what a pinned client learns about its server. */
import assert from "node:assert/strict";
import { type Client, connect, type Tool } from "../../client/mod.ts";
import { defineServer, prompt, rateLimit, resource, tool } from "../../server/mod.ts";
import { serveStdio } from "../../server/stdio.ts";
import { serveNode } from "../../transports/node_http.ts";

const server = defineServer({
  name: "shop",
  version: "1.2.3",
  instructions: "Ask for prices",
  tools: [tool({ name: "x", handler: () => "ran" })],
});

const unknown = (name: string): { name: string; message: string } => ({ name: "TypeError", message: name });

Deno.test("connect refuses options that nobody reads, and names the one that was meant", async () => {
  await assert.rejects(connect(server, { limit: {} } as never), unknown("connect.limit: Unknown option, perhaps limits"));
  await assert.rejects(connect(server, { elicit: 1 } as never), unknown("connect.elicit: Unknown option"));
  const timeout = unknown("connect.timeout: Unknown option, perhaps limits.requestTimeout");
  await assert.rejects(connect(server, { timeout: 5 } as never), timeout);
  const inputs = { forms: () => ({ action: "cancel" }) };
  await assert.rejects(connect(server, { inputs } as never), unknown("connect.inputs.forms: Unknown option, perhaps form"));
});

Deno.test("calls, lists, streams and filters refuse what nobody reads", async () => {
  const client = await connect(server);
  const odd = { timeOut: 5 } as never;
  const told = unknown("options.timeOut: Unknown option, perhaps timeout");
  await assert.rejects(client.callTool("x", {}, odd), told);
  await assert.rejects(client.listTools(odd), told);
  await assert.rejects(client.request("tools/list", {}, odd), told);
  await assert.rejects(client.listen({ toolsListChanged: true }, odd), told);
  assert.throws(() => client.watch({}, odd), told);
  const filter = unknown("client.watch: toolListChanged: Unknown option, perhaps toolsListChanged");
  assert.throws(() => client.watch({ toolListChanged: true }), filter);
  for (const name of ["toolsChanged", "tools", "toollist"]) {
    const told = unknown(`client.watch: ${name}: Unknown option, perhaps toolsListChanged`);
    assert.throws(() => client.watch({ [name]: true }), told);
  }
  await assert.rejects(
    client.listen({ resourcesChanged: true }),
    unknown("client.listen: resourcesChanged: Unknown option, perhaps resourcesListChanged"),
  );
  client.watch({ own: 1 });
  await client.close();
});

Deno.test("servers and how they are served refuse what nobody reads", async () => {
  const define = (options: object) => () => defineServer({ name: "a", version: "1", ...options } as never);
  assert.throws(define({ toolz: [] }), /^TypeError: toolz: Unknown option/);
  assert.throws(define({ cache: { tools: { ttl: 5 } } }), /^TypeError: cache\.tools\.ttl: Unknown option/);
  assert.throws(() => rateLimit({ perMinutes: 5 } as never), unknown("rateLimit.perMinutes: Unknown option, perhaps perMinute"));
  await assert.rejects(
    serveStdio(server, { signals: 1 } as never),
    unknown("serveStdio.signals: Unknown option, perhaps signal"),
  );
  await assert.rejects(serveNode(server, { prt: 1 } as never), unknown("serveNode.prt: Unknown option"));
});

Deno.test("components say what they are when they are defined with nothing", () => {
  for (const [kind, make] of [["tool", tool], ["resource", resource], ["prompt", prompt]] as const) {
    const define = make as (options?: unknown) => unknown;
    assert.throws(() => define(), unknown(`${kind}: Expected an object`));
    assert.throws(() => define(null), unknown(`${kind}: Expected an object`));
    assert.throws(() => define({}), unknown(`${kind}.name: Expected a string`));
    assert.throws(() => define({ name: 5 }), unknown(`${kind}.name: Expected a string`));
  }
});

Deno.test("a client that is pinned learns its server's name from the first answer, and the rest from discover()", async () => {
  const client = await connect(server, { protocol: "2026-07-28" });
  assert.deepEqual([client.server.info, client.server.capabilities, client.server.instructions], [undefined, {}, undefined]);
  await client.callTool("x");
  assert.deepEqual(client.server.info, { name: "shop", version: "1.2.3" });
  assert.deepEqual(client.server.capabilities, {});
  await client.discover();
  assert.equal(client.server.instructions, "Ask for prices");
  assert.ok(client.server.capabilities.tools !== undefined);
  assert.equal(client.server.protocolVersion, "2026-07-28");
  await client.close();
});

Deno.test("rateLimit says its reason to clients", async () => {
  for (const protocol of ["2026-07-28", "2025-11-25"] as const) {
    const limited = defineServer({
      name: "limited",
      version: "1",
      use: [rateLimit({ perMinute: 1 })],
      tools: [tool({ name: "x", handler: () => "" })],
    });
    const client = await connect(limited, { protocol });
    const errors: { code: number; data: { reason: string } }[] = [];
    for (let at = 0; at < 4; at++) await client.callTool("x").catch((error) => errors.push(error));
    assert.ok(errors.length >= 3);
    for (const { code, data } of errors) assert.deepEqual([code, data.reason], [-32603, "rate_limited"]);
    await client.close();
  }
});

Deno.test("definitions name the option that other libraries call otherwise", async () => {
  const of = (make: unknown, options: object) => () => (make as (options: unknown) => unknown)(options);
  const handler = (): string => "";
  for (const name of ["execute", "run", "callback"]) {
    const told = unknown(`tools.a.${name}: Unknown option, perhaps handler`);
    assert.throws(of(tool, { name: "a", [name]: handler }), told);
  }
  for (const name of ["parameters", "inputSchema", "schema"]) {
    assert.throws(of(tool, { name: "a", [name]: {}, handler }), unknown(`tools.a.${name}: Unknown option, perhaps input`));
  }
  assert.throws(
    of(tool, { name: "a", outputSchema: {}, handler }),
    unknown("tools.a.outputSchema: Unknown option, perhaps output"),
  );
  assert.throws(of(prompt, { name: "a", handler }), unknown("prompts.a.handler: Unknown option, perhaps render"));
  for (const name of ["handler", "callback"]) {
    const told = unknown(`resources.a.${name}: Unknown option, perhaps read`);
    assert.throws(of(resource, { name: "a", uri: "a:b", [name]: handler }), told);
  }
  const whole = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  assert.throws(of(tool, { name: "a", args: whole, handler }), /^TypeError: tools\.a\.args: .*\(it belongs in "input"\)$/);
  // Arguments may have these names.
  of(tool, { name: "a", args: { type: { type: "string" }, properties: { type: "object" } }, handler })();
  const named = { name: "a", version: "1" };
  assert.throws(of(defineServer, { ...named, middleware: [] }), unknown("middleware: Unknown option, perhaps use"));
  await assert.rejects(connect(server, { token: "x" } as never), unknown("connect.token: Unknown option, perhaps auth"));
  for (const nothing of [undefined, null, "a"]) {
    assert.throws(
      of(defineServer, nothing as never),
      unknown("defineServer: Expected an object"),
    );
  }
});

Deno.test("connect says what a text that is no URL may have meant, without what may be secret in it", async () => {
  const meant: readonly (readonly [string, string])[] = [
    ["localhost:8000/mcp", ", perhaps http://localhost:8000/mcp"],
    ["127.0.0.1:8000/mcp?token=secret", ", perhaps http://127.0.0.1:8000/mcp"],
    ["mcp.example.com/mcp", ", perhaps https://mcp.example.com/mcp"],
    ["mcp.example.com:8443", ", perhaps https://mcp.example.com:8443"],
    ["deno run -A server.ts", "; a command is given as { command, args }"],
    ["./server --token secret", "; a command is given as { command, args }"],
    ["server.ts", "; a command is given as { command, args }"],
    ["/mcp?token=secret", ""],
    ["", ""],
  ];
  for (const [target, hint] of meant) {
    await assert.rejects(connect(target), unknown(`connect: Expected an absolute URL${hint}`), target);
  }
  for (const target of ["file:///a", "mailto:a@b.example"]) {
    await assert.rejects(connect(target), /^TypeError: connect: Expected an http or https URL, received one that begins with/);
  }
});

Deno.test("connect says at once what is no server, no handler and no signal", async () => {
  for (const target of [undefined, null, {}, { url: "http://localhost" }, { cmd: "deno" }, class {}]) {
    const told = unknown("connect: Expected a URL, a server, { command, args }, a transport or a channel");
    await assert.rejects(connect(target as never), told);
  }
  for (const name of ["form", "url", "sampling"]) {
    const told = unknown(`connect.inputs.${name}: Expected a function`);
    await assert.rejects(connect(server, { inputs: { [name]: true } } as never), told);
  }
  const signal = new AbortController() as never;
  await assert.rejects(connect(server, { signal }), unknown("connect.signal: Expected an AbortSignal"));
});

Deno.test("calls say at once which of their values is none", async () => {
  const client = await connect(server);
  const loose = client as unknown as { readonly [name: string]: (...values: unknown[]) => Promise<unknown> };
  const told: readonly (readonly [method: string, values: readonly unknown[], message: string])[] = [
    ["callTool", [{ name: "x", arguments: {} }], "client.callTool: Expected the arguments as the second value, behind the name"],
    ["callTool", ["x", {}, { signal: new AbortController() }], "options.signal: Expected an AbortSignal"],
    ["callTool", ["x", {}, { onProgress: true }], "options.onProgress: Expected a function"],
    ["listTools", [{ signal: 5 }], "options.signal: Expected an AbortSignal"],
    ["readResource", [], "client.readResource: Expected a URI"],
    ["readResource", [{ uri: "a:b" }], "client.readResource: Expected a URI"],
    ["getPrompt", [], "client.getPrompt: Expected the name of a prompt"],
    ["getPrompt", [{ name: "a" }], "client.getPrompt: Expected the name of a prompt"],
    ["complete", [{ ref: {}, argument: {} }], "client.complete.ref: Expected { prompt } or { template }"],
    ["complete", [{ type: "ref/prompt", name: "a" }, {}], "client.complete.ref: Expected { prompt } or { template }"],
  ];
  for (const [method, values, message] of told) {
    await assert.rejects(async () => await loose[method]?.(...values), unknown(message));
  }
  await client.close();
});

Deno.test("a client of a server without prompts and tools is told that there are none, not how many arguments they take", async () => {
  const client = await connect(defineServer({ name: "bare", version: "1" }));
  // @ts-expect-error there are no prompts
  await assert.rejects(client.getPrompt("x"), { name: "ProtocolError" });
  const first: Parameters<typeof client.getPrompt>[0] extends never ? 1 : 2 = 1;
  const rest = (...given: Parameters<typeof client.getPrompt>): number => given.length;
  const atLeast: Parameters<typeof rest> extends readonly [never, args?: never, options?: infer _] ? 1 : 2 = 1;
  assert.deepEqual([first, atLeast], [1, 1]);
  await client.close();
});

Deno.test("a typed client takes a tool's name without arguments only where it has none that are required", () => {
  const add = tool({ name: "add", args: { a: { type: "number", required: true } }, handler: ({ a }) => ({ sum: a }) });
  const typed = defineServer({ name: "a", version: "1", tools: [add, tool({ name: "now", handler: () => "12:00" })] });
  const calls = async (client: Client<typeof typed>, listed: Tool): Promise<void> => {
    await client.callTool("now");
    await client.callTool(listed, {});
    // @ts-expect-error the arguments of a listed tool are always given
    await client.callTool(listed);
    // @ts-expect-error a is missing
    await client.callTool("add");
    const result = await client.callTool("add", { a: 1 });
    // A result that is no failure has the structured content of its tool.
    if (!result.isError) result.structuredContent.sum satisfies number;
    const sum: number = (await client.tools.add({ a: 1 })).sum;
    const time: string = await client.tools.now();
    // @ts-expect-error a number is no text
    (await client.tools.add({ a: sum })).sum satisfies typeof time;
  };
  assert.equal(typeof calls, "function");
});
