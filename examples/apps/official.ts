/**
 * Serves the official example of an app, from its npm package, to a page of another origin: on loopback, until standard input
 * ends. Prints its port.
 *
 *     deno run --allow-net=127.0.0.1 --allow-read --allow-env examples/apps/official.ts http://localhost:8000
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createServer } from "@modelcontextprotocol/server-basic-vanillajs";

const [origin = ""] = Deno.args;
const http = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => Deno.stdout.writeSync(new TextEncoder().encode(`${port}\n`)),
}, async (request) => {
  const allowed = {
    "access-control-allow-origin": origin,
    "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "",
    "access-control-allow-methods": "GET, POST, DELETE",
  };
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: allowed });
  // As the package serves itself: a server for each request, and no session.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await createServer().connect(transport as never);
  const response = await transport.handleRequest(request);
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(allowed)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
});

for await (const _chunk of Deno.stdin.readable);
await http.shutdown();
