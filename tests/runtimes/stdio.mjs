/** Serves on standard input and output. */
import { serveStdio } from "@causeway/mcp/stdio";
import { server } from "./server.mjs";

await serveStdio(server);
