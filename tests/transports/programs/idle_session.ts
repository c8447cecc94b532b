/** Opens a session of a server in this process, says so, and has nothing else to do. */
import { defineServer } from "../../../server/mod.ts";

const server = defineServer({ name: "idle", version: "1.0.0", sessions: true });
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
};
const response = await server.fetch(
  new Request("http://localhost/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(initialize),
  }),
);
await Deno.stdout.write(new TextEncoder().encode(`${response.status} ${response.headers.has("mcp-session-id")}`));
