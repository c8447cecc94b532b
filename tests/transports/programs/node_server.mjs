/** Runs under Node: serves from the bundle, with relatives that do not end by themselves. */
import { spawn } from "node:child_process";
import process from "node:process";

const { serveStandardStreams } = await import(process.argv[2]);
spawn("sh", ["-c", "sleep 1000 & setsid sleep 1000 & (setsid sleep 1000 &) & exit 0"], {
  stdio: ["ignore", "inherit", "inherit"],
}).unref();
globalThis.console.error(process.pid);
await serveStandardStreams({
  handle(message, info) {
    if (!("id" in message)) return Promise.resolve(undefined);
    if (message.method === "hang") {
      info.onDisconnect(() => process.stderr.write("gone\n"));
      return new Promise(() => undefined);
    }
    globalThis.console.log("noise");
    globalThis.console.clear();
    process.stdout.write("raw noise\n");
    return Promise.resolve({ jsonrpc: "2.0", id: message.id, result: message.params });
  },
});
globalThis.console.error("served");
