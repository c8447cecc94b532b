/** A server for the tests of stdio: what its first argument says. */
import process from "node:process";
import { serveStdio } from "../../../server/stdio.ts";
import { serveStandardStreams } from "../../../transports/stdio_server.ts";
import type { Served } from "../../../transports/transport.ts";

const mode = Deno.args[0] ?? "serve";
const server: Served = {
  handle(message, info) {
    if (!("id" in message) || !("method" in message)) return Promise.resolve(undefined);
    const { id, method } = message;
    if (method === "hang") {
      info.onDisconnect(() => Deno.stderr.writeSync(new TextEncoder().encode(`gone ${id}\n`)));
      return new Promise(() => undefined);
    }
    if (method === "later") {
      return new Promise((resolve) => setTimeout(() => resolve({ jsonrpc: "2.0", id: id as number, result: {} }), 50));
    }
    if (method === "log") {
      for (const name of ["log", "info", "debug", "warn", "error", "dir", "table", "group", "count"] as const) {
        globalThis.console[name](`noise-${name}`);
      }
      globalThis.console.clear();
      process.stdout.write("noise-write\n");
    }
    if (mode !== "serve") return Promise.resolve({ jsonrpc: "2.0", id: id as number, result: message.params ?? {} });
    const env = method === "env" ? Deno.env.toObject() : {};
    return Promise.resolve({ jsonrpc: "2.0", id: id as number, result: { cwd: Deno.cwd(), env } });
  },
};

if (mode === "stubborn") Deno.addSignalListener("SIGTERM", () => undefined);
if (mode === "timer") Deno.unrefTimer(setInterval(() => undefined, 1000));
const limits = mode === "roomy" ? { frame: 40 << 20 } : mode === "impatient" ? { stalledReader: 200, frame: 1 << 20 } : undefined;
const meter = { peak: 0 };
const { gc } = globalThis as { gc?: () => void };
const timer = mode === "meter"
  ? setInterval(() => {
    gc?.();
    const { heapUsed, external } = Deno.memoryUsage();
    meter.peak = Math.max(meter.peak, heapUsed + external);
  }, 20)
  : undefined;
const onError = (error: unknown): void => globalThis.console.error(String(error));
if (limits === undefined) await serveStdio(server);
else await serveStandardStreams(server, { limits, onError });
clearInterval(timer);
if (mode === "meter") globalThis.console.error(`peak ${meter.peak}`);
globalThis.console.error("served");
// What was written and is not taken keeps the program alive.
if (mode === "impatient") Deno.exit(0);
if (mode === "slow") await new Promise((resolve) => setTimeout(resolve, 200));
if (mode === "stubborn") setInterval(() => undefined, 1000);
