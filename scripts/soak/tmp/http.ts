import { connect } from "@causeway/mcp/client";
import { soakServer, heapInUse } from "../server.ts";
import { abuseHttp } from "../abuse.ts";
import { createRandom } from "../../fuzz/random.ts";
const protocol = Deno.args[0] as never;
const server = soakServer(Deno.args[1] === "sessions");
const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, server.fetch);
const url = `http://127.0.0.1:${http.addr.port}/mcp`;
const options = { protocol, inputs: { form: () => ({ action: "accept", content: { yes: true } }) as any }, onError() {} };
let i = 0;
const acts: Record<string, (c: any) => Promise<unknown>> = {
  echo: (c) => c.callTool("echo", { text: "x", n: 1 }),
  big: (c) => c.callTool("big", { size: 2000 }),
  fail: (c) => c.callTool("fail").catch(() => 0),
  count: (c) => c.callTool("count", { to: 4 }, { onProgress() {} }),
  abort: (c) => { const a = new AbortController(); setTimeout(() => a.abort(), 1); return c.callTool("wait", { ms: 40 }, { signal: a.signal }).catch(() => 0); },
  timeout: (c) => c.callTool("wait", { ms: 60 }, { timeout: 1 }).catch(() => 0),
  confirm: (c) => c.callTool("confirm", { n: 1 }),
  watch: async (c) => { const w = c.watch({ resourceSubscriptions: ["app://items/changing"] }); await w.open(); await w.close(); },
  abuse: () => abuseHttp(url, createRandom(9, i++)),
  reconnect: async () => { const c = await connect(url, options); await c.callTool("echo", { text: "x", n: 1 }); await c.close(); },
};
for (const [name, act] of Object.entries(acts)) {
  const client = await connect(url, options);
  const heap = async () => { await new Promise((r) => setTimeout(r, 3500)); return await heapInUse(); };
  const slow = ["timeout", "abort", "abuse", "reconnect", "watch"].includes(name);
  const n = slow ? 1600 : 4000;
  const batch = async (n: number) => { for (let i = 0; i < n; i += 8) await Promise.all(Array.from({ length: 8 }, () => act(client))); };
  await batch(n);
  const a = await heap();
  await batch(n); const b = await heap();
  await batch(n); const c = await heap();
  console.log(protocol, name, ((b - a) / n).toFixed(1), ((c - b) / n).toFixed(1), "bytes per call; heap", (c / 2 ** 20).toFixed(2));
  await client.close();
}
Deno.exit(0);
