/**
 * Serves the server of version 1 over HTTP on a free port of loopback, prints the port, and ends when standard input ends.
 * Called with `stateless`, it keeps no sessions.
 */
// @ts-types="@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore"
import { InMemoryEventStore } from "@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js";
// @ts-types="@modelcontextprotocol/sdk/server/streamableHttp"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { sdkServer } from "./sdk_server.ts";
import { writeStderr } from "./write_stderr.ts";

const sessions = new Map<string, StreamableHTTPServerTransport>();
const stateless = Deno.args.includes("stateless");

async function transportFor(request: IncomingMessage, response: ServerResponse): Promise<StreamableHTTPServerTransport> {
  const id = request.headers["mcp-session-id"];
  const known = typeof id === "string" ? sessions.get(id) : undefined;
  if (known !== undefined) return known;
  const server = sdkServer();
  const transport = stateless
    ? new StreamableHTTPServerTransport({ enableJsonResponse: true })
    : new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: () => writeStderr("session was ended"),
      eventStore: new InMemoryEventStore(),
      retryInterval: 50,
    });
  if (stateless) response.on("close", () => void server.close());
  await server.connect(transport);
  return transport;
}

const http = createServer((request, response) => {
  const answer = async (): Promise<void> => await (await transportFor(request, response)).handleRequest(request, response);
  answer().catch((error) => writeStderr(String(error)));
});

http.listen(0, "127.0.0.1", () => {
  const { port } = http.address() as { readonly port: number };
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify({ port })}\n`));
});

for await (const _chunk of Deno.stdin.readable);
Deno.exit();
