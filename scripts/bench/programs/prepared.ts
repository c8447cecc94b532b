/** Answers every request with a prepared list of tools; only the request's id is put in. `RESULT` is the list. */
import { listen } from "./listen.ts";

const result = Deno.env.get("RESULT") ?? '{"tools":[]}';

await listen(async (request) => {
  const { id } = await request.json() as { readonly id: number };
  return new Response(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, { headers: { "content-type": "application/json" } });
});
