import assert from "node:assert/strict";
import { defineServer, prompt, resource, tool } from "@causeway/mcp/server";
import { catalogSnapshot, faulty, recorded, testClient, wireSnapshot } from "@causeway/mcp/testing";
import { connect } from "@causeway/mcp/client";
import { connectInMemory } from "@causeway/mcp/transports";
import type { Transport } from "@causeway/mcp/transports";

const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;
const CARRIERS = ["memory", "http", "stdio"] as const;

const add = tool({
  name: "add",
  args: { a: { type: "number", required: true }, b: { type: "number", required: true } },
  handler: ({ a, b }) => ({ sum: a + b }),
});
const who = tool({ name: "who", handler: (_args, ctx) => ctx.auth?.principal ?? "nobody" });
const count = tool({
  name: "count",
  async handler(_args, ctx) {
    await ctx.progress(1, 2);
    await ctx.progress(2, 2);
    return "counted";
  },
});
const sure = tool({
  name: "sure",
  async handler(_args, ctx) {
    const answer = await ctx.elicit("Sure?", { yes: { type: "boolean", required: true } });
    return answer.action === "accept" && answer.content.yes ? "yes" : "no";
  },
});

function server() {
  return defineServer({ name: "kit", version: "1.0.0", tools: [add, who, count, sure], sessions: true });
}

for (const protocol of VERSIONS) {
  for (const over of CARRIERS) {
    Deno.test(`testClient over ${over} in ${protocol} calls typed tools and shows the wire`, async () => {
      const made = server();
      const client = await testClient(made, { protocol, over });
      try {
        const { sum } = await client.tools.add({ a: 2, b: 3 });
        assert.equal(sum, 5);
        assert.equal(client.server.protocolVersion, protocol);
        const call = client.wire.find(({ message }) => "method" in message && message.method === "tools/call");
        assert.equal(call?.from, "client");
        const last = client.wire.at(-1);
        assert.equal(last?.from, "server");
        assert.ok(last !== undefined && "result" in last.message);
        assert.deepEqual(last.message.result.structuredContent, { sum: 5 });
      } finally {
        await client.close();
        await made.close();
      }
    });

    Deno.test(`testClient over ${over} in ${protocol} carries progress, questions and the caller`, async () => {
      const made = server();
      const auth = { principal: "ada", scopes: [], claims: {} };
      const inputs = { form: () => ({ action: "accept", content: { yes: true } }) as const };
      const client = await testClient(made, { protocol, over, auth, inputs });
      try {
        const steps: number[] = [];
        await client.callTool("count", {}, { onProgress: ({ progress }) => steps.push(progress) });
        assert.deepEqual(steps, [1, 2]);
        assert.equal(await client.tools.sure(), "yes");
        assert.equal(await client.tools.who(), "ada");
      } finally {
        await client.close();
        await made.close();
      }
    });
  }
}

Deno.test("testClient over http tells the server when a call is given up", async () => {
  const abort = new AbortController();
  let told: (() => void) | undefined;
  const gone = new Promise<void>((resolve) => told = resolve);
  const wait = tool({
    name: "wait",
    handler: (_args, ctx) =>
      new Promise<string>((resolve) => {
        ctx.signal.addEventListener("abort", () => {
          told?.();
          resolve("gone");
        });
        abort.abort(new Error("enough"));
      }),
  });
  const made = defineServer({ name: "kit", version: "1.0.0", tools: [wait] });
  const client = await testClient(made, { over: "http" });
  await assert.rejects(client.callTool("wait", {}, { signal: abort.signal }), /enough/);
  await gone;
  await client.close();
  await made.close();
});

Deno.test("testClient over http reaches a server that has a path and a host", async () => {
  const made = defineServer({ name: "kit", version: "1.0.0", path: "/api", hosts: ["example.com"], tools: [add] });
  await assert.rejects(testClient(made, { over: "http" }));
  const client = await testClient(made, { over: "http", url: "https://example.com/api" });
  assert.equal((await client.listTools()).length, 1);
  await client.close();
});

Deno.test("testClient refuses a way that it does not know, and a server without respond over http", async () => {
  const made = server();
  await assert.rejects(testClient(made, { over: "pigeon" as "http" }), /testClient\.over: Expected "memory", "http" or "stdio"/);
  await assert.rejects(testClient({ handle: made.handle }, { over: "http" }), /Expected a server with respond/);
});

Deno.test("wireSnapshot is the same for two conversations with other ids and states", async () => {
  const talk = async (calls: number): Promise<string> => {
    const made = server();
    const inputs = { form: () => ({ action: "accept", content: { yes: true } }) as const };
    const client = await testClient(made, { protocol: "2026-07-28", inputs });
    for (let call = 0; call < calls; call++) await client.tools.add({ a: 1, b: 1 });
    const before = client.wire.length;
    await client.tools.sure();
    await client.callTool("count", {}, { onProgress: () => undefined });
    await client.close();
    return wireSnapshot(client.wire.slice(before));
  };
  const once = await talk(0);
  assert.equal(once, await talk(3));
  assert.match(once, /"requestState": "state 1"/);
  assert.match(once, /"id": "client 3"/);
  assert.match(once, /"progressToken": "client 3"/);
});

Deno.test("wireSnapshot names the ids of a server apart from those of a client", async () => {
  const made = server();
  const inputs = { form: () => ({ action: "decline" }) as const };
  const client = await testClient(made, { protocol: "2025-11-25", inputs, over: "stdio" });
  await client.tools.sure();
  await client.close();
  const text = wireSnapshot(client.wire);
  assert.match(text, /"from": "server",\s+"message": \{\s+"id": "server 1"/);
  assert.match(text, /"from": "client",\s+"message": \{\s+"id": "server 1"/);
});

Deno.test("recorded keeps plain copies, in order, of what passes both ways", async () => {
  const transport = recorded(connectInMemory(server()));
  const client = await connect(transport, { protocol: "2025-11-25" });
  await client.callTool("add", { a: 1, b: 2 });
  await client.close();
  const methods = transport.wire.map(({ from, message }) => `${from} ${"method" in message ? message.method : "response"}`);
  assert.deepEqual(methods, [
    "client initialize",
    "server response",
    "client notifications/initialized",
    "client tools/call",
    "server response",
  ]);
  assert.deepEqual(JSON.parse(JSON.stringify(transport.wire)), transport.wire);
});

Deno.test("catalogSnapshot does not depend on order, and changes with what is offered", async () => {
  const note = resource({ uri: "app://note", name: "note", read: () => "text" });
  const one = resource({ uri: "app://items/{id}", name: "item", read: () => "text" });
  const hello = prompt({ name: "hello", arguments: { name: { required: true } }, render: ({ name }) => `Hello, ${name}` });
  const parts = { tools: [add, who], resources: [note, one], prompts: [hello] };
  const before = await catalogSnapshot(defineServer({ name: "kit", version: "1.0.0", instructions: "Be kind", ...parts }));
  const turned = { tools: [who, add], resources: [one, note], prompts: [hello] };
  assert.equal(
    await catalogSnapshot(defineServer({ name: "kit", version: "2.0.0", instructions: "Be kind", ...turned })),
    before,
  );
  const { tools, resources, resourceTemplates, prompts, instructions } = JSON.parse(before);
  assert.deepEqual(tools.map(({ name }: { name: string }) => name), ["add", "who"]);
  assert.equal(resources[0].uri, "app://note");
  assert.equal(resourceTemplates[0].uriTemplate, "app://items/{id}");
  assert.equal(prompts[0].name, "hello");
  assert.equal(instructions, "Be kind");
  assert.notEqual(await catalogSnapshot(defineServer({ name: "kit", version: "1.0.0", tools: [add, who, count] })), before);
});

Deno.test("catalogSnapshot asks in the revision that is named, and takes a client as it is", async () => {
  const made = server();
  const old = await catalogSnapshot(made, { protocol: "2025-06-18" });
  assert.equal(JSON.parse(old).protocolVersion, "2025-06-18");
  const client = await testClient(made, { protocol: "2025-06-18" });
  assert.equal(await catalogSnapshot(client), old);
  assert.equal((await client.listTools()).length, 4, "the client is still open");
  await client.close();
});

Deno.test("recorded and faulty take a carrier that has nothing but exchanges", async () => {
  const inner = connectInMemory(server());
  const bare = { exchange: inner.exchange.bind(inner), send: inner.send.bind(inner), close: inner.close.bind(inner) };
  const transport = recorded(faulty(bare as unknown as Transport, {}));
  const faults: unknown[] = [];
  const client = await connect(transport, { onError: (error) => faults.push(error) });
  await client.callTool("add", { a: 1, b: 2 });
  await client.close();
  assert.equal(transport.wire.length, 4);
  assert.deepEqual(faults, []);
});

Deno.test("testClient lets a server without stateKeys ask without a warning", async () => {
  const told: unknown[] = [];
  const server = defineServer({ name: "asker", version: "1.0.0", tools: [sure], onError: (error) => told.push(error) });
  for (const over of CARRIERS) {
    await using client = await testClient(server, {
      over,
      inputs: { form: () => ({ action: "accept", content: { yes: true } }) },
    });
    assert.deepEqual((await client.callTool("sure")).content, [{ type: "text", text: "yes" }]);
  }
  assert.deepEqual(told, []);
});
