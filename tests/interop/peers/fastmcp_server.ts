/**
 * The server under test, written with `fastmcp`. Called with a port, it serves there over HTTP, without an argument over stdio;
 * it ends when standard input ends.
 */
import { Buffer } from "node:buffer";
import { FastMCP, imageContent, UserError } from "fastmcp";
import * as z from "zod";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

const server = new FastMCP({ name: "fastmcp", version: "4.20.16", instructions: "Ask anything." });

server.addTool({
  name: "echo",
  description: "Gives the text back",
  parameters: z.object({ text: z.string() }),
  execute: ({ text }) => Promise.resolve(text),
});
server.addTool({
  name: "picture",
  description: "Answers with an image",
  execute: () => imageContent({ buffer: Buffer.from(PIXEL, "base64") }),
});
server.addTool({
  name: "fail",
  description: "Fails",
  execute: () => Promise.reject(new UserError("it did not work")),
});
server.addTool({
  name: "steps",
  description: "Reports progress and logs",
  parameters: z.object({ count: z.number().int() }),
  async execute({ count }, { log, reportProgress }) {
    for (let progress = 1; progress <= count; progress++) await reportProgress({ progress, total: count });
    log.info("finished", { count });
    return `${count} steps`;
  },
});
server.addTool({
  name: "confirm",
  description: "Asks a person",
  async execute(_args, { elicit }) {
    const requestedSchema = { type: "object" as const, properties: { confirm: { type: "boolean" as const } } };
    const { action, content } = await elicit({ message: "Really?", requestedSchema });
    return `${action} ${JSON.stringify(content)}`;
  },
});
server.addResource({
  uri: "config://app",
  name: "config",
  mimeType: "application/json",
  load: () => Promise.resolve({ text: '{"theme":"dark"}' }),
});
server.addResourceTemplate({
  uriTemplate: "users://{userId}/profile",
  name: "profile",
  mimeType: "text/plain",
  arguments: [{ name: "userId", required: true }],
  load: ({ userId }) => Promise.resolve({ text: `profile of ${userId}` }),
});
server.addPrompt({
  name: "review",
  description: "Reviews code",
  arguments: [{ name: "language", description: "Which", required: true, enum: ["typescript", "python", "rust"] }],
  load: ({ language }) => Promise.resolve(`Review this ${language}.`),
});

const port = Number(Deno.args[0] ?? "0");
if (port > 0) {
  await server.start({ transportType: "httpStream", httpStream: { port, host: "127.0.0.1" } });
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify({ port })}\n`));
  for await (const _chunk of Deno.stdin.readable);
  Deno.exit();
}
await server.start({ transportType: "stdio" });
