/** A client that calls a server until something kills it. */
import { resolveLimits } from "../../../protocol/limits.ts";
import { connectStdio } from "../../../transports/stdio_client.ts";
import { keepCalling } from "../kills.ts";

const [program = "", tree = ""] = Deno.args;
const transport = await connectStdio({
  command: Deno.execPath(),
  args: ["run", "-A", "--quiet", "--no-check", program, "tame"],
  env: { KILLS: tree },
  inheritEnv: true,
  stderr: "null",
}, { limits: resolveLimits(undefined) });
globalThis.console.log("started");
await keepCalling(transport, () => false);
