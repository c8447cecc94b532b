/**
 * Makes thousands of calls that share one signal, every tenth failing, over HTTP and over stdio or a channel; prints what is left.
 * Run with `--v8-flags=--expose-gc`.
 */
import process from "node:process";
import { connect } from "../../../client/mod.ts";
import type { Client } from "../../../client/mod.ts";
import { countListeners } from "../../client/scripted.ts";
import { defineServer, tool } from "../../../server/mod.ts";

const CALLS = 5000;
const EARLY = 1000;

interface Left {
  readonly listeners: number;
  readonly failed: number;
  readonly early: number;
  readonly late: number;
  readonly peers: number;
  readonly timers: number;
  readonly warnings: number;
}

const gc = (globalThis as unknown as { gc(): void }).gc;
let warnings = 0;
process.on("warning", () => warnings++);

async function heap(): Promise<number> {
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    gc();
  }
  return Deno.memoryUsage().heapUsed;
}

async function measure(client: Client, peers: ReadonlySet<string>): Promise<Left> {
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  let failed = 0;
  let early = 0;
  for (let at = 0; at < CALLS; at++) {
    if (at === EARLY) early = await heap();
    const timeout = at % 30 === 9 ? 2 : 5000;
    await client.callTool("x", { at }, { signal: abort.signal, timeout }).catch(() => failed++);
  }
  const left = { listeners: listeners(), failed, early, late: await heap(), peers: peers.size, warnings };
  const timers = process.getActiveResourcesInfo?.().filter((kind) => /Timeout/.test(kind)).length ?? 0;
  abort.abort();
  await client.callTool("x", { at: 0 });
  return { ...left, timers };
}

async function overHttp(): Promise<Left> {
  const peers = new Set<string>();
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, async (raw, info) => {
    peers.add(`${(info.remoteAddr as Deno.NetAddr).port}`);
    const { id, params } = await raw.json();
    const at = params?.arguments?.at ?? 0;
    const text = JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", content: [] } });
    if (at % 30 === 9) await new Promise((resolve) => setTimeout(resolve, 10));
    if (at % 30 === 19) return new Response("{", { headers: { "content-type": "application/json" } });
    if (at % 30 === 29) return new Response("no", { status: 500 });
    return at % 2 === 0
      ? new Response(text, { headers: { "content-type": "application/json" } })
      : new Response(`data: ${text}\n\n`, { headers: { "content-type": "text/event-stream" } });
  });
  const pool = Deno.createHttpClient({ poolMaxIdlePerHost: 1 });
  const client = await connect(`http://127.0.0.1:${http.addr.port}/mcp`, {
    protocol: "2026-07-28",
    onError: () => undefined,
    fetch: (input, init) => fetch(input, { ...init, client: pool } as unknown as RequestInit),
  });
  const left = await measure(client, peers);
  await client.close();
  pool.close();
  await http.shutdown();
  return left;
}

async function overStdio(): Promise<Left> {
  const client = await connect({
    command: Deno.execPath(),
    args: ["run", "--quiet", "--no-check", import.meta.url, "serve"],
    inheritEnv: ["XDG_CACHE_HOME", "DENO_DIR"],
  }, { protocol: "2026-07-28", onError: () => undefined });
  const left = await measure(client, new Set());
  await client.close();
  return left;
}

/** The server of the child: every tenth call fails, one in thirty by its time. */
async function serve(): Promise<void> {
  const { serveStdio } = await import("../../../server/stdio.ts");
  const server = defineServer({
    name: "many",
    version: "1.0.0",
    onError: () => undefined,
    tools: [tool({
      name: "x",
      args: { at: { type: "integer", required: true } },
      async handler({ at }, ctx) {
        if (at % 2 === 1) await ctx.progress(1);
        if (at % 30 === 9) await new Promise((resolve) => setTimeout(resolve, 10));
        if (at % 10 === 9) throw new Error("no");
        return "";
      },
    })],
  });
  await serveStdio(server);
}

if (Deno.args[0] === "serve") await serve();
else Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify({ http: await overHttp(), stdio: await overStdio() })));
