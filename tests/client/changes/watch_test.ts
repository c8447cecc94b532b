import assert from "node:assert/strict";
import { connect, ProtocolError } from "../../../client/mod.ts";
import { feeding, rest } from "../feeds.ts";
import { oldPeer } from "../old_peer.ts";
import { countListeners, scripted } from "../scripted.ts";
import { rpcError, site, visit } from "../site.ts";
import type { Posted } from "../site.ts";

// First in this file, so that what keeps the watches of a session is not there yet.
Deno.test("watch that is opened while what keeps it is loaded ends with its client, and asks nothing more", async () => {
  const peer = oldPeer({ capabilities: { resources: { subscribe: true } } });
  const client = await connect(peer.channel, { protocol: "2025-11-25" });
  const watch = client.watch({ resourceSubscriptions: ["a:b"] });
  const opening = assert.rejects(watch.open(), { reason: "closed" });
  await client.close();
  await opening;
  assert.deepEqual((await rest(watch)).map(({ type }) => type), ["closed"]);
  assert.ok(peer.received.every((message) => !("method" in message) || message.method !== "resources/subscribe"));
});

Deno.test("watch opens on first use", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const watch = client.watch({ toolsListChanged: true });
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(server.requests().length, 0);
  const event = watch.next();
  const feed = await next();
  feed.acknowledge();
  assert.deepEqual(await watch.open(), { toolsListChanged: true });
  feed.notify("notifications/tools/list_changed");
  assert.deepEqual((await event).value, { type: "toolsListChanged" });
  await watch.close();
  await feed.left;
  assert.deepEqual(await watch.closed, { by: "client" });
  assert.equal(server.requests().length, 1);
});

Deno.test("watch puts what fails into its last event, and open rejects", async () => {
  await using client = await connect(scripted(({ method }) => {
    if (method === "server/discover") return undefined;
    throw new ProtocolError(-32601, "Method not found");
  }));
  const events = await rest(client.watch({}, { relisten: true }));
  assert.deepEqual(events.map((event) => event.type === "closed" && event.reason.by), ["fault"]);
  const watch = client.watch({});
  await assert.rejects(watch.open(), { code: -32601 });
  await assert.rejects(watch.open(), { code: -32601 });
});

Deno.test("watch opens a lost stream again when asked to, and tells the gap (M-BASE-024, M-SUB-015, M-SUB-016)", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const watch = client.watch({ toolsListChanged: true }, { relisten: true });
  const opening = watch.open();
  const first = await next();
  first.acknowledge();
  await opening;
  first.lose();
  const second = await next();
  assert.notEqual(second.request.id, first.request.id);
  assert.deepEqual(second.request.params?.notifications, { toolsListChanged: true });
  second.notify("notifications/tools/list_changed");
  second.lose();
  const third = await next();
  third.acknowledge();
  third.notify("notifications/resources/list_changed");
  third.finish();
  assert.deepEqual((await rest(watch)).map(({ type }) => type), ["toolsListChanged", "gap", "resourcesListChanged", "closed"]);
  assert.deepEqual(await watch.closed, { by: "server" });
  assert.equal(server.requests().length, 3);
});

Deno.test("watch ends a lost stream unless asked to open it again", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const watch = client.watch({});
  const opening = watch.open();
  const feed = await next();
  feed.acknowledge();
  await opening;
  feed.lose();
  assert.equal((await watch.closed).by, "fault");
  assert.equal(server.requests().length, 1);
});

Deno.test("watch that is closed before its first use asks nothing, and between two attempts asks nothing more", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const unused = client.watch({});
  await unused.close();
  assert.deepEqual(await rest(unused), [{ type: "closed", reason: { by: "client" } }]);
  await assert.rejects(unused.open(), { reason: "closed" });
  assert.equal(server.requests().length, 0);

  const watch = client.watch({}, { relisten: true });
  const opening = watch.open();
  const feed = await next();
  feed.acknowledge();
  await opening;
  feed.lose();
  await new Promise((resolve) => setTimeout(resolve, 0));
  await watch[Symbol.asyncDispose]();
  assert.equal(server.requests().length, 1);
});

Deno.test("watch is ended by its signal", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  const watch = client.watch({}, { signal: abort.signal });
  const opening = watch.open();
  const feed = await next();
  feed.acknowledge();
  await opening;
  abort.abort();
  assert.deepEqual(await watch.closed, { by: "client" });
  assert.equal(listeners(), 0);
  const late = client.watch({}, { signal: abort.signal });
  await assert.rejects(late.open(), { name: "AbortError" });
});

/** The acknowledgement of a change stream, and nothing more. */
function acknowledged({ message: { id } }: Posted): Response {
  const params = { notifications: {}, _meta: { "io.modelcontextprotocol/subscriptionId": id } };
  const notice = { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params };
  return new Response(`data: ${JSON.stringify(notice)}\n\n`, { headers: { "content-type": "text/event-stream" } });
}

Deno.test("watch waits longer each time for a server that agrees and hangs up at once", async () => {
  const place = site((posted) => posted.message.method === "subscriptions/listen" ? acknowledged(posted) : undefined);
  await visit(place, {}, async (client) => {
    await using watch = client.watch({}, { relisten: true });
    await watch.open();
    for (let gaps = 0; gaps < 4;) if ((await watch.next()).value?.type === "gap") gaps++;
    const before = performance.now();
    // The fifth pause is 400 ms at least, and every one was at most 50 before.
    while ((await watch.next()).value?.type !== "gap");
    assert.ok(performance.now() - before > 200);
  });
});

Deno.test("watch takes an answer that says 'not now' for a loss, with a message or without, and opens the stream again", async () => {
  let asked = 0;
  const notNow: readonly ((posted: Posted) => Response)[] = [
    () => new Response("Bad gateway", { status: 502 }),
    () => new Response(null, { status: 429, headers: { "retry-after": "-1" } }),
    (posted) => rpcError(posted, 503, -32603),
  ];
  const place = site((posted) => {
    if (posted.message.method !== "subscriptions/listen") return undefined;
    const at = asked++;
    if (at === 4) return rpcError(posted, 400, -32602);
    return notNow[at - 1]?.(posted) ?? acknowledged(posted);
  });
  await visit(place, {}, async (client) => {
    const watch = client.watch({}, { relisten: true });
    await watch.open();
    const reason = await watch.closed;
    assert.ok(reason.by === "fault");
    assert.equal((reason.error as ProtocolError).code, -32602);
    assert.equal(asked, 5);
    // What is refused so at the beginning is told at once.
    asked = 1;
    await assert.rejects(client.watch({}, { relisten: true }).open(), { reason: "not_mcp" });
    assert.equal(asked, 2);
  });
});
