/** Serves the server of version 1 over stdio. */
// @ts-types="@modelcontextprotocol/sdk/server/stdio"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { sdkServer } from "./sdk_server.ts";

await sdkServer().connect(new StdioServerTransport());
