import assert from "node:assert/strict";
import { connect, ProtocolError, TransportError } from "../../../client/mod.ts";
import type { JsonObject } from "../../../client/mod.ts";
import { feeding, opened, rest, SUBSCRIPTION_ID } from "../feeds.ts";
import { countListeners, scripted } from "../scripted.ts";

Deno.test("listen sends the filter as it is and tells what was agreed (M-SUB-007)", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const filter = { toolsListChanged: true, promptsListChanged: false, taskIds: ["t"], own: { a: [1] } };
  const opening = client.listen(filter);
  const feed = await next();
  assert.deepEqual(feed.request.params?.notifications, filter);
  assert.equal((feed.request.params?._meta as JsonObject).progressToken, undefined);
  feed.acknowledge({ toolsListChanged: true });
  const subscription = await opening;
  assert.deepEqual(subscription.accepted, { toolsListChanged: true });
  await subscription.close();
});

Deno.test("listen brings changes, then the end that the server made", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const [subscription, feed] = await opened(client, next);
  feed.notify("notifications/tools/list_changed");
  feed.notify("notifications/prompts/list_changed");
  feed.notify("notifications/resources/list_changed");
  feed.notify("notifications/resources/updated", { uri: "a:b" });
  feed.notify("notifications/resources/updated", { uri: 5 });
  feed.notify("notifications/tasks", { taskId: "t" });
  feed.finish();
  const events = await rest(subscription);
  const note = events[4];
  assert.ok(note?.type === "notification");
  assert.deepEqual([note.method, note.params.taskId], ["notifications/tasks", "t"]);
  assert.deepEqual(events.filter((event) => event !== note), [
    { type: "toolsListChanged" },
    { type: "promptsListChanged" },
    { type: "resourcesListChanged" },
    { type: "resourceUpdated", uri: "a:b" },
    { type: "closed", reason: { by: "server" } },
  ]);
  assert.deepEqual(await subscription.closed, { by: "server" });
  assert.deepEqual((await subscription.next()).value, { type: "closed", reason: { by: "server" } });
});

Deno.test("listen keeps streams apart by their subscription id (M-SUB-010, M-SUB-011, B034)", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const [one, first] = await opened(client, next);
  const [two, second] = await opened(client, next);
  first.notify("notifications/resources/updated", { uri: "a:1" });
  second.notify("notifications/resources/updated", { uri: "a:2" });
  const foreign = { uri: "a:3", _meta: { [SUBSCRIPTION_ID]: String(first.request.id) } };
  first.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params: foreign });
  first.finish();
  second.finish();
  assert.deepEqual((await rest(one)).map((event) => event.type === "resourceUpdated" && event.uri), ["a:1", false]);
  assert.deepEqual((await rest(two)).map((event) => event.type === "resourceUpdated" && event.uri), ["a:2", false]);
});

Deno.test("listen keeps what overtakes the acknowledgement (B082)", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const opening = client.listen({ toolsListChanged: true });
  const feed = await next();
  feed.notify("notifications/tools/list_changed");
  feed.acknowledge();
  const subscription = await opening;
  assert.deepEqual((await subscription.next()).value, { type: "toolsListChanged" });
  await subscription.close();
});

Deno.test("listen rejects with what the server answers", async () => {
  for (const code of [-32601, -32602]) {
    await using client = await connect(scripted(({ method }) => {
      if (method === "server/discover") return undefined;
      throw new ProtocolError(code, "no", { data: { key: "toolsListChanged" } });
    }));
    await assert.rejects(client.listen({ toolsListChanged: true }), { kind: "protocol", code });
  }
});

Deno.test("listen rejects when the stream ends or stays silent before the acknowledgement (M-CANC-008)", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  for (const end of ["finish", "lose"] as const) {
    const opening = client.listen({});
    (await next())[end]();
    await assert.rejects(opening, { kind: "transport", reason: "closed" });
  }
  const cancelled = client.listen({});
  const feed = await next();
  feed.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: feed.request.id } });
  await assert.rejects(cancelled, { reason: "closed" });

  const silent = client.listen({}, { timeout: 10 });
  const ignored = await next();
  await assert.rejects(silent, { kind: "transport", reason: "timeout", code: -32001 });
  await ignored.left;
});

Deno.test("listen takes a filter of the wrong shape for a mistake", async () => {
  await using client = await connect(feeding().server);
  for (
    const filter of [null, [], { toolsListChanged: "yes" }, { resourceSubscriptions: "a:b" }, { resourceSubscriptions: [1] }]
  ) {
    await assert.rejects(client.listen(filter as never), /^TypeError: client\.listen/);
    assert.throws(() => client.watch(filter as never), /^TypeError: client\.watch/);
  }
  await assert.rejects(client.listen({}, { buffer: 0 }), /^TypeError: options\.buffer/);
  await assert.rejects(client.listen({}, { timeout: 0 }), /^TypeError: options\.timeout/);
});

Deno.test("listen ends by close, once, and the server hears of it (M-SUB-012)", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const [subscription, feed] = await opened(client, next);
  feed.notify("notifications/tools/list_changed");
  await new Promise((resolve) => setTimeout(resolve, 0));
  await Promise.all([subscription.close(), subscription.close()]);
  await feed.left;
  assert.deepEqual(await subscription.closed, { by: "client" });
  assert.deepEqual((await rest(subscription)).map(({ type }) => type), ["toolsListChanged", "closed"]);
});

Deno.test("listen ends when its reader leaves the loop", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const [subscription, feed] = await opened(client, next);
  feed.notify("notifications/tools/list_changed");
  for await (const event of subscription) {
    assert.equal(event.type, "toolsListChanged");
    break;
  }
  await feed.left;
  assert.deepEqual(await subscription.closed, { by: "client" });
});

Deno.test("listen is ended by its signal, before and after the acknowledgement, and leaves no listener (B089)", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const early = new AbortController();
  const opening = client.listen({}, { signal: early.signal });
  const feed = await next();
  early.abort("enough");
  await assert.rejects(opening, (error) => error === "enough");
  await feed.left;
  await assert.rejects(client.listen({}, { signal: early.signal }), (error) => error === "enough");

  const late = new AbortController();
  const listeners = countListeners(late.signal);
  const [subscription, open] = await opened(client, next, { signal: late.signal });
  late.abort();
  assert.deepEqual(await subscription.closed, { by: "client" });
  await open.left;
  assert.equal(listeners(), 0);
});

Deno.test("listen tells a lost connection apart from an orderly end (M-SUB-015, B016)", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const [subscription, feed] = await opened(client, next);
  feed.lose();
  const reason = await subscription.closed;
  assert.ok(reason.by === "fault" && reason.error instanceof TransportError);
  assert.equal(reason.error.reason, "closed");
  const [refused, other] = await opened(client, next);
  other.send({ jsonrpc: "2.0", id: other.request.id, error: { code: -32603, message: "broken" } });
  const failure = await refused.closed;
  assert.ok(failure.by === "fault" && failure.error instanceof ProtocolError);
  const [ended, third] = await opened(client, next);
  third.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: third.request.id } });
  assert.deepEqual(await ended.closed, { by: "server" });
});

Deno.test("listen reports drops, and closes when it may not drop", async () => {
  const { server, next } = feeding();
  await using client = await connect(server);
  const [dropping, first] = await opened(client, next, { buffer: 2 });
  for (const uri of ["a:1", "a:2", "a:3"]) first.notify("notifications/resources/updated", { uri });
  first.finish();
  await dropping.closed;
  assert.deepEqual((await rest(dropping)).map((event) => event.type === "dropped" ? event.count : event.type), [
    1,
    "resourceUpdated",
    "resourceUpdated",
    "closed",
  ]);
  const [closing, second] = await opened(client, next, { buffer: 1, overflow: "close" });
  for (const uri of ["a:1", "a:2"]) second.notify("notifications/resources/updated", { uri });
  const reason = await closing.closed;
  assert.ok(reason.by === "fault" && reason.error instanceof TransportError);
  assert.deepEqual(reason.error.data, { limit: "subscriptionBuffer", value: 1, seen: 2 });
  await second.left;
  assert.deepEqual((await rest(closing)).map(({ type }) => type), ["resourceUpdated", "closed"]);
});

Deno.test("listen ends with its client (B086)", async () => {
  const { server, next } = feeding();
  const client = await connect(server);
  const [subscription, feed] = await opened(client, next);
  const opening = client.listen({});
  const waiting = subscription.next();
  await next();
  await client.close();
  assert.deepEqual((await waiting).value, { type: "closed", reason: { by: "client" } });
  await assert.rejects(opening, { kind: "transport", reason: "closed" });
  await feed.left;
});
