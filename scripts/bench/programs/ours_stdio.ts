/** Our client and our server over stdio. */
import { connect } from "@causeway/mcp/client";
import { checkedEcho } from "./echo_call.ts";
import { serveRounds } from "./rounds.ts";

const program = new URL("./ours_stdio_server.ts", import.meta.url).pathname;
const args = ["run", "-A", "--cached-only", program];
const client = await connect({ command: Deno.execPath(), args, inheritEnv: true, stderr: "inherit" });
await serveRounds(checkedEcho((input) => client.callTool("echo", input)));
await client.close();
