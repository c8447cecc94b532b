/** Answers one request with the official server, from a cold start. The argument is the method. */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { echoRequest, listRequest } from "../request.ts";
import { officialFactory } from "./official_server.ts";

const handler = createMcpHandler(officialFactory(1, "module"), { legacy: "reject" });
const { headers, body, check } = Deno.args[0] === "tools/call" ? echoRequest() : listRequest(1);
const response = await handler.fetch(new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }));
const fault = check(await response.json());
if (fault !== undefined) throw new Error(fault);
