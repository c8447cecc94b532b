/** Tests of the option `logLevel` in the revisions in which a level holds for a session. */
import assert from "node:assert/strict";
import { connect, ProtocolError } from "../../client/mod.ts";
import type { HttpConnectOptions } from "../../client/mod.ts";
import { defineServer, tool } from "../../server/mod.ts";
import { testClient } from "../../testing.ts";
import { until } from "../until.ts";
import { oldSite } from "./old_site.ts";
import type { OldAnswer, OldSite, OldSiteOptions, Visited } from "./old_site.ts";

const LOGGING = { capabilities: { tools: {}, logging: {} }, sessions: true };

const logs = tool({
  name: "log",
  async handler(_args, ctx) {
    for (const level of ["debug", "info", "error"] as const) await ctx.log(level, level);
    return "done";
  },
});

async function visit(
  how: OldSiteOptions,
  run: (client: Awaited<ReturnType<typeof connect>>, site: OldSite) => Promise<void>,
  answer: (visited: Visited) => OldAnswer | Promise<OldAnswer> = () => undefined,
  options: HttpConnectOptions = {},
): Promise<void> {
  const site = oldSite(answer, how);
  try {
    const client = await connect(site.url, { protocol: "2025-11-25", ...options });
    await run(client, site).finally(() => client.close());
  } finally {
    await site.close();
  }
}

const said = (site: OldSite): readonly unknown[] =>
  site.visits.filter(({ message }) => message.method === "logging/setLevel" || message.method === "tools/call")
    .map(({ message }) => message.method === "tools/call" ? "call" : message.params?.level);

Deno.test("logLevel of a call holds for the session from then on, over every carrier (L-LOG-002, L-LOG-004)", async () => {
  for (const protocol of ["2025-11-25", "2025-06-18"] as const) {
    for (const over of ["memory", "http", "stdio"] as const) {
      const server = defineServer({ name: "house", version: "1.0.0", tools: [logs], sessions: true });
      const seen: string[] = [];
      await using client = await testClient(server, { over, protocol, onLog: ({ level }) => seen.push(level) });
      await client.callTool("log", {}, { logLevel: "debug" });
      assert.deepEqual(seen.splice(0), ["debug", "info", "error"], `${protocol} over ${over}`);
      await client.callTool("log");
      assert.deepEqual(seen.splice(0), ["debug", "info", "error"], `${protocol} over ${over}`);
      await client.callTool("log", {}, { logLevel: "error" });
      assert.deepEqual(seen.splice(0), ["error"], `${protocol} over ${over}`);
      await server.close();
    }
  }
});

Deno.test("a level is sent when it is another than the session's, past the middleware", async () => {
  const passed: string[] = [];
  await visit(
    LOGGING,
    async (client, site) => {
      await client.callTool("x", {}, { logLevel: "debug" });
      await client.callTool("x", {}, { logLevel: "debug" });
      await client.callTool("x");
      await client.callTool("x", {}, { logLevel: "error" });
      await client.request("logging/setLevel", { level: "info" });
      await client.callTool("x", {}, { logLevel: "info" });
      assert.deepEqual(said(site), ["debug", "call", "call", "call", "error", "call", "info", "call"]);
      assert.deepEqual(passed, ["tools/call", "tools/call", "tools/call", "tools/call", "logging/setLevel", "tools/call"]);
    },
    undefined,
    { use: [(request, next) => (passed.push(request.method), next(request))] },
  );
});

Deno.test("two calls at once send their common level once, and neither goes out before its answer", async () => {
  let open: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => open = resolve);
  await visit(LOGGING, async (client, site) => {
    const calls = [1, 2].map(() => client.callTool("x", {}, { logLevel: "debug" }));
    await until(() => said(site).length > 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(said(site), ["debug"]);
    open();
    await Promise.all(calls);
    assert.deepEqual(said(site), ["debug", "call", "call"]);
  }, async ({ message }) => {
    if (message.method !== "logging/setLevel") return undefined;
    await answered;
    return {};
  });
});

Deno.test("a call that is given up while its level is sent does not harm the next", async () => {
  let first = true;
  await visit(LOGGING, async (client, site) => {
    const abort = new AbortController();
    const left = client.callTool("x", {}, { logLevel: "debug", signal: abort.signal });
    await until(() => said(site).length > 0);
    abort.abort(new Error("enough"));
    await assert.rejects(left, /enough/);
    await client.callTool("x", {}, { logLevel: "debug" });
    assert.deepEqual(said(site), ["debug", "debug", "call"]);
  }, ({ message }) => {
    if (message.method !== "logging/setLevel" || !first) return undefined;
    first = false;
    return new Promise((resolve) => setTimeout(resolve, 30, {}));
  });
});

Deno.test("no level is sent to a server without logging, nor over HTTP without a session", async () => {
  for (const how of [{ sessions: true }, { ...LOGGING, sessions: false }]) {
    await visit(how, async (client, site) => {
      await client.callTool("x", {}, { logLevel: "debug" });
      assert.deepEqual(said(site), ["call"]);
    });
  }
});

Deno.test("a lost session gets the level of the call that found it lost", async () => {
  await visit(LOGGING, async (client, site) => {
    await client.callTool("x", {}, { logLevel: "debug" });
    site.forget();
    await client.callTool("x", {}, { logLevel: "error" });
    const own = site.visits.filter(({ headers }) => headers.get("mcp-session-id") === "s2").map(({ message }) => message);
    const level = own.filter(({ method }) => method === "logging/setLevel").at(-1)?.params?.level;
    assert.equal(level, "error");
    assert.equal(own.filter(({ method }) => method === "tools/call").length, 1);
    assert.equal(own.at(-1)?.method, "tools/call");
    site.forget();
    await client.callTool("x", {}, { logLevel: "error" });
    assert.equal(said(site).at(-1), "call");
    assert.equal(site.methods().filter((method) => method === "initialize").length, 3);
  });
});

Deno.test("a level that is none fails the call, and another refusal is told once while the call goes on", async () => {
  let code = -32602;
  const told: unknown[] = [];
  await visit(LOGGING, async (client, site) => {
    await assert.rejects(client.callTool("x", {}, { logLevel: "loud" as never }), { code: -32602 });
    assert.deepEqual(said(site), ["loud"]);
    code = -32601;
    await client.callTool("x", {}, { logLevel: "debug" });
    await client.callTool("x", {}, { logLevel: "debug" });
    assert.deepEqual(said(site).slice(1), ["debug", "call", "call"]);
    assert.equal(told.length, 1);
    assert.ok(told[0] instanceof ProtocolError && told[0].code === -32601);
  }, ({ message: { id, method } }) => {
    return method === "logging/setLevel" ? Response.json({ jsonrpc: "2.0", id, error: { code, message: "no" } }) : undefined;
  }, { onError: (error) => told.push(error) });
});

Deno.test("a level that finds the session lost holds in the new one, whatever the old one had, and in those after it (L-LOG-002)", async () => {
  const held: unknown[] = [];
  let arrived: () => void = () => undefined;
  await visit(LOGGING, async (client, site) => {
    const levels = (session: string) =>
      site.visits.filter(({ headers, message }) =>
        headers.get("mcp-session-id") === session && message.method === "logging/setLevel"
      ).map(({ message }) => message.params?.level);
    await client.request("logging/setLevel", { level: "debug" });
    site.forget();
    await client.request("logging/setLevel", { level: "error" });
    while (held.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.equal(held.at(-1), "error", "the level that the server keeps");
    // What the session has is not said again.
    await client.callTool("x", {}, { logLevel: "error" });
    assert.deepEqual(said(site).slice(-1), ["call"]);
    assert.equal(levels("s2").at(-1), "error");
    site.forget();
    await client.callTool("x");
    while (levels("s3").length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.deepEqual(levels("s3"), ["error"]);
  }, async ({ message, headers }) => {
    if (message.method !== "logging/setLevel" || headers.get("mcp-session-id") !== "s2") return undefined;
    const level = message.params?.level;
    // A server that takes the older one last, when both are under way at once.
    if (level === "debug") {
      await Promise.race([
        new Promise<void>((resolve) => arrived = resolve),
        new Promise((resolve) => setTimeout(resolve, 50)),
      ]);
    }
    held.push(level);
    if (level === "error") setTimeout(() => arrived(), 1);
    return {};
  });
});
