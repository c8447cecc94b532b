/** The official client and server over stdio. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { checkedEcho } from "./echo_call.ts";
import { serveRounds } from "./rounds.ts";

const program = new URL("./official_stdio_server.ts", import.meta.url).pathname;
const args = ["run", "-A", "--cached-only", program];
const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
await client.connect(new StdioClientTransport({ command: Deno.execPath(), args, env: Deno.env.toObject(), stderr: "inherit" }));
await serveRounds(checkedEcho((input) => client.callTool({ name: "echo", arguments: input })));
await client.close();
