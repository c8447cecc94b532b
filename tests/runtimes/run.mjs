/** Runs the suite on Node, Bun or Deno; with a URL as argument, over HTTP against that alone. */
import process from "node:process";
import { connect } from "@causeway/mcp/client";
import { server } from "./server.mjs";
import { INSIDE, runAlone, runCases } from "./suite.mjs";

const url = process.argv[2];

function print(outcome) {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}

/** Listens in the way of the runtime; gives the URL and what ends it. */
async function listen() {
  if (globalThis.Deno !== undefined) {
    const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, server.fetch);
    return { url: `http://127.0.0.1:${http.addr.port}/mcp`, stop: () => http.shutdown() };
  }
  if (globalThis.Bun !== undefined) {
    const http = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: server.fetch });
    return { url: `http://127.0.0.1:${http.port}/mcp`, stop: () => http.stop(true) };
  }
  const { serveNode } = await import("@causeway/mcp/node");
  const http = await serveNode(server, { port: 0 });
  return { url: new URL("mcp", http.url), stop: () => http.close() };
}

if (url !== undefined) {
  const skipped = (process.argv[3] ?? "").split(",");
  const skip = (_carrier, protocol, name) => skipped.includes(protocol) || skipped.includes(name);
  for await (const one of runCases({ "HTTP": (options) => connect(url, options) }, skip)) print(one);
} else {
  const http = await listen();
  const args = [...(globalThis.Deno === undefined ? [] : ["run", "-A"]), new URL("./stdio.mjs", import.meta.url).pathname];
  const carriers = {
    ...INSIDE,
    "HTTP": (options) => connect(http.url, options),
    "stdio": (options) => connect({ command: process.execPath, args }, options),
  };
  for await (const one of runAlone()) print(one);
  for await (const one of runCases(carriers)) print(one);
  await http.stop();
}
// What a failed case has left open would keep the program.
process.exit();
