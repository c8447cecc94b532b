/** Serves the soaked server on standard input and output. */
import { serveStdio } from "@causeway/mcp/stdio";
import { soakServer } from "./server.ts";

await serveStdio(soakServer(false));
