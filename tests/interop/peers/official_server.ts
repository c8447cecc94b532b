/** The server under test, written with the official package: one of each thing that 2026-07-28 offers. */
import {
  acceptedContent,
  type CallToolResult,
  completable,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { writeStderr } from "./write_stderr.ts";

/** What the tool `touch` does; HTTP and stdio publish changes in different ways. */
export interface Publisher {
  /** Says that the list of tools has changed. */
  toolsChanged(server: McpServer): void;
  /** Says that a resource has changed. */
  resourceUpdated(server: McpServer, uri: string): void;
}

/** One key for the life of the process: over HTTP every request gets a server of its own. */
const stateCodec = createRequestStateCodec<{ step: string }>({ key: crypto.getRandomValues(new Uint8Array(32)), ttlSeconds: 60 });

/** Builds the server. */
export function officialServer(publisher: Publisher): McpServer {
  const server = new McpServer({ name: "official", version: "2.4.0", title: "Official peer" }, {
    instructions: "Ask anything.",
    capabilities: {
      logging: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    },
    requestState: { verify: stateCodec.verify },
  });
  addTools(server);
  addQuestions(server);
  addChanges(server, publisher);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTools(server: McpServer): void {
  server.registerTool(
    "echo",
    { description: "Gives the text back", inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({
      content: [{ type: "text", text }],
    }),
  );
  server.registerTool("sum", {
    description: "Adds numbers",
    inputSchema: z.object({ numbers: z.array(z.number()) }),
    outputSchema: z.object({ total: z.number() }),
  }, ({ numbers }) => {
    const total = numbers.reduce((sum, number) => sum + number, 0);
    return { content: [{ type: "text", text: String(total) }], structuredContent: { total } };
  });
  server.registerTool("fail", { description: "Fails", inputSchema: z.object({}) }, () => ({
    content: [{ type: "text", text: "it did not work" }],
    isError: true,
  }));
  server.registerTool(
    "steps",
    { description: "Reports progress", inputSchema: z.object({ count: z.number().int() }) },
    async ({ count }, ctx) => {
      for (let step = 1; step <= count; step++) await report(ctx, { progress: step, total: count, message: `step ${step}` });
      await ctx.mcpReq.log("info", { finished: count });
      return { content: [{ type: "text", text: `${count} steps` }] };
    },
  );
  server.registerTool("wait", { description: "Waits until it is cancelled", inputSchema: z.object({}) }, async (_args, ctx) => {
    const cancelled = Promise.withResolvers<void>();
    ctx.mcpReq.signal.addEventListener("abort", () => cancelled.resolve(), { once: true });
    await report(ctx, { progress: 0 });
    await cancelled.promise;
    writeStderr("wait was cancelled");
    return { content: [] };
  });
}

/** Sends progress when the caller wants it. */
async function report(ctx: ServerContext, progress: { progress: number; total?: number; message?: string }): Promise<void> {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...progress } });
}

function addQuestions(server: McpServer): void {
  const form = z.object({ confirm: z.boolean() });
  server.registerTool(
    "confirm",
    { description: "Asks a person, twice", inputSchema: z.object({ what: z.string() }) },
    async ({ what }, ctx): Promise<CallToolResult | InputRequiredResult> => {
      const state = ctx.mcpReq.requestState<{ step: string }>();
      if (state?.step !== "confirmed") {
        const first = acceptedContent(ctx.mcpReq.inputResponses, "first", form);
        if (first === undefined) {
          return inputRequired({
            inputRequests: { first: inputRequired.elicit({ message: `Really ${what}?`, requestedSchema: form }) },
          });
        }
        if (!first.confirm) return { content: [{ type: "text", text: "left alone" }] };
        return inputRequired({
          inputRequests: {
            sampled: inputRequired.createMessage({
              messages: [{ role: "user", content: { type: "text", text: `Name for ${what}` } }],
              maxTokens: 10,
            }),
            roots: inputRequired.listRoots(),
          },
          requestState: await stateCodec.mint({ step: "confirmed" }),
        });
      }
      return { content: [{ type: "text", text: JSON.stringify(ctx.mcpReq.inputResponses) }] };
    },
  );
}

function addChanges(server: McpServer, publisher: Publisher): void {
  server.registerTool("touch", { description: "Publishes changes", inputSchema: z.object({}) }, () => {
    publisher.toolsChanged(server);
    publisher.resourceUpdated(server, "config://app");
    return { content: [{ type: "text", text: "touched" }] };
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
    argsSchema: z.object({
      language: completable(z.string(), (value) => languages.filter((language) => language.startsWith(value))),
      focus: z.string().optional(),
    }),
  }, ({ language, focus = "style" }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Review this ${language} for ${focus}.` } }],
  }));
}
