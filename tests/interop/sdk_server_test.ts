/** This package's client against a server of version 1 of the official package, over HTTP with and without sessions, and stdio. */
import assert from "node:assert/strict";
import { type Client, connect, type ConnectOptions, type Progress, ProtocolError, textOf } from "@causeway/mcp/client";
import { peerCommand, type Watched, watched, withHttpPeer } from "./peers/children.ts";

/** The server, started. */
interface Peer {
  readonly carrier: string;
  /** Opens a client of it. */
  readonly open: (options?: ConnectOptions) => Promise<Client>;
  /** What it writes to stderr. */
  readonly stderr: Watched;
}

const TOOLS = ["echo", "sum", "fail", "steps", "wait", "confirm", "aside", "ping", "leave", "touch"];

const INPUTS: ConnectOptions["inputs"] = {
  form: ({ message }) => ({ action: "accept", content: { confirm: message === "Really deploy?" || message === "By the way?" } }),
  sampling: ({ messages: [message] }) => {
    const text = message === undefined ? "nothing" : textOf(message);
    return { role: "assistant", model: "scripted", content: { type: "text", text: `${text}: Ada` } };
  },
  roots: [{ uri: "file:///work", name: "work" }],
};

Deno.test("Client speaks with a server of version 1 over HTTP with sessions", async (t) => {
  await withHttpPeer(peerCommand("sdk_server_http.ts"), async (url, stderr) => {
    const peer: Peer = { carrier: "HTTP", open: (options = {}) => connect(url, options), stderr };
    await plain(t, peer);
    await lasting(t, peer);
    await step("Client ends its session (L-SES-006, L-SES-011)", t, peer, {}, async (client) => {
      assert.match(client.server.sessionId ?? "", /^[!-~]+$/);
      await client.close();
      await stderr.saw("session was ended");
    });
    await step(
      "Client comes back for the rest of a stream that the server left (L-HTTP-007, L-SSE-004, L-SSE-007)",
      t,
      peer,
      {},
      async (client) => {
        assert.equal(textOf(await client.callTool("leave")), "come back");
      },
    );
  });
});

Deno.test("Client speaks with a server of version 1 over HTTP without sessions", async (t) => {
  await withHttpPeer(peerCommand("sdk_server_http.ts", "stateless"), async (url, stderr) => {
    const peer: Peer = { carrier: "HTTP without sessions", open: (options = {}) => connect(url, options), stderr };
    await plain(t, peer);
    await step("Client has no session id", t, peer, {}, (client) => {
      assert.equal(client.server.sessionId, undefined);
      return Promise.resolve();
    });
  });
});

Deno.test("Client speaks with a server of version 1 over stdio", async (t) => {
  const stderr = watched();
  const command = { ...peerCommand("sdk_server_stdio.ts"), stderr: stderr.add };
  const peer: Peer = { carrier: "stdio", open: (options = {}) => connect(command, options), stderr };
  await plain(t, peer);
  await lasting(t, peer);
  await step("connect takes a verdict and leaves the probe out", t, peer, {}, async (client) => {
    const again = await peer.open({ verdict: client.verdict });
    try {
      assert.equal(again.server.protocolVersion, "2025-11-25");
      assert.equal(textOf(await again.callTool("echo", { text: "again" })), "again");
    } finally {
      await again.close();
    }
  });
  await step("connect pins an older revision", t, peer, { protocol: "2025-06-18" }, async (client) => {
    assert.equal(client.server.protocolVersion, "2025-06-18");
    assert.equal(textOf(await client.callTool("echo", { text: "older" })), "older");
  });
});

/** What a server can do in every way of serving. */
async function plain(t: Deno.TestContext, peer: Peer): Promise<void> {
  await step("connect finds a server of an older revision by itself", t, peer, {}, facts);
  await step("Client lists and calls tools", t, peer, {}, tools);
  await step("Client reads resources, renders prompts and completes", t, peer, {}, resourcesAndPrompts);
}

/** What needs a connection that lasts. */
async function lasting(t: Deno.TestContext, peer: Peer): Promise<void> {
  const logs: unknown[] = [];
  const onLog: ConnectOptions["onLog"] = ({ level, data }) => void logs.push({ level, data });
  await step("Client hands out progress and logs", t, peer, { onLog }, (client) => progress(client, logs));
  await step("Client answers the server's requests", t, peer, { inputs: INPUTS }, questions);
  await step("Client watches changes (L-RES-004)", t, peer, {}, changes);
  await step("Client cancels a call (L-HTTP-017)", t, peer, {}, (client) => cancellation(client, peer.stderr));
}

function step(
  name: string,
  t: Deno.TestContext,
  peer: Peer,
  options: ConnectOptions,
  use: (client: Client) => Promise<void>,
): Promise<boolean> {
  return t.step(`${name} over ${peer.carrier}`, async () => {
    const client = await peer.open(options);
    await use(client).finally(() => client.close());
  });
}

async function facts(client: Client): Promise<void> {
  const { protocolVersion, era, info, capabilities, instructions } = client.server;
  assert.equal(protocolVersion, "2025-11-25");
  assert.equal(era, "legacy");
  assert.deepEqual(info, { name: "sdk", version: "1.32.2", title: "Version 1 peer" });
  assert.equal(instructions, "Ask anything.");
  assert.equal(capabilities.tools?.listChanged, true);
  assert.equal(capabilities.resources?.subscribe, true);
  await client.ping();
}

async function tools(client: Client): Promise<void> {
  assert.deepEqual((await client.listTools()).map(({ name }) => name), TOOLS);
  assert.equal(textOf(await client.callTool("echo", { text: "grüße 🌍" })), "grüße 🌍");
  assert.deepEqual((await client.callTool("sum", { numbers: [1, 2, 3.5] })).structuredContent, { total: 6.5 });
  const failed = await client.callTool("fail");
  assert.equal(failed.isError, true);
  assert.equal(textOf(failed), "it did not work");
  assert.equal((await client.callTool("no-such-tool")).isError, true);
  const many = await Promise.all(Array.from({ length: 20 }, (_, i) => client.callTool("echo", { text: `text ${i}` })));
  assert.deepEqual(many.map(textOf), Array.from({ length: 20 }, (_, i) => `text ${i}`));
}

async function resourcesAndPrompts(client: Client): Promise<void> {
  assert.deepEqual((await client.listResources()).map(({ uri }) => uri), ["config://app"]);
  assert.deepEqual((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate), ["users://{userId}/profile"]);
  const { contents } = await client.readResource("config://app");
  assert.deepEqual(contents, [{ uri: "config://app", mimeType: "application/json", text: '{"theme":"dark"}' }]);
  assert.deepEqual((await client.readResource("users://17/profile")).contents, [
    { uri: "users://17/profile", text: "profile of 17" },
  ]);
  await assert.rejects(client.readResource("config://nothing"), (error) => error instanceof ProtocolError);
  assert.deepEqual((await client.listPrompts()).map(({ name }) => name), ["review"]);
  const { messages } = await client.getPrompt("review", { language: "rust" });
  assert.deepEqual(messages, [{ role: "user", content: { type: "text", text: "Review this rust for style." } }]);
  const languages = await client.complete({ prompt: "review" }, { name: "language", value: "t" });
  assert.deepEqual(languages.values, ["typescript"]);
  const users = await client.complete({ template: "users://{userId}/profile" }, { name: "userId", value: "1" });
  assert.deepEqual(users.values, ["17", "18"]);
}

async function progress(client: Client, logs: readonly unknown[]): Promise<void> {
  await client.callTool("steps", { count: 1 }, { logLevel: "error" });
  assert.deepEqual(logs, []);
  const seen: Progress[] = [];
  const onProgress = (step: Progress): void => void seen.push(step);
  const result = await client.callTool("steps", { count: 3 }, { logLevel: "info", onProgress });
  assert.equal(textOf(result), "3 steps");
  assert.deepEqual(seen, [1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })));
  assert.deepEqual(logs, [{ level: "info", data: { finished: 3 } }]);
}

async function questions(client: Client): Promise<void> {
  const answers = JSON.parse(textOf(await client.callTool("confirm", { what: "deploy" })));
  assert.deepEqual(answers.first, { action: "accept", content: { confirm: true } });
  assert.deepEqual(answers.sampled.content, { type: "text", text: "Name for deploy: Ada" });
  assert.deepEqual(answers.roots, { roots: [{ uri: "file:///work", name: "work" }] });
  assert.equal(textOf(await client.callTool("aside")), 'accept {"confirm":true}');
  assert.equal(textOf(await client.callTool("ping")), "{}");
}

async function changes(client: Client): Promise<void> {
  await using watch = client.watch({ toolsListChanged: true, resourceSubscriptions: ["config://app"] });
  await watch.open();
  assert.equal(textOf(await client.callTool("touch")), "touched 1");
  assert.deepEqual((await watch.next()).value, { type: "toolsListChanged" });
  assert.deepEqual((await watch.next()).value, { type: "resourceUpdated", uri: "config://app" });
  await watch.close();
  assert.equal(textOf(await client.callTool("touch")), "touched 0");
}

async function cancellation(client: Client, stderr: Watched): Promise<void> {
  const controller = new AbortController();
  const started = Promise.withResolvers<void>();
  const call = client.callTool("wait", {}, { signal: controller.signal, onProgress: () => started.resolve() });
  const reason = new Error("enough");
  await started.promise;
  controller.abort(reason);
  await assert.rejects(call, (error) => error === reason);
  await stderr.saw("wait was cancelled");
}
