/** This package's client against `server-everything`, over stdio and HTTP: everything that it lists, and one of each used. */
import assert from "node:assert/strict";
import { type Client, connect, type ConnectOptions, type Progress, textOf } from "@causeway/mcp/client";
import { packageCommand, withPackageHttp } from "./peers/children.ts";

const NAME = "@modelcontextprotocol/server-everything";

const TOOLS = [
  "echo",
  "get-annotated-message",
  "get-env",
  "get-resource-links",
  "get-resource-reference",
  "get-roots-list",
  "get-structured-content",
  "get-sum",
  "get-tiny-image",
  "gzip-file-as-resource",
  "simulate-research-query",
  "toggle-simulated-logging",
  "toggle-subscriber-updates",
  "trigger-elicitation-request",
  "trigger-long-running-operation",
  "trigger-sampling-request",
  "trigger-url-elicitation",
];

const OPTIONS: ConnectOptions = {
  inputs: {
    form: () => ({ action: "accept", content: { name: "Ada" } }),
    url: () => ({ action: "accept" }),
    sampling: ({ messages: [message] }) => {
      const text = message === undefined ? "nothing" : textOf(message);
      return { role: "assistant", model: "scripted", content: { type: "text", text: `${text}: Paris` } };
    },
    roots: [{ uri: "file:///work", name: "work" }],
  },
};

Deno.test("Client speaks with server-everything over stdio", async (t) => {
  const client = await connect({ ...await packageCommand(NAME, "stdio"), stderr: "null" }, OPTIONS);
  await steps(t, client).finally(() => client.close());
});

Deno.test("Client speaks with server-everything over HTTP", async (t) => {
  await withPackageHttp(await packageCommand(NAME, "streamableHttp"), "listening on port", async (url) => {
    const client = await connect(url, OPTIONS);
    await steps(t, client).finally(() => client.close());
  });
});

async function steps(t: Deno.TestContext, client: Client): Promise<void> {
  await t.step("connect finds out about it", async () => {
    assert.equal(client.server.protocolVersion, "2025-11-25");
    assert.equal(client.server.info?.title, "Everything Reference Server");
    await client.ping();
  });
  await t.step("every tool is listed, and tools of each kind are called", () => tools(client));
  await t.step("the server's requests are answered", () => questions(client));
  await t.step("every resource is listed, and one of each kind is read", () => resources(client));
  await t.step("every prompt is listed, and rendered", () => prompts(client));
  await t.step("changes of a resource are seen", () => changes(client));
}

async function tools(client: Client): Promise<void> {
  assert.deepEqual((await client.listTools()).map(({ name }) => name).sort(), TOOLS);
  assert.equal(textOf(await client.callTool("echo", { message: "grüße 🌍" })), "Echo: grüße 🌍");
  const weather = await client.callTool("get-structured-content", { location: "Chicago" });
  assert.deepEqual(Object.keys(weather.structuredContent as object).sort(), ["conditions", "humidity", "temperature"]);
  const { content } = await client.callTool("get-tiny-image");
  assert.ok(content.some(({ type }) => type === "image"));
  const links = await client.callTool("get-resource-links", { count: 2 });
  assert.equal(links.content.filter(({ type }) => type === "resource_link").length, 2);
  const seen: Progress[] = [];
  await client.callTool("trigger-long-running-operation", { duration: 0.2, steps: 2 }, { onProgress: (step) => seen.push(step) });
  assert.deepEqual(seen.map(({ progress, total }) => [progress, total]), [[1, 2], [2, 2]]);
}

async function questions(client: Client): Promise<void> {
  assert.match(textOf(await client.callTool("trigger-elicitation-request")), /Ada/);
  const sampled = await client.callTool("trigger-sampling-request", { prompt: "capital of France", maxTokens: 10 });
  assert.match(textOf(sampled), /capital of France: Paris/);
  assert.match(textOf(await client.callTool("get-roots-list")), /file:\/\/\/work/);
  const page = { url: "https://example.com/consent", message: "Please agree", errorPath: false };
  assert.match(textOf(await client.callTool("trigger-url-elicitation", page)), /accept/);
}

async function resources(client: Client): Promise<void> {
  const listed = await client.listResources();
  const names = ["architecture", "extension", "features", "how-it-works", "instructions", "startup", "structure"];
  assert.deepEqual(listed.map(({ uri }) => uri), names.map((name) => `demo://resource/static/document/${name}.md`));
  assert.deepEqual((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate), [
    "demo://resource/dynamic/text/{resourceId}",
    "demo://resource/dynamic/blob/{resourceId}",
  ]);
  for (const uri of [listed[0]?.uri ?? "", "demo://resource/dynamic/text/1", "demo://resource/dynamic/blob/1"]) {
    const { contents: [first] } = await client.readResource(uri);
    assert.ok(first !== undefined && (uri.includes("/blob/") ? "blob" : "text") in first, uri);
  }
}

async function prompts(client: Client): Promise<void> {
  const listed = await client.listPrompts();
  assert.deepEqual(listed.map(({ name }) => name), ["simple-prompt", "args-prompt", "completable-prompt", "resource-prompt"]);
  for (
    const [name, args] of [
      ["simple-prompt", {}],
      ["args-prompt", { city: "Zürich" }],
      ["completable-prompt", { department: "Engineering", name: "Alice" }],
      ["resource-prompt", { resourceType: "Text", resourceId: "1" }],
    ] as const
  ) assert.ok((await client.getPrompt(name, args)).messages.length > 0, name);
  const { values } = await client.complete({ prompt: "completable-prompt" }, { name: "department", value: "E" });
  assert.deepEqual(values, ["Engineering"]);
}

async function changes(client: Client): Promise<void> {
  const uri = "demo://resource/dynamic/text/1";
  await using watch = client.watch({ resourceSubscriptions: [uri] });
  await watch.open();
  await client.callTool("toggle-subscriber-updates");
  assert.deepEqual((await watch.next()).value, { type: "resourceUpdated", uri });
  await client.callTool("toggle-subscriber-updates");
}
