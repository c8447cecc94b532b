/** Our client and our server in one process. */
import { connect } from "@causeway/mcp/client";
import { checkedEcho } from "./echo_call.ts";
import { ourServer } from "./our_server.ts";
import { serveRounds } from "./rounds.ts";

const client = await connect(ourServer(1));
await serveRounds(checkedEcho((args) => client.callTool("echo", args)));
await client.close();
