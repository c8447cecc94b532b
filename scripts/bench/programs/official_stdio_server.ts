/** The official server over stdio. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { officialFactory } from "./official_server.ts";

serveStdio(officialFactory(1, "module"), { legacy: "reject" });
