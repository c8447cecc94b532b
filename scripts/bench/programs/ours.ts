/** Serves our server over HTTP. `TOOLS` is the number of tools. */
import { listen } from "./listen.ts";
import { ourServer } from "./our_server.ts";

await listen(ourServer(Number(Deno.env.get("TOOLS") ?? 1)).fetch);
