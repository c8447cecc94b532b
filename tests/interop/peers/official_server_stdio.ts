/** Serves the official server over stdio. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { officialServer } from "./official_server.ts";
import { writeStderr } from "./write_stderr.ts";

serveStdio(() =>
  officialServer({
    toolsChanged: (server) => server.sendToolListChanged(),
    resourceUpdated: (server, uri) => void server.server.sendResourceUpdated({ uri }),
  }), { legacy: "reject", onerror: (error) => writeStderr(error.message) });
