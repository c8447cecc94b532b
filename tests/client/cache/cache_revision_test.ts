import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import { counted, hinted, spied } from "./cached.ts";
import { oldPeer } from "../old_peer.ts";
import { oldSite } from "../old_site.ts";
import { complete } from "../scripted.ts";
import { site } from "../site.ts";

Deno.test("handshake revisions have no lifetimes: nothing is cached there (M-CACHE-007)", async () => {
  const server = counted(hinted());
  await using client = await connect(server, { cache: true, protocol: "2025-11-25" });
  await client.listPrompts();
  await client.listPrompts();
  assert.equal(server.count("prompts/list"), 2);
});

Deno.test("a handshake server that sends lifetimes all the same is not believed", async () => {
  let lists = 0;
  const peer = oldPeer({
    capabilities: { tools: {} },
    answer: (method) => method === "tools/list" ? { tools: [], ttlMs: 60_000, cacheScope: "public", n: ++lists } : undefined,
  });
  const client = await connect(peer.channel, { cache: spied(), protocol: "2025-11-25" });
  await client.listTools({ cache: "refresh" });
  await client.listTools();
  assert.equal(lists, 2);
  await client.close();
});

Deno.test("an answer from the cache confirms no remembered revision (M-VER-017)", async () => {
  const cache = spied();
  let old = false;
  // First a server of today; then one of the handshake revisions stands at the same address.
  const behind = oldSite(({ message, headers }) => {
    if (headers.get("mcp-protocol-version") === "2026-07-28") return new Response("no", { status: 400 });
    return message.method === "tools/list" ? { tools: [] } : undefined;
  });
  const there = site(async ({ message, request }) => {
    if (old) return await fetch(behind.url, { method: "POST", headers: request.headers, body: JSON.stringify(message) });
    return message.method === "tools/list" ? complete({ tools: [], ttlMs: 60_000, cacheScope: "public" }) : undefined;
  });
  try {
    const first = await connect(there.url, { cache });
    await first.listTools();
    await first.close();
    old = true;
    const later = await connect(there.url, { cache, verdict: first.verdict });
    await later.listTools();
    assert.equal(behind.visits.length, 0);
    await later.listTools({ cache: "refresh" });
    assert.equal(later.server.era, "legacy");
    await later.close();
  } finally {
    await there.close();
    await behind.close();
  }
});
