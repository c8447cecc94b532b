/** Looks up `localhost` with the permissions that it was started with, and prints what comes of it. */
import { lookupHost } from "../../../../client/auth/host_lookup.ts";

if (Deno.args.includes("without")) Object.defineProperty(globalThis, "process", { value: undefined });
const said = await lookupHost("localhost").then((found) => found.join(" "), (error: Error) => error.message);
Deno.stdout.writeSync(new TextEncoder().encode(said));
