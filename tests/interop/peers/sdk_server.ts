/** The server under test, written with version 1 of the official package: one of each thing that the handshake revisions offer. */
// @ts-types="@modelcontextprotocol/sdk/server/completable"
import { completable } from "@modelcontextprotocol/sdk/server/completable.js";
// @ts-types="@modelcontextprotocol/sdk/server/mcp"
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { writeStderr } from "./write_stderr.ts";

/** Builds the server for one connection. */
export function sdkServer(): McpServer {
  const server = new McpServer({ name: "sdk", version: "1.32.2", title: "Version 1 peer" }, {
    instructions: "Ask anything.",
    capabilities: { logging: {}, resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } },
  });
  addTools(server);
  addQuestions(server);
  addChanges(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTools(server: McpServer): void {
  server.registerTool(
    "echo",
    { description: "Gives the text back", inputSchema: { text: z.string() } },
    ({ text }) => ({ content: [{ type: "text", text }] }),
  );
  server.registerTool("sum", {
    description: "Adds numbers",
    inputSchema: { numbers: z.array(z.number()) },
    outputSchema: { total: z.number() },
  }, ({ numbers }) => {
    const total = numbers.reduce((sum, number) => sum + number, 0);
    return { content: [{ type: "text", text: String(total) }], structuredContent: { total } };
  });
  server.registerTool("fail", { description: "Fails", inputSchema: {} }, () => ({
    content: [{ type: "text", text: "it did not work" }],
    isError: true,
  }));
  server.registerTool("steps", { description: "Reports progress", inputSchema: { count: z.number().int() } }, async ({ count }, {
    _meta,
    sendNotification,
    sessionId,
  }) => {
    const progressToken = _meta?.progressToken;
    for (let progress = 1; progress <= count && progressToken !== undefined; progress++) {
      const params = { progressToken, progress, total: count, message: `step ${progress}` };
      await sendNotification({ method: "notifications/progress", params });
    }
    // Its own way of logging takes the stream that belongs to no call; the level that it keeps is the same.
    if (!server.server["isMessageIgnored"]("info", sessionId)) {
      await sendNotification({ method: "notifications/message", params: { level: "info", data: { finished: count } } });
    }
    return { content: [{ type: "text", text: `${count} steps` }] };
  });
  server.registerTool("wait", { description: "Waits until it is cancelled", inputSchema: {} }, async (_args, extra) => {
    const cancelled = Promise.withResolvers<void>();
    extra.signal.addEventListener("abort", () => cancelled.resolve(), { once: true });
    const progressToken = extra._meta?.progressToken ?? 0;
    await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress: 0 } });
    await cancelled.promise;
    writeStderr("wait was cancelled");
    return { content: [] };
  });
}

function addQuestions(server: McpServer): void {
  const confirm = { type: "object" as const, properties: { confirm: { type: "boolean" as const } }, required: ["confirm"] };
  server.registerTool(
    "confirm",
    { description: "Asks a person, a model and for roots", inputSchema: { what: z.string() } },
    async (
      { what },
      { sendRequest },
    ) => {
      const form = { message: `Really ${what}?`, requestedSchema: confirm };
      const first = await sendRequest({ method: "elicitation/create", params: form }, ElicitResultSchema);
      if (first.content?.confirm !== true) return { content: [{ type: "text", text: "left alone" }] };
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: `Name for ${what}` } }];
      const sampled = await sendRequest(
        { method: "sampling/createMessage", params: { messages, maxTokens: 10 } },
        CreateMessageResultSchema,
      );
      const roots = await sendRequest({ method: "roots/list" }, ListRootsResultSchema);
      return { content: [{ type: "text", text: JSON.stringify({ first, sampled, roots }) }] };
    },
  );
  server.registerTool("aside", { description: "Asks outside of the call's own stream", inputSchema: {} }, async () => {
    const { action, content } = await server.server.elicitInput({ message: "By the way?", requestedSchema: confirm });
    return { content: [{ type: "text", text: `${action} ${JSON.stringify(content)}` }] };
  });
  server.registerTool("ping", { description: "Pings the client", inputSchema: {} }, async () => ({
    content: [{ type: "text", text: JSON.stringify(await server.server.ping()) }],
  }));
  server.registerTool("leave", { description: "Leaves its stream before it answers", inputSchema: {} }, async (_args, extra) => {
    extra.closeSSEStream?.();
    // The example store of events orders them by the millisecond, and by chance within one.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { content: [{ type: "text", text: "come back" }] };
  });
}

function addChanges(server: McpServer): void {
  const subscribed = new Set<string>();
  server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  server.registerTool("touch", { description: "Publishes changes", inputSchema: {} }, async () => {
    server.sendToolListChanged();
    for (const uri of subscribed) await server.server.sendResourceUpdated({ uri });
    return { content: [{ type: "text", text: `touched ${subscribed.size}` }] };
  });
}

function addResources(server: McpServer): void {
  server.registerResource("config", "config://app", { title: "Configuration", mimeType: "application/json" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "application/json", text: '{"theme":"dark"}' }],
  }));
  server.registerResource(
    "profile",
    new ResourceTemplate("users://{userId}/profile", {
      list: undefined,
      complete: { userId: (value) => ["17", "18", "29"].filter((id) => id.startsWith(value)) },
    }),
    { mimeType: "text/plain" },
    (uri, { userId }) => ({ contents: [{ uri: uri.href, text: `profile of ${String(userId)}` }] }),
  );
}

function addPrompts(server: McpServer): void {
  const languages = ["typescript", "python", "rust"];
  server.registerPrompt("review", {
    title: "Review",
    description: "Reviews code",
    argsSchema: {
      language: completable(z.string(), (value) => languages.filter((language) => language.startsWith(value))),
      focus: z.string().optional(),
    },
  }, ({ language, focus = "style" }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Review this ${language} for ${focus}.` } }],
  }));
}
