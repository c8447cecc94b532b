/** The server about npm packages over stdio: `deno run examples/stdio_server.ts`. */
import { serveStdio } from "@causeway/mcp/stdio";
import server from "./packages.ts";

await serveStdio(server);
