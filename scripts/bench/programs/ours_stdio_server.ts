/** Our server over stdio. */
import { serveStdio } from "@causeway/mcp/stdio";
import { ourServer } from "./our_server.ts";

await serveStdio(ourServer(1));
