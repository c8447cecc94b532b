/** Serves the suite's server under Node to pages of the origin that the argument names; prints its URL. */
import process from "node:process";
import { serveNode } from "@causeway/mcp/node";
import { server } from "./server.mjs";

const http = await serveNode(server.with({ origins: [process.argv[2]] }), { port: 0 });
process.stdout.write(`${JSON.stringify({ url: new URL("mcp", http.url) })}\n`);
