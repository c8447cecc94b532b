/** The bare handler: parses the body and answers the same JSON as a server of this package, without any check. */
import { listen } from "./listen.ts";

const serverInfo = { name: "bench", version: "1.0.0" };

interface Echo {
  readonly id: number;
  readonly params: { readonly arguments: { readonly text: string } };
}

await listen(async (request) => {
  const { id, params } = await request.json() as Echo;
  const result = {
    resultType: "complete",
    content: [{ type: "text", text: params.arguments.text }],
    _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
  };
  return new Response(JSON.stringify({ jsonrpc: "2.0", id, result }), { headers: { "content-type": "application/json" } });
});
