/** Serves our server over HTTP. `TOOLS` is the number of tools, `SCHEMA` is `args` or `zod`. */
import { listen } from "./listen.ts";
import { ourServer } from "./our_server.ts";

const server = ourServer(Number(Deno.env.get("TOOLS") ?? 1), Deno.env.get("SCHEMA") === "zod" ? "zod" : "args");

await listen(server.fetch);
