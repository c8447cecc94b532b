/** Serves the conformance fixture over HTTP on `$PORT` (3000), loopback only. */
import { fixtureServer } from "./fixture/server.ts";

const port = Number(Deno.env.get("PORT") ?? "3000");

Deno.serve({
  port,
  hostname: "127.0.0.1",
  // deno-lint-ignore no-console -- whoever starts the program waits for this line
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}/mcp`),
}, (await fixtureServer()).fetch);
