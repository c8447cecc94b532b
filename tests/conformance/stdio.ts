/** Serves the conformance fixture over stdin and stdout. */
import { serveStdio } from "@causeway/mcp/stdio";
import { fixtureServer } from "./fixture/server.ts";

await serveStdio(await fixtureServer());
