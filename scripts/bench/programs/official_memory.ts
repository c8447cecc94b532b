/** The official client and server in one process, through the server's fetch handler: their only way for this revision. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { checkedEcho } from "./echo_call.ts";
import { officialFactory } from "./official_server.ts";
import { serveRounds } from "./rounds.ts";

const handler = createMcpHandler(officialFactory(1, "module"), { legacy: "reject" });
const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
const url = new URL("http://127.0.0.1/mcp");
await client.connect(new StreamableHTTPClientTransport(url, { fetch: (to, init) => handler.fetch(new Request(to, init)) }));
await serveRounds(checkedEcho((args) => client.callTool({ name: "echo", arguments: args })));
await client.close();
await handler.close();
