import { connect } from "@causeway/mcp/client";
import { COMMANDX } from "./cmd.ts";
const protocol = Deno.args[0] as never;
const acts: Record<string, (c: any) => Promise<unknown>> = {
  echo: (c) => c.callTool("echo", { text: "x", n: 1 }),
  list: (c) => c.listTools(),
  read: (c) => c.readResource("app://items/7"),
  prompt: (c) => c.getPrompt("hello", { name: "x" }),
  fail: (c) => c.callTool("fail").catch(() => 0),
  refused: (c) => c.callTool("nope").catch(() => 0),
  count: (c) => c.callTool("count", { to: 4 }, { onProgress() {} }),
  abort: (c) => { const a = new AbortController(); setTimeout(() => a.abort(), 1); return c.callTool("wait", { ms: 40 }, { signal: a.signal }).catch(() => 0); },
  timeout: (c) => c.callTool("wait", { ms: 60 }, { timeout: 1 }).catch(() => 0),
  confirm: (c) => c.callTool("confirm", { n: 1 }),
  watch: async (c) => { const w = c.watch({ resourceSubscriptions: ["app://items/changing"] }); await w.open(); await w.close(); },
};
for (const [name, act] of Object.entries(acts)) {
  const client = await connect(COMMANDX, { protocol, inputs: { form: () => ({ action: "accept", content: { yes: true } }) }, onError() {} });
  const heap = async () => ((await client.callTool("heap")).structuredContent as any).bytes as number;
  const batch = async (n: number) => { for (let i = 0; i < n; i += 8) await Promise.all(Array.from({ length: 8 }, () => act(client))); };
  await batch(name === "timeout" || name === "abort" ? 2000 : 4000);
  const a = await heap();
  const n = name === "timeout" || name === "abort" ? 2000 : 4000;
  await batch(n); const b = await heap();
  await batch(n); const c = await heap();
  console.log(protocol, name, ((b - a) / n).toFixed(1), ((c - b) / n).toFixed(1), "bytes per call; heap", (c / 2 ** 20).toFixed(2));
  await client.close();
}
Deno.exit(0);
