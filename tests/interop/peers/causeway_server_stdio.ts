/** Serves this package's server over stdio. */
import { serveStdio } from "@causeway/mcp/stdio";
import { causewayServer } from "./causeway_server.ts";
import { writeStderr } from "./write_stderr.ts";

await serveStdio(causewayServer(() => writeStderr("wait was cancelled")));
