/** Answers one request with our server, from a cold start. The arguments are the method and, if it is not to be Ajv, the validator. */
import { echoRequest, listRequest } from "../request.ts";
import { ourServer } from "./our_server.ts";

const [method, validator] = Deno.args;
const server = ourServer(1, validator === "interpreter" ? await interpreter() : undefined);
const { headers, body, check } = method === "tools/call" ? echoRequest() : listRequest(1);
const response = await server.fetch(new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }));
const fault = check(await response.json());
if (fault !== undefined) throw new Error(fault);

/** The validator that servers take where no code can be generated. */
async function interpreter() {
  const { loadInterpreter } = await import("../../../protocol/validators/interpreter.ts");
  return await loadInterpreter({ trusted: true });
}
