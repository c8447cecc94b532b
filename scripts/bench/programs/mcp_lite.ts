/** Serves `echo` with mcp-lite over HTTP, without sessions: the fastest way that the package has. */
import { McpServer, StreamableHttpTransport } from "mcp-lite";
import { listen } from "./listen.ts";

const server = new McpServer({ name: "bench", version: "1.0.0" });
server.tool("echo", {
  description: "Gives the text back",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  handler: ({ text }: { readonly text: string }) => ({ content: [{ type: "text", text }] }),
});

await listen(new StreamableHttpTransport().bind(server));
