/**
 * Drives a server with the client of version 1 of the official package and prints what it saw, one JSON object a line:
 * `{ step, … }`. Called with a URL, or with a command and its arguments.
 */
// @ts-types="@modelcontextprotocol/sdk/client/index"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

const encoder = new TextEncoder();
const [target = "", ...args] = Deno.args;

const http = /^https?:/.test(target) ? new StreamableHTTPClientTransport(new URL(target)) : undefined;
const transport = http ?? new StdioClientTransport({ command: target, args, env: Deno.env.toObject(), stderr: "inherit" });

const client = new Client({ name: "sdk-client", version: "1.32.2" }, {
  capabilities: { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } },
});

client.setRequestHandler(ElicitRequestSchema, (request) => {
  print("elicitation", { params: request.params });
  return { action: "accept", content: { confirm: true } };
});
client.setRequestHandler(CreateMessageRequestSchema, (request) => {
  print("sampling", { params: request.params });
  return { model: "scripted", role: "assistant", content: { type: "text", text: "Ada" } };
});
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///work", name: "work" }] }));

await step("connect", async () => {
  await client.connect(transport);
  return {
    session: http?.sessionId,
    revision: http?.protocolVersion,
    version: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
  };
});
await step("ping", () => client.ping());
await step("tools", async () => (await client.listTools()).tools);
await step("echo", () => client.callTool({ name: "echo", arguments: { text: "grüße 🌍" } }));
await step("sum", () => client.callTool({ name: "sum", arguments: { numbers: [1, 2, 3.5] } }));
await step("fail", () => client.callTool({ name: "fail", arguments: {} }));
await step("wrong", () => client.callTool({ name: "echo", arguments: { text: 1 } }));
await step("unknown", () => client.callTool({ name: "no-such-tool", arguments: {} }));
await step("progress", async () => {
  const seen: unknown[] = [];
  const logs: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, (notification) => void logs.push(notification.params));
  await client.setLoggingLevel("info");
  const options = { onprogress: (progress: unknown) => void seen.push(progress) };
  const result = await client.callTool({ name: "steps", arguments: { count: 3 } }, undefined, options);
  return { seen, logs, content: result.content };
});
await step("resources", async () => (await client.listResources()).resources);
await step("templates", async () => (await client.listResourceTemplates()).resourceTemplates);
await step("read", () => client.readResource({ uri: "config://app" }));
await step("readTemplate", () => client.readResource({ uri: "users://17/profile" }));
await step("readUnknown", () => client.readResource({ uri: "config://nothing" }));
await step("prompts", async () => (await client.listPrompts()).prompts);
await step("prompt", () => client.getPrompt({ name: "review", arguments: { language: "rust" } }));
await step("completePrompt", () => {
  return client.complete({ ref: { type: "ref/prompt", name: "review" }, argument: { name: "language", value: "t" } });
});
await step("completeTemplate", () => {
  const ref = { type: "ref/resource" as const, uri: "users://{userId}/profile" };
  return client.complete({ ref, argument: { name: "userId", value: "1" } });
});
await step("confirm", () => client.callTool({ name: "confirm", arguments: { what: "deploy" } }));
await step("rootsChanged", () => client.sendRootsListChanged());
await step("cancel", () => {
  const controller = new AbortController();
  const options = { signal: controller.signal, onprogress: () => controller.abort("enough") };
  return client.callTool({ name: "wait", arguments: {} }, undefined, options);
});
await step("changes", changes);
await step("terminate", async () => {
  await http?.terminateSession();
  return { session: http?.sessionId };
});
await step("close", () => client.close());
Deno.exit();

/** Subscribes, lets the server publish, and returns what came. */
async function changes(): Promise<unknown> {
  const seen: unknown[] = [];
  const both = Promise.withResolvers<void>();
  const saw = (entry: unknown): void => {
    if (seen.push(entry) === 2) both.resolve();
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => saw({ changed: "tools" }));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => saw({ updated: params.uri }));
  await client.subscribeResource({ uri: "config://app" });
  await client.callTool({ name: "touch", arguments: {} });
  await both.promise;
  await client.unsubscribeResource({ uri: "config://app" });
  return { seen };
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
