/**
 * Drives a server with the official client and prints what it saw, one JSON object a line: `{ step, … }`.
 *
 * Called with how it negotiates (`pin`, `auto` or `legacy`) and a URL, or a command and its arguments.
 */
import { Client, type McpSubscription, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const encoder = new TextEncoder();
const [mode = "", target = "", ...args] = Deno.args;

const transport = /^https?:/.test(target)
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env: Deno.env.toObject(), stderr: "inherit" });

const client = new Client({ name: "official-client", version: "2.4.0" }, {
  capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
  versionNegotiation: { mode: mode === "auto" || mode === "legacy" ? mode : { pin: "2026-07-28" } },
});

client.setRequestHandler("elicitation/create", (request) => {
  print("elicitation", { params: request.params });
  return { action: "accept", content: { confirm: true } };
});
client.setRequestHandler("sampling/createMessage", (request) => {
  print("sampling", { params: request.params });
  return { model: "scripted", role: "assistant", content: { type: "text", text: "Ada" } };
});
client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///work", name: "work" }] }));

await step("connect", async () => {
  await client.connect(transport);
  return {
    era: client.getProtocolEra(),
    version: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
  };
});
await step("tools", async () => (await client.listTools()).tools);
await step("echo", () => client.callTool({ name: "echo", arguments: { text: "grüße 🌍" } }));
await step("sum", () => client.callTool({ name: "sum", arguments: { numbers: [1, 2, 3.5] } }));
await step("fail", () => client.callTool({ name: "fail", arguments: {} }));
await step("wrong", () => client.callTool({ name: "echo", arguments: { text: 1 } }));
await step("unknown", () => client.callTool({ name: "no-such-tool", arguments: {} }));
await step("progress", async () => {
  const seen: unknown[] = [];
  const logs: unknown[] = [];
  client.setNotificationHandler("notifications/message", (notification) => void logs.push(notification.params));
  if (mode === "legacy") await client.setLoggingLevel("info");
  const result = await client.callTool({
    name: "steps",
    arguments: { count: 3 },
    _meta: { "io.modelcontextprotocol/logLevel": "info" },
  }, { onprogress: (progress) => void seen.push(progress) });
  return { seen, logs, content: result.content };
});
await step("resources", async () => (await client.listResources()).resources);
await step("templates", async () => (await client.listResourceTemplates()).resourceTemplates);
await step("read", () => client.readResource({ uri: "config://app" }));
await step("readTemplate", () => client.readResource({ uri: "users://17/profile" }));
await step("readUnknown", () => client.readResource({ uri: "config://nothing" }));
await step("prompts", async () => (await client.listPrompts()).prompts);
await step("prompt", () => client.getPrompt({ name: "review", arguments: { language: "rust" } }));
await step(
  "completePrompt",
  () => client.complete({ ref: { type: "ref/prompt", name: "review" }, argument: { name: "language", value: "t" } }),
);
await step(
  "completeTemplate",
  () =>
    client.complete({ ref: { type: "ref/resource", uri: "users://{userId}/profile" }, argument: { name: "userId", value: "1" } }),
);
await step("confirm", () => client.callTool({ name: "confirm", arguments: { what: "deploy" } }));
await step("cancel", () => {
  const controller = new AbortController();
  return client.callTool({ name: "wait", arguments: {} }, {
    signal: controller.signal,
    onprogress: () => controller.abort("enough"),
  });
});
await step("listen", listen);
await step("close", () => client.close());
// A closed official client can still hold the process for a minute, against a server of its own kind as well.
Deno.exit();

/** Opens a change stream, lets the server publish, and returns what came. */
async function listen(): Promise<unknown> {
  const seen: unknown[] = [];
  const both = Promise.withResolvers<void>();
  const saw = (entry: unknown): void => {
    if (seen.push(entry) === 2) both.resolve();
  };
  client.setNotificationHandler("notifications/tools/list_changed", () => saw({ changed: "tools" }));
  client.setNotificationHandler("notifications/resources/updated", (notification) => saw({ updated: notification.params.uri }));
  if (mode === "legacy") {
    await client.subscribeResource({ uri: "config://app" });
    await client.callTool({ name: "touch", arguments: {} });
    await both.promise;
    await client.unsubscribeResource({ uri: "config://app" });
    return { seen };
  }
  const subscription: McpSubscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ["config://app"] });
  await client.callTool({ name: "touch", arguments: {} });
  await both.promise;
  await subscription.close();
  return { honored: subscription.honoredFilter, seen, closed: await subscription.closed };
}

/** Runs one step and prints its value, or the error's name, code and message. */
async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  try {
    print(name, { value: await run() });
  } catch (error) {
    const { name: kind, message, code, data } = error as Error & { code?: unknown; data?: unknown };
    print(name, { error: { kind, message, code, data } });
  }
}

function print(name: string, entry: object): void {
  Deno.stdout.writeSync(encoder.encode(`${JSON.stringify({ step: name, ...entry })}\n`));
}
