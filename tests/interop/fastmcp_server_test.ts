/** This package's client against a server of `fastmcp`, over HTTP and stdio. */
import assert from "node:assert/strict";
import { type Client, connect, type ConnectOptions, type Progress, ProtocolError, textOf } from "@causeway/mcp/client";
import { freePort, peerCommand, withHttpPeer } from "./peers/children.ts";

Deno.test("Client speaks with a server of fastmcp over HTTP", async () => {
  await withHttpPeer(peerCommand("fastmcp_server.ts", String(freePort())), async (url) => {
    await use((options) => connect(url, options));
  });
});

Deno.test("Client speaks with a server of fastmcp over stdio", async () => {
  await use((options) => connect({ ...peerCommand("fastmcp_server.ts"), stderr: "null" }, options));
});

async function use(open: (options: ConnectOptions) => Promise<Client>): Promise<void> {
  const client = await open({ inputs: { form: () => ({ action: "accept", content: { confirm: true } }) } });
  try {
    await facts(client);
    await tools(client);
    await resourcesAndPrompts(client);
  } finally {
    await client.close();
  }
}

async function facts(client: Client): Promise<void> {
  assert.equal(client.server.protocolVersion, "2025-11-25");
  assert.deepEqual(client.server.info, { name: "fastmcp", version: "4.20.16" });
  assert.equal(client.server.instructions, "Ask anything.");
  await client.ping();
}

async function tools(client: Client): Promise<void> {
  const listed = await client.listTools();
  assert.deepEqual(listed.map(({ name }) => name), ["echo", "picture", "fail", "steps", "confirm"]);
  assert.equal(textOf(await client.callTool("echo", { text: "grüße 🌍" })), "grüße 🌍");
  const { content: [picture] } = await client.callTool("picture");
  assert.equal(picture?.type === "image" && picture.mimeType, "image/png");
  const failed = await client.callTool("fail");
  assert.deepEqual([failed.isError, textOf(failed)], [true, "it did not work"]);
  await assert.rejects(client.callTool("no-such-tool"), (error) => error instanceof ProtocolError);
  const seen: Progress[] = [];
  assert.equal(textOf(await client.callTool("steps", { count: 3 }, { onProgress: (step) => void seen.push(step) })), "3 steps");
  assert.deepEqual(seen.map(({ progress, total }) => [progress, total]), [[1, 3], [2, 3], [3, 3]]);
  assert.equal(textOf(await client.callTool("confirm")), 'accept {"confirm":true}');
}

async function resourcesAndPrompts(client: Client): Promise<void> {
  assert.deepEqual((await client.listResources()).map(({ uri }) => uri), ["config://app"]);
  assert.deepEqual((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate), ["users://{userId}/profile"]);
  const read = async (uri: string): Promise<unknown> => {
    const { contents: [first] } = await client.readResource(uri);
    return first !== undefined && "text" in first && [first.uri, first.mimeType, first.text];
  };
  assert.deepEqual(await read("config://app"), ["config://app", "application/json", '{"theme":"dark"}']);
  assert.deepEqual(await read("users://17/profile"), ["users://17/profile", "text/plain", "profile of 17"]);
  assert.deepEqual((await client.listPrompts()).map(({ name }) => name), ["review"]);
  const { messages: [message] } = await client.getPrompt("review", { language: "rust" });
  assert.deepEqual(message?.content, { type: "text", text: "Review this rust." });
  const { values } = await client.complete({ prompt: "review" }, { name: "language", value: "t" });
  assert.ok(values.includes("typescript"));
}
