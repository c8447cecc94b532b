/** This package's client against the official server, over HTTP and stdio. */
import assert from "node:assert/strict";
import {
  type Client,
  connect,
  type ConnectOptions,
  InputRequiredError,
  type Progress,
  ProtocolError,
  textOf,
} from "@causeway/mcp/client";
import { peerCommand, type Watched, watched, withHttpPeer } from "./peers/children.ts";

/** The official server, started. */
interface Peer {
  readonly carrier: "HTTP" | "stdio";
  /** Opens a client of it. */
  readonly open: (options?: ConnectOptions) => Promise<Client>;
  /** What it writes to stderr. */
  readonly stderr: Watched;
}

Deno.test("Client speaks with the official server over HTTP", async (t) => {
  const command = peerCommand("official_server_http.ts");
  await withHttpPeer(command, (url, stderr) => {
    return steps(t, { carrier: "HTTP", open: (options = {}) => connect(url, options), stderr });
  });
});

Deno.test("Client speaks with the official server over stdio", async (t) => {
  const stderr = watched();
  const command = { ...peerCommand("official_server_stdio.ts"), stderr: stderr.add };
  await steps(t, { carrier: "stdio", open: (options = {}) => connect(command, options), stderr });
});

async function steps(t: Deno.TestContext, peer: Peer): Promise<void> {
  const run = (name: string, use: (client: Client) => Promise<void>, options?: ConnectOptions): Promise<boolean> =>
    t.step(`${name} over ${peer.carrier}`, async () => {
      const client = await peer.open(options);
      try {
        await use(client);
      } finally {
        await client.close();
      }
    });
  await run("connect finds out about the server (M-DISC-007)", facts);
  await run("Client lists and calls tools (M-PAGE-005, M-TOOL-035)", tools);
  await run("Client tells a failed tool from a refused request", failures);
  const logs: unknown[] = [];
  await run("Client hands out progress and logs (M-LOG-004)", (client) => progress(client, logs), {
    onLog: ({ level, data }) => void logs.push({ level, data }),
  });
  await run("Client reads resources", resources);
  await run("Client renders prompts and completes", prompts);
  await run("Client answers questions in two rounds (M-MRTR-021, M-MRTR-023, M-MRTR-028, M-MRTR-029)", questions, {
    inputs: {
      form: ({ message }) =>
        message === "Really deploy?" ? { action: "accept", content: { confirm: true } } : { action: "cancel" },
      sampling: ({ messages: [message] }) => {
        const text = message === undefined ? "nothing" : textOf(message);
        return { role: "assistant", model: "scripted", content: { type: "text", text: `${text}: Ada` } };
      },
      roots: [{ uri: "file:///work", name: "work" }],
    },
  });
  await run("Client hands out questions when nothing answers them", manual, {
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
  });
  await run("Client listens to changes and stops", changes);
  await run("Client cancels a call (M-CANC-001)", (client) => cancellation(client, peer.stderr));
}

// deno-lint-ignore require-await -- all checks have one shape
async function facts(client: Client): Promise<void> {
  const { protocolVersion, era, info, capabilities, instructions, sessionId } = client.server;
  assert.equal(protocolVersion, "2026-07-28");
  assert.equal(era, "modern");
  assert.deepEqual(info, { name: "official", version: "2.4.0", title: "Official peer" });
  assert.equal(instructions, "Ask anything.");
  assert.equal(sessionId, undefined);
  assert.equal(capabilities.tools?.listChanged, true);
  assert.equal(capabilities.resources?.subscribe, true);
}

async function tools(client: Client): Promise<void> {
  const listed = await client.listTools();
  assert.deepEqual(listed.map(({ name }) => name), ["echo", "sum", "fail", "steps", "wait", "confirm", "touch"]);
  const echoed = await client.callTool("echo", { text: "grüße 🌍" });
  assert.equal(textOf(echoed), "grüße 🌍");
  assert.notEqual(echoed.isError, true);
  const sum = await client.callTool("sum", { numbers: [1, 2, 3.5] });
  assert.deepEqual(sum.structuredContent, { total: 6.5 });
  const many = await Promise.all(Array.from({ length: 20 }, (_, i) => client.callTool("echo", { text: `text ${i}` })));
  assert.deepEqual(many.map(textOf), Array.from({ length: 20 }, (_, i) => `text ${i}`));
}

async function failures(client: Client): Promise<void> {
  const failed = await client.callTool("fail");
  assert.equal(failed.isError, true);
  assert.equal(textOf(failed), "it did not work");
  assert.equal((await client.callTool("echo", { text: 1 })).isError, true);
  await assert.rejects(client.callTool("no-such-tool"), (error) => error instanceof ProtocolError && error.code === -32602);
}

async function progress(client: Client, logs: readonly unknown[]): Promise<void> {
  const seen: Progress[] = [];
  const result = await client.callTool("steps", { count: 3 }, { logLevel: "info", onProgress: (step) => void seen.push(step) });
  assert.deepEqual(seen, [1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })));
  assert.deepEqual(logs, [{ level: "info", data: { finished: 3 } }]);
  assert.equal(textOf(result), "3 steps");
}

async function resources(client: Client): Promise<void> {
  assert.deepEqual((await client.listResources()).map(({ uri }) => uri), ["config://app"]);
  assert.deepEqual((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate), ["users://{userId}/profile"]);
  const { contents } = await client.readResource("config://app");
  assert.deepEqual(contents, [{ uri: "config://app", mimeType: "application/json", text: '{"theme":"dark"}' }]);
  const profile = await client.readResource("users://17/profile");
  assert.deepEqual(profile.contents, [{ uri: "users://17/profile", text: "profile of 17" }]);
  await assert.rejects(
    client.readResource("config://nothing"),
    (error) => error instanceof ProtocolError && error.code === -32602,
  );
}

async function prompts(client: Client): Promise<void> {
  assert.deepEqual((await client.listPrompts()).map(({ name }) => name), ["review"]);
  const { messages } = await client.getPrompt("review", { language: "rust" });
  assert.deepEqual(messages, [{ role: "user", content: { type: "text", text: "Review this rust for style." } }]);
  const languages = await client.complete({ prompt: "review" }, { name: "language", value: "t" });
  assert.deepEqual(languages.values, ["typescript"]);
  const users = await client.complete({ template: "users://{userId}/profile" }, { name: "userId", value: "1" });
  assert.deepEqual(users.values, ["17", "18"]);
}

async function questions(client: Client): Promise<void> {
  const answers = JSON.parse(textOf(await client.callTool("confirm", { what: "deploy" })));
  assert.deepEqual(answers.sampled.content, { type: "text", text: "Name for deploy: Ada" });
  assert.deepEqual(answers.roots, { roots: [{ uri: "file:///work", name: "work" }] });
}

async function manual(client: Client): Promise<void> {
  await assert.rejects(
    client.callTool("confirm", { what: "deploy" }),
    (error) => error instanceof InputRequiredError && Object.keys(error.requests).join() === "first",
  );
  const pending = await client.callTool("confirm", { what: "deploy" }, { input: "manual" });
  assert.ok(pending.resultType === "input_required");
  assert.deepEqual(Object.keys(pending.inputRequests), ["first"]);
  const declined = await pending.resume({ first: { action: "accept", content: { confirm: false } } });
  assert.ok(declined.resultType === "complete");
  assert.equal(textOf(declined), "left alone");
}

async function changes(client: Client): Promise<void> {
  const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ["config://app"] });
  assert.deepEqual(subscription.accepted, { toolsListChanged: true, resourceSubscriptions: ["config://app"] });
  await client.callTool("touch");
  assert.deepEqual((await subscription.next()).value, { type: "toolsListChanged" });
  assert.deepEqual((await subscription.next()).value, { type: "resourceUpdated", uri: "config://app" });
  await subscription.close();
  assert.deepEqual(await subscription.closed, { by: "client" });
  assert.equal(textOf(await client.callTool("echo", { text: "still here" })), "still here");
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
