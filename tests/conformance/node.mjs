/** What the fixtures use of Deno, for Node: loaded before them. */
import process from "node:process";
import { serveNode } from "@causeway/mcp/node";

globalThis.Deno = {
  args: process.argv.slice(2),
  env: { get: (name) => process.env[name] },
  serve: async ({ port, hostname, onListen }, fetch) => {
    const running = await serveNode({ fetch }, { port, host: hostname });
    onListen({ hostname, port: running.port });
  },
  set exitCode(code) {
    process.exitCode = code;
  },
};
