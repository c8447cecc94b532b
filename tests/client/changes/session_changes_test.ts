/** Tests of watches in the revisions without change streams. */
import assert from "node:assert/strict";
import { connect, ProtocolError } from "../../../client/mod.ts";
import type { ChangeEvent, JsonObject, SubscriptionFilter, TransportError, Watch } from "../../../client/mod.ts";
import { oldPeer } from "../old_peer.ts";
import type { OldPeer } from "../old_peer.ts";
import { oldSite } from "../old_site.ts";

const EVERYTHING: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};
const ALL: SubscriptionFilter = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ["a:1"],
};
const OLD = { protocol: "2025-11-25" } as const;

const uris = (peer: OldPeer, method: string): unknown[] =>
  peer.received.filter((message) => "method" in message && message.method === method)
    .map((message) => "params" in message && message.params?.uri);

const notice = (method: string, params?: JsonObject): JsonObject =>
  params === undefined ? { method: `notifications/${method}` } : { method: `notifications/${method}`, params };

async function take(watch: Watch, count: number): Promise<ChangeEvent[]> {
  const events: ChangeEvent[] = [];
  while (events.length < count) events.push((await watch.next()).value as ChangeEvent);
  return events;
}

Deno.test("watch brings the changes of a session that its filter names, in every handshake revision", async () => {
  for (const version of ["2025-11-25", "2025-06-18"] as const) {
    const peer = oldPeer({ capabilities: EVERYTHING, version });
    await using client = await connect(peer.channel, { protocol: version });
    await using some = client.watch({ toolsListChanged: true, promptsListChanged: false, resourceSubscriptions: ["a:1"] });
    await using all = client.watch(ALL);
    assert.deepEqual(await all.open(), ALL);
    assert.deepEqual(await some.open(), { toolsListChanged: true, resourceSubscriptions: ["a:1"] });
    peer.send(notice("prompts/list_changed"));
    peer.send(notice("resources/list_changed"));
    peer.send(notice("tools/list_changed", {}));
    peer.send(notice("resources/updated", { uri: "b:1" }));
    peer.send(notice("resources/updated", {}));
    peer.send(notice("resources/updated", { uri: "a:1/part" }));
    assert.deepEqual(await take(all, 4), [
      { type: "promptsListChanged" },
      { type: "resourcesListChanged" },
      { type: "toolsListChanged" },
      { type: "resourceUpdated", uri: "a:1/part" },
    ]);
    assert.deepEqual(await take(some, 2), [{ type: "toolsListChanged" }, { type: "resourceUpdated", uri: "a:1/part" }]);
  }
});

Deno.test("watch hears of a resource and its parts, not of another one whose URI begins alike", async () => {
  const peer = oldPeer({ capabilities: EVERYTHING });
  await using client = await connect(peer.channel, OLD);
  await using one = client.watch({ resourceSubscriptions: ["file:///a"] });
  await using other = client.watch({ resourceSubscriptions: ["file:///ab"] });
  await Promise.all([one.open(), other.open()]);
  for (const uri of ["file:///ab", "file:///ab/c", "file:///a/c", "file:///a"]) peer.send(notice("resources/updated", { uri }));
  const heard = async (watch: Watch) => (await take(watch, 2)).map((event) => "uri" in event && event.uri);
  assert.deepEqual([await heard(one), await heard(other)], [["file:///a/c", "file:///a"], ["file:///ab", "file:///ab/c"]]);
});

Deno.test("watch accepts what the server's capabilities allow, and asks for nothing else", async () => {
  const cases: readonly (readonly [JsonObject, SubscriptionFilter])[] = [
    [{}, {}],
    [{ tools: {}, resources: { listChanged: true } }, { resourcesListChanged: true }],
    [{ tools: { listChanged: true }, resources: { subscribe: true } }, {
      toolsListChanged: true,
      resourceSubscriptions: ["a:1"],
    }],
  ];
  for (const [capabilities, accepted] of cases) {
    const peer = oldPeer({ capabilities });
    await using client = await connect(peer.channel, OLD);
    await using watch = client.watch(ALL);
    assert.deepEqual(await watch.open(), accepted);
    assert.equal(uris(peer, "resources/subscribe").length, accepted.resourceSubscriptions?.length ?? 0);
    assert.deepEqual(uris(peer, "subscriptions/listen"), []);
  }
});

Deno.test("watches share the subscription of a resource, and the last one ends it (L-RES-004)", async () => {
  const peer = oldPeer({ capabilities: EVERYTHING });
  await using client = await connect(peer.channel, OLD);
  const first = client.watch({ resourceSubscriptions: ["a:1", "a:2", "a:1"] });
  const second = client.watch({ resourceSubscriptions: ["a:1"] });
  await Promise.all([first.open(), second.open()]);
  assert.deepEqual(uris(peer, "resources/subscribe").sort(), ["a:1", "a:2"]);
  await first.close();
  await client.ping();
  assert.deepEqual(uris(peer, "resources/unsubscribe"), ["a:2"]);
  await second.close();
  const third = client.watch({ resourceSubscriptions: ["a:1"] });
  await third.open();
  await client.ping();
  assert.deepEqual(uris(peer, "resources/unsubscribe"), ["a:2", "a:1"]);
  assert.deepEqual(uris(peer, "resources/subscribe").length, 3);
  peer.send(notice("resources/updated", { uri: "a:1" }));
  assert.deepEqual(await take(third, 1), [{ type: "resourceUpdated", uri: "a:1" }]);
});

Deno.test("watch rejects when a subscription fails, and takes the others back", async () => {
  const peer = oldPeer({
    capabilities: EVERYTHING,
    answer: (method, params) => method === "resources/subscribe" && params.uri === "a:2" ? null : undefined,
  });
  await using client = await connect(peer.channel, { ...OLD, limits: { serverRequests: 1 } });
  const watch = client.watch({ resourceSubscriptions: ["a:1", "a:2", "a:3"] }, { timeout: 30 });
  await assert.rejects(watch.open(), { kind: "transport", reason: "timeout" });
  assert.equal((await watch.closed).by, "fault");
  await client.ping();
  assert.deepEqual(uris(peer, "resources/subscribe"), ["a:1", "a:2"]);
  assert.deepEqual(uris(peer, "resources/unsubscribe"), ["a:1"]);
});

Deno.test("watch subscribes past the middleware, which sees the program's own requests", async () => {
  const peer = oldPeer({ capabilities: EVERYTHING });
  const use = [(): Promise<never> => Promise.reject(new Error("not today"))];
  await using client = await connect(peer.channel, { ...OLD, use });
  await using watch = client.watch({ resourceSubscriptions: ["a:1"] });
  assert.deepEqual(await watch.open(), { resourceSubscriptions: ["a:1"] });
  await assert.rejects(client.ping(), { message: "not today" });
});

Deno.test("watch is ended by its signal, by its client and by the loss of the way, and tells which", async () => {
  const peer = oldPeer({ capabilities: EVERYTHING });
  const client = await connect(peer.channel, OLD);
  const abort = new AbortController();
  const signalled = client.watch({ toolsListChanged: true }, { signal: abort.signal });
  await signalled.open();
  abort.abort();
  assert.deepEqual(await signalled.closed, { by: "client" });
  const left = client.watch({ toolsListChanged: true });
  await left.open();
  await client.close();
  assert.deepEqual(await left.closed, { by: "client" });

  const site = oldSite(() => undefined, { sessions: true, capabilities: EVERYTHING });
  const without = await connect(site.url, OLD);
  const watch = without.watch({ toolsListChanged: true }, { relisten: true });
  await watch.open().catch(() => undefined);
  const reason = await watch.closed;
  assert.ok(reason.by === "fault" && reason.error instanceof ProtocolError);
  assert.equal(reason.error.message, "Watching for changes: the server offers no stream on which they could come (HTTP 405)");
  assert.equal(reason.error.code, -32601);
  assert.equal((reason.error.cause as TransportError).reason, "not_mcp");
  assert.equal(site.visits.filter(({ verb }) => verb === "GET").length, 1);
  assert.equal(await without.tools.x?.({}), "old");
  await without.close();
  await site.close();
});

Deno.test("watch without the GET stream is left to what comes on the streams of calls", async () => {
  const site = oldSite(({ message: { id, method } }) => {
    if (method !== "tools/call") return undefined;
    const changed = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
    const answer = { jsonrpc: "2.0", id, result: { content: [] } };
    return new Response([changed, answer].map((message) => `data: ${JSON.stringify(message)}\n\n`).join(""), {
      headers: { "content-type": "text/event-stream" },
    });
  }, { sessions: true, capabilities: EVERYTHING });
  const client = await connect(site.url, { ...OLD, getStream: false });
  const watch = client.watch({ toolsListChanged: true });
  await watch.open();
  await client.callTool("x");
  assert.deepEqual(await take(watch, 1), [{ type: "toolsListChanged" }]);
  await client.close();
  await site.close();
  assert.ok(site.visits.every(({ verb }) => verb !== "GET"));
});

Deno.test("watch drops by its rule and merges what waits, as in every revision", async () => {
  const peer = oldPeer({ capabilities: EVERYTHING });
  await using client = await connect(peer.channel, OLD);
  await using watch = client.watch({ resourceSubscriptions: ["a:"], toolsListChanged: true }, { buffer: 2 });
  await watch.open();
  for (const uri of ["a:1", "a:1", "a:2", "a:3"]) peer.send(notice("resources/updated", { uri }));
  peer.send({ id: 1, method: "ping" });
  await peer.response(1);
  assert.deepEqual(await take(watch, 3), [
    { type: "dropped", count: 1 },
    { type: "resourceUpdated", uri: "a:2" },
    { type: "resourceUpdated", uri: "a:3" },
  ]);
});
