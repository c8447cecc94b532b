/** Tests of the handshake, of pins and of verdicts. */
import assert from "node:assert/strict";
import { connect, ProtocolError, TransportError } from "../../client/mod.ts";
import type { ConnectOptions, JsonObject, Verdict } from "../../client/mod.ts";
import { until } from "../until.ts";
import { oldSite } from "./old_site.ts";
import type { OldAnswer, OldSite, OldSiteOptions, Visited } from "./old_site.ts";
import { DISCOVERED, scripted, text } from "./scripted.ts";
import type { Script, ScriptedServer } from "./scripted.ts";

const OLD = { protocol: ["2025-11-25", "2025-06-18"] } as const;
const WELCOME: JsonObject = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: { listChanged: true }, own: {} },
  serverInfo: { name: "old", version: "3", title: "Old" },
  instructions: "Be brief",
};

/** A server in this process that welcomes everybody; `server/discover` is answered by the script or refused. */
function old(script: Script = () => undefined): ScriptedServer {
  return scripted(async (request, info) => {
    const given = await script(request, info);
    if (given !== undefined) return given;
    if (request.method === "initialize") return WELCOME;
    if (request.method === "server/discover") throw new ProtocolError(-32601, "no");
    return text("old");
  });
}

const methods = ({ received }: ScriptedServer): unknown[] =>
  received.map((message) => "method" in message ? message.method : "response");

async function onSite(
  answer: (visited: Visited) => OldAnswer,
  options: OldSiteOptions,
  run: (site: OldSite) => Promise<void>,
): Promise<void> {
  const site = oldSite(answer, options);
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

Deno.test("shakeHands opens with initialize and goes on with initialized (L-LIFE-001, L-LIFE-002, L-LIFE-004, L-LIFE-008)", async () => {
  const server = old();
  const info = { name: "mine", version: "7" };
  await using client = await connect(server, { ...OLD, info, inputs: { form: () => ({ action: "cancel" }), roots: [] } });
  assert.deepEqual(methods(server), ["initialize", "notifications/initialized"]);
  const hello = server.requests()[0]?.params;
  assert.equal(hello?.protocolVersion, "2025-11-25");
  assert.deepEqual(hello?.clientInfo, info);
  assert.deepEqual(hello?.capabilities, { roots: {}, elicitation: { form: {} } });
  assert.deepEqual(server.received[1], { jsonrpc: "2.0", method: "notifications/initialized" });
  assert.equal(await client.tools.x?.({}), "old");
});

Deno.test("client.server reads the same after a handshake", async () => {
  await using client = await connect(old());
  assert.deepEqual(client.server, {
    protocolVersion: "2025-11-25",
    era: "legacy",
    info: WELCOME.serverInfo,
    capabilities: WELCOME.capabilities,
    instructions: "Be brief",
    sessionId: undefined,
  });
});

Deno.test("shakeHands goes on in an older version that the server chooses (L-LIFE-014, L-LIFE-015)", async () => {
  await using client = await connect(
    old(({ method }) => method === "initialize" ? { ...WELCOME, protocolVersion: "2025-06-18" } : undefined),
  );
  assert.equal(client.server.protocolVersion, "2025-06-18");
  assert.equal(client.verdict.protocolVersion, "2025-06-18");
});

Deno.test("shakeHands closes when the server chooses a version that may not be spoken, and names both (B078, L-LIFE-012, L-LIFE-013)", async () => {
  for (
    const [protocol, chosen] of [[undefined, "2031-01-01"], [["2026-07-28", "2025-11-25"], "2025-06-18"], [
      undefined,
      "2026-07-28",
    ]] as const
  ) {
    const server = old(({ method }) => method === "initialize" ? { ...WELCOME, protocolVersion: chosen } : undefined);
    await assert.rejects(connect(server, { protocol }), (error) => {
      assert.ok(error instanceof ProtocolError);
      assert.equal(error.code, -32022);
      assert.deepEqual(error.data, { supported: [chosen], requested: "2025-11-25" });
      assert.match(
        error.message,
        new RegExp(`2025-11-25 with ${chosen}; this client speaks 2026-07-28, 2025-11-25.*the server speaks ${chosen}`),
      );
      return true;
    });
    assert.deepEqual(methods(server), ["server/discover", "initialize"]);
  }
});

Deno.test("shakeHands names both sides' versions when the server refuses to (L-LIFE-018, L-ERR-001)", async () => {
  for (const code of [-32602, -32022, -32020]) {
    const server = old(({ method }) => {
      if (method === "initialize") {
        throw new ProtocolError(code, "no", { data: { supported: ["2026-07-28"], requested: "2025-11-25" } });
      }
      return undefined;
    });
    await assert.rejects(connect(server, OLD), {
      code: -32022,
      message: /this client speaks 2025-11-25, 2025-06-18, the server speaks 2026-07-28/,
    });
  }
});

Deno.test("shakeHands tries the version that a refusal lists", async () => {
  const server = old(({ method, params }) => {
    if (method !== "initialize") return undefined;
    if (params?.protocolVersion === "2025-06-18") return { ...WELCOME, protocolVersion: "2025-06-18" };
    throw new ProtocolError(-32602, "Unsupported protocol version", {
      data: { supported: ["2025-06-18"], requested: "2025-11-25" },
    });
  });
  await using client = await connect(server, OLD);
  assert.equal(client.server.protocolVersion, "2025-06-18");
});

Deno.test("shakeHands refuses an answer that is no welcome", async () => {
  for (const result of [{}, { protocolVersion: 5 }, { ...WELCOME, capabilities: 1 }]) {
    await assert.rejects(connect(old(({ method }) => method === "initialize" ? result : undefined)), {
      kind: "transport",
      reason: "not_mcp",
    });
  }
});

Deno.test("connect names the revision that was negotiated in every header after initialize (B078, L-HDR-001, L-HDR-002)", async () => {
  await onSite(() => undefined, { version: "2025-06-18", sessions: true }, async (site) => {
    const client = await connect(site.url, { ...OLD, onLog: () => undefined });
    await client.listTools().catch(() => undefined);
    await client.notify("notifications/own");
    await client.close();
    const seen = site.visits.map((
      { verb, message, headers },
    ) => [message.method ?? verb, headers.get("mcp-protocol-version"), headers.get("mcp-session-id")]);
    assert.deepEqual(seen[0], ["initialize", null, null]);
    for (const [what, version, session] of seen.slice(1)) assert.deepEqual([what, version, session], [what, "2025-06-18", "s1"]);
    const kinds = new Set(seen.map(([what]) => what));
    for (const kind of ["notifications/initialized", "tools/list", "notifications/own", "GET", "DELETE"]) {
      assert.ok(kinds.has(kind), kind);
    }
  });
});

Deno.test("connect never cancels initialize, on any carrier (L-CANC-002)", async () => {
  const waiting = (method: string): boolean => method === "initialize";
  const server = scripted(async ({ method }) => waiting(method) ? await new Promise<undefined>(() => undefined) : undefined);
  await assert.rejects(connect(server, { ...OLD, limits: { requestTimeout: 20 } }), { reason: "timeout" });
  assert.deepEqual(methods(server), ["initialize"]);
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => stop = resolve);
  const site = oldSite(async () => {
    await stopped;
    return undefined;
  });
  await assert.rejects(connect(site.url, { ...OLD, signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  stop();
  await site.close();
  assert.deepEqual(site.methods(), ["initialize"]);
});

Deno.test("a pin to a stateless revision sends nothing at connect, one to a handshake revision initialize (M-VER-006)", async () => {
  const modern = scripted(({ method }) => method === "tools/call" ? text("new") : undefined);
  await using client = await connect(modern, { protocol: "2026-07-28" });
  assert.deepEqual(modern.received, []);
  assert.deepEqual([client.server.protocolVersion, client.server.era, client.server.info], ["2026-07-28", "modern", undefined]);
  assert.equal(await client.tools.x?.({}), "new");
  assert.deepEqual(methods(modern), ["tools/call"]);
  for (const protocol of ["2025-11-25", "2025-06-18"] as const) {
    const server = old(({ method, params }) =>
      method === "initialize" ? { ...WELCOME, protocolVersion: params?.protocolVersion ?? "" } : undefined
    );
    await using pinned = await connect(server, { protocol });
    assert.equal(pinned.server.protocolVersion, protocol);
    assert.deepEqual(methods(server), ["initialize", "notifications/initialized"]);
  }
});

Deno.test("a pin to a stateless revision makes one probe when the first request is refused, and tells the refusal", async () => {
  const server = scripted(({ method }) => {
    if (method === "server/discover") return undefined;
    throw new ProtocolError(-32602, "Unknown tool");
  });
  await using client = await connect(server, { protocol: "2026-07-28" });
  await assert.rejects(client.callTool("x"), { code: -32602, message: "Unknown tool" });
  await assert.rejects(client.callTool("x"), { code: -32602, message: "Unknown tool" });
  assert.deepEqual(methods(server), ["tools/call", "server/discover", "tools/call"]);
  assert.deepEqual(client.server.info, { name: "scripted", version: "1.2.3" });
});

const verdict = (protocolVersion: string): Verdict => ({
  protocolVersion,
  era: protocolVersion === "2026-07-28" ? "modern" : "legacy",
  at: Date.now(),
});

async function withVerdict(server: ScriptedServer, version: string, options: ConnectOptions = {}): Promise<void> {
  await using client = await connect(server, { ...options, verdict: verdict(version) });
  await client.callTool("x");
}

Deno.test("a verdict for a handshake revision goes straight to initialize with it (M-VER-007)", async () => {
  const server = old(({ method, params }) =>
    method === "initialize" ? { ...WELCOME, protocolVersion: params?.protocolVersion ?? "" } : undefined
  );
  await withVerdict(server, "2025-06-18");
  assert.deepEqual(methods(server), ["initialize", "notifications/initialized", "tools/call"]);
  assert.equal(server.requests()[0]?.params?.protocolVersion, "2025-06-18");
});

Deno.test("a verdict for a handshake revision that is wrong leads to one negotiation (M-VER-018)", async () => {
  const server = scripted(({ method }) => {
    if (method === "initialize") throw new ProtocolError(-32601, "no");
    return method === "server/discover" ? DISCOVERED : text("new");
  });
  await withVerdict(server, "2025-11-25");
  assert.deepEqual(methods(server), ["initialize", "server/discover", "tools/call"]);
});

Deno.test("a verdict for a stateless revision that is wrong leads to one negotiation, and the call is repeated (M-VER-018)", async () => {
  let opened = false;
  const server = old(({ method }) => {
    if (method === "initialize") opened = true;
    if (method === "tools/call" && !opened) throw new ProtocolError(-32600, "Server not initialized");
    return undefined;
  });
  await withVerdict(server, "2026-07-28");
  assert.deepEqual(methods(server), ["tools/call", "server/discover", "initialize", "notifications/initialized", "tools/call"]);
});

Deno.test("five calls that find a verdict wrong share one negotiation", async () => {
  let opened = false;
  const server = old(({ method }) => {
    if (method === "initialize") opened = true;
    if (method === "tools/call" && !opened) throw new ProtocolError(-32600, "Bad Request: Server not initialized");
    return undefined;
  });
  await using client = await connect(server, { verdict: verdict("2026-07-28") });
  await Promise.all(Array.from({ length: 5 }, () => client.callTool("x")));
  assert.equal(methods(server).filter((method) => method === "initialize").length, 1);
  assert.equal(methods(server).filter((method) => method === "server/discover").length, 1);
  assert.equal(client.verdict.protocolVersion, "2025-11-25");
});

Deno.test("a verdict that is wrong never makes a call run twice that may have run (M-VER-018)", async () => {
  for (const code of [-32000, -32602, -32603]) {
    let ran = 0;
    const server = old(({ method }) => {
      if (method !== "tools/call" || ++ran > 1) return undefined;
      throw new ProtocolError(code, "after it ran");
    });
    await using client = await connect(server, { verdict: verdict("2026-07-28") });
    await assert.rejects(client.callTool("x"), { code, message: "after it ran" });
    assert.equal(ran, 1);
    await client.callTool("x");
    // What a handler fails with may not even be a sign of another revision.
    assert.equal(client.verdict.protocolVersion, code === -32603 ? "2026-07-28" : "2025-11-25");
  }
});

Deno.test("a call that failed by itself is not repeated because another one is refused at the same time", async () => {
  let ran = 0;
  const server = old(({ method, params }) => {
    if (method !== "tools/call") return undefined;
    if (params?.name === "refused") throw new ProtocolError(-32022, "no", { data: { supported: [], requested: "" } });
    ran++;
    throw new ProtocolError(-32603, "after it ran");
  });
  await using client = await connect(server, { verdict: verdict("2026-07-28") });
  const calls = await Promise.allSettled([client.callTool("refused"), client.callTool("x")]);
  assert.deepEqual(calls.map(({ status }) => status), ["rejected", "rejected"]);
  assert.equal(ran, 1);
});

Deno.test("a verdict is believed for limits.verdictAge", async () => {
  const server = scripted(({ method }) => method === "tools/call" ? text("") : undefined);
  const at = Date.now() - 60_000;
  await using young = await connect(server, { verdict: { ...verdict("2026-07-28"), at } });
  assert.deepEqual([server.received.length, young.verdict.at], [0, at]);
  await using old = await connect(server, { verdict: { ...verdict("2026-07-28"), at }, limits: { verdictAge: 30_000 } });
  assert.deepEqual(methods(server), ["server/discover"]);
  assert.ok(old.verdict.at > at);
});

Deno.test("client methods that the handshake revision lacks are refused before they are sent", async () => {
  const server = old();
  await using client = await connect(server);
  server.received.length = 0;
  const refused = (method: string): object => ({
    kind: "protocol",
    code: -32601,
    message: `Sending ${method}: revision 2025-11-25 has no such request`,
  });
  await assert.rejects(client.discover(), refused("server/discover"));
  await assert.rejects(client.listen({}), refused("subscriptions/listen"));
  await assert.rejects(client.request("server/discover"), refused("server/discover"));
  assert.deepEqual(server.received, []);
  await client.ping();
  await client.request("own/method");
  assert.deepEqual(methods(server), ["ping", "own/method"]);
});

Deno.test("connect closes the carrier when initialized cannot be sent", async () => {
  await onSite(
    ({ message }) => message.method === "notifications/initialized" ? new Response("no", { status: 500 }) : undefined,
    {},
    async (site) => {
      await assert.rejects(connect(site.url, OLD), (error) => error instanceof TransportError);
    },
  );
});

Deno.test("giving up a call in a handshake revision tells the server over HTTP (L-HTTP-017, L-CANC-001)", async () => {
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => stop = resolve);
  const site = oldSite(async ({ message }) => {
    if (message.method === "tools/call") await stopped;
    return undefined;
  });
  const faults: unknown[] = [];
  const client = await connect(site.url, { onError: (error) => void faults.push(error) });
  const abort = new AbortController();
  const call = client.callTool("x", {}, { signal: abort.signal });
  await until(() => site.methods().includes("tools/call"));
  abort.abort(new Error("enough"));
  await assert.rejects(call, { message: "enough" });
  await assert.rejects(client.callTool("y", {}, { timeout: 20 }), { reason: "timeout" });
  while (site.methods().filter((method) => method === "notifications/cancelled").length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const ids = site.visits.filter(({ message }) => message.method === "tools/call").map(({ message }) => message.id);
  const cancelled = site.visits.filter(({ message }) => message.method === "notifications/cancelled");
  assert.deepEqual(cancelled.map(({ message }) => message.params?.requestId), ids);
  assert.ok(cancelled.every(({ headers }) => headers.get("mcp-protocol-version") === "2025-11-25"));
  stop();
  await client.close();
  await site.close();
  assert.deepEqual(faults, []);
});
