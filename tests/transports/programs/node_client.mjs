/** Runs under Node: starts a server under Node from the bundle, calls it, ends or kills it, and prints what came of it. */
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

const { connectStdio, resolveLimits } = await import(process.argv[2]);
const server = [new URL("./node_server.mjs", import.meta.url).pathname, process.argv[2]];

async function collect(source) {
  const all = [];
  for await (const one of source) all.push(one);
  return all;
}

for (const end of ["close", "kill"]) {
  const tree = `node-${crypto.randomUUID()}`;
  const lines = [];
  const faults = [];
  const transport = await connectStdio({
    command: process.execPath,
    args: server,
    env: { KILLS: tree },
    stderr: (line) => lines.push(line),
  }, { limits: resolveLimits({ stopGrace: 200 }), onError: (error) => faults.push(error) });
  const call = (id, method, params = {}) => collect(transport.exchange({ jsonrpc: "2.0", id, method, params }, {}));
  const [answer] = await call(1, "log", { pad: "é🦊".repeat(100_000) });
  const open = [2, 3].map((id) => call(id, "hang").then(() => "answered", (error) => error.reason));
  if (end === "close") await transport.close();
  else process.kill(Number(lines[0]), "SIGKILL");
  const ends = await Promise.all(open);
  await transport.close();
  const left = readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "latin1").includes(tree);
    } catch {
      return false;
    }
  });
  const echoed = answer.result.pad.length;
  globalThis.console.log(JSON.stringify({ end, echoed, ends, lines: lines.slice(1), faults: faults.length, left: left.length }));
}
