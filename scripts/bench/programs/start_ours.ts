/** Answers one request with our server, from a cold start. The argument is the method. */
import { echoRequest, listRequest } from "../request.ts";
import { ourServer } from "./our_server.ts";

const server = ourServer(1);
const { headers, body, check } = Deno.args[0] === "tools/call" ? echoRequest() : listRequest(1);
const response = await server.fetch(new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }));
const fault = check(await response.json());
if (fault !== undefined) throw new Error(fault);
