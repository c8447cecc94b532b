/** Serves the official server over HTTP on a free port of loopback, prints the port, and ends when standard input ends. */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { officialServer } from "./official_server.ts";
import { writeStderr } from "./write_stderr.ts";

const handler = createMcpHandler(() =>
  officialServer({
    toolsChanged: () => handler.notify.toolsChanged(),
    resourceUpdated: (_server, uri) => handler.notify.resourceUpdated(uri),
  }), { legacy: "reject", onerror: (error) => writeStderr(error.message) });

const http = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify({ port })}\n`)),
}, (request) => handler.fetch(request));

for await (const _chunk of Deno.stdin.readable);
await handler.close();
await http.shutdown();
