/**
 * A server with a family: "wild" relatives do not care for pipes and must be ended, "tame" ones end with the server.
 * Tells its number on stderr.
 */
import { spawn } from "node:child_process";
import { serveStdio } from "../../../server/stdio.ts";

const wild = Deno.args[0] === "wild";
if (wild) {
  // One in the group, one that keeps our output open, one in a session of its own, one whose parent is gone.
  const script = "sleep 1000 & setsid sleep 1000 >/dev/null 2>&1 & (setsid sleep 1000 &) & exit 0";
  spawn("sh", ["-c", script], { stdio: ["ignore", "inherit", "inherit"] }).unref();
} else {
  spawn("sh", ["-c", "cat >/dev/null"], { stdio: ["pipe", "ignore", "ignore"] }).unref();
}
Deno.stderr.writeSync(new TextEncoder().encode(`${Deno.pid}\n`));
await serveStdio({
  async handle(message) {
    if (!("id" in message) || !("method" in message)) return undefined;
    if (message.method === "hang") return await new Promise(() => undefined);
    if (message.method === "slow") await new Promise((resolve) => setTimeout(resolve, 20));
    return { jsonrpc: "2.0", id: message.id, result: message.params ?? {} };
  },
});
// The tame relative still holds the program.
Deno.exit(0);
