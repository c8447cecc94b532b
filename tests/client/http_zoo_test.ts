/** Servers over HTTP that meet the probe in every odd way, on real sockets. */
import assert from "node:assert/strict";
import { AuthorizationError, connect, ProtocolError, TransportError } from "../../client/mod.ts";
import type { Client, ConnectOptions } from "../../client/mod.ts";
import { oldSite } from "./old_site.ts";
import type { OldAnswer, OldSite, OldSiteOptions } from "./old_site.ts";

/** Runs against a server that meets `server/discover` so. */
async function meet(
  probe: (id: unknown) => OldAnswer,
  run: (site: OldSite) => Promise<void>,
  options?: OldSiteOptions,
): Promise<void> {
  const site = oldSite(({ message: { id, method } }) => method === "server/discover" ? probe(id) : undefined, options);
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

async function visit(site: OldSite, options: ConnectOptions = {}): Promise<string[]> {
  await using client: Client = await connect(site.url, options);
  assert.equal(client.server.protocolVersion, "2025-11-25");
  assert.equal(client.server.info?.name, "old");
  assert.equal(await client.tools.x?.({}), "old");
  return site.methods();
}

const SHOOK_HANDS = ["server/discover", "initialize", "notifications/initialized", "tools/call"];
const html = (status: number) => (): Response =>
  new Response("<html>no</html>", { status, headers: { "content-type": "text/html" } });
const error = (status: number, code: number, withId: boolean) => (id: unknown): Response =>
  Response.json({ jsonrpc: "2.0", id: withId ? id : null, error: { code, message: "no" } }, { status });

const OLD_WAYS: readonly (readonly [name: string, probe: (id: unknown) => OldAnswer])[] = [
  ["200 with an old result", () => ({ tools: [] })],
  ["200 with -32601", error(200, -32601, true)],
  ["200 with -32600 without an id", error(200, -32600, false)],
  ["200 with -32022 that lists nothing", error(200, -32022, true)],
  ["400 and nothing", () => new Response(null, { status: 400 })],
  ["400 and HTML", html(400)],
  [
    "400 and text that holds JSON-RPC",
    () =>
      new Response('{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x"}}', {
        status: 400,
        headers: { "content-type": "text/plain" },
      }),
  ],
  ["400 and -32700 without an id", error(400, -32700, false)],
  ["400 and -32000", error(400, -32000, false)],
  ["404 and text", () => new Response("Invalid session ID", { status: 404 })],
  ["404 and -32601", error(404, -32601, true)],
  ["405", () => new Response(null, { status: 405 })],
  ["406", html(406)],
  ["415", () => new Response(null, { status: 415 })],
];

for (const [name, probe] of OLD_WAYS) {
  Deno.test(`connect shakes hands with a server that meets the probe with ${name} (B076, M-HTTP-031, M-HTTP-033)`, async () => {
    await meet(probe, async (site) => assert.deepEqual(await visit(site), SHOOK_HANDS));
  });
}

for (const status of [401, 403]) {
  Deno.test(`connect takes ${status} to the probe for a matter of authorization (B076)`, async () => {
    await meet(html(status), async (site) => {
      await assert.rejects(connect(site.url), (error) => error instanceof AuthorizationError && error.status === status);
      assert.deepEqual(site.methods(), ["server/discover"]);
    });
  });
}

for (const status of [403, 429, 500, 503]) {
  Deno.test(`connect reports an error that comes with ${status} to the probe as it is (B076)`, async () => {
    await meet(error(status, -32603, true), async (site) => {
      await assert.rejects(connect(site.url), { kind: "protocol", code: -32603, message: "no" });
      assert.deepEqual(site.methods(), ["server/discover"]);
    });
  });
}

Deno.test("connect does not probe a server whose handshake it remembers because that is down", async () => {
  for (const down of [html(503), error(503, -32603, true), html(429)]) {
    const site = oldSite(({ message: { id } }) => down(id));
    try {
      const verdict = { protocolVersion: "2025-11-25", era: "legacy", at: Date.now() } as const;
      await assert.rejects(connect(site.url, { verdict }));
      assert.deepEqual(site.methods(), ["initialize"]);
    } finally {
      await site.close();
    }
  }
});

for (const status of [429, 500, 502, 503]) {
  Deno.test(`connect reports ${status} to the probe as it is (B076)`, async () => {
    await meet(html(status), async (site) => {
      await assert.rejects(
        connect(site.url),
        (error) =>
          error instanceof TransportError && error.reason === "not_mcp" && (error.data as { status: number }).status === status,
      );
      assert.deepEqual(site.methods(), ["server/discover"]);
    });
  });
}

Deno.test("connect reports silence to the probe over HTTP as a timeout (B076, limit probeTimeout)", async () => {
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => stop = resolve);
  const site = oldSite(async () => {
    await stopped;
    return undefined;
  });
  await assert.rejects(connect(site.url, { limits: { probeTimeout: 50 } }), { kind: "transport", reason: "timeout" });
  assert.deepEqual(site.methods(), ["server/discover"]);
  stop();
  await site.close();
});

Deno.test("connect never shakes hands after -32020 and -32021 over HTTP (B076)", async () => {
  for (const code of [-32020, -32021]) {
    await meet(error(400, code, true), async (site) => {
      await assert.rejects(connect(site.url), { kind: "protocol", code });
      assert.deepEqual(site.methods(), ["server/discover"]);
    });
  }
});

Deno.test("connect repeats the probe after -32022 with a common version, and never shakes hands (B076, M-VER-004)", async () => {
  const refuse = (id: unknown): Response =>
    Response.json({
      jsonrpc: "2.0",
      id,
      error: { code: -32022, message: "no", data: { supported: ["2026-07-28"], requested: "2026-07-28" } },
    }, { status: 400 });
  await meet(refuse, async (site) => {
    await assert.rejects(connect(site.url), { code: -32022 });
    assert.deepEqual(site.methods(), ["server/discover", "server/discover"]);
  });
});

Deno.test("connect shakes hands after -32022 only in a handshake version that is listed", async () => {
  const lists = (supported: string[]) => (id: unknown): Response =>
    Response.json({ jsonrpc: "2.0", id, error: { code: -32022, message: "no", data: { supported, requested: "2026-07-28" } } }, {
      status: 400,
    });
  await meet(lists(["2025-11-25"]), async (site) => assert.deepEqual(await visit(site), SHOOK_HANDS));
  await meet(lists(["2024-11-05"]), async (site) => {
    await assert.rejects(connect(site.url), (error) => {
      assert.ok(error instanceof ProtocolError);
      assert.match(error.message, /2026-07-28.*2025-11-25.*2025-06-18.*2024-11-05/);
      return true;
    });
    assert.deepEqual(site.methods(), ["server/discover"]);
  });
});

Deno.test("connect shakes hands in what a discover answer lists, when that is all that is common", async () => {
  const discovered = { resultType: "complete", supportedVersions: ["2025-06-18"], capabilities: {} };
  await meet(() => discovered, async (site) => {
    await using client = await connect(site.url);
    assert.equal(client.server.protocolVersion, "2025-06-18");
    assert.equal(site.visits[1]?.message.params?.protocolVersion, "2025-06-18");
  }, { version: "2025-06-18" });
});
