/** Tests of a server behind a carrier of one's own: what goes in and comes out over a pair of streams. */
import assert from "node:assert/strict";
import { ask, defineServer, inputRequired, serveChannel, tool } from "../../../server/mod.ts";
import type { Channel, Server } from "../../../server/mod.ts";
import { ALL_CAPABILITIES, metaOfClient, metaWith, request } from "../wire.ts";
import type { Json } from "../wire.ts";

const ID = "io.modelcontextprotocol/subscriptionId";

const server = (): Server =>
  defineServer({
    name: "channel",
    version: "1",
    tools: [
      tool({ name: "meta", handler: (_args, ctx) => ({ structured: { meta: ctx.meta, transport: ctx.transport } }) }),
      tool({
        name: "progress",
        handler: async (_args, ctx) => {
          await ctx.progress(1);
          await ctx.log("info", "a");
          return "done";
        },
      }),
      tool({
        name: "ask",
        handler: (_args, ctx): Json => {
          const { a } = ctx.answers({ a: ask.roots() });
          return a === undefined ? inputRequired({ a: ask.roots() }) : { structured: { roots: a } };
        },
      }),
      tool({
        name: "wait",
        handler: (_args, ctx) => new Promise<string>((resolve) => ctx.signal.addEventListener("abort", () => resolve("aborted"))),
      }),
    ],
  }) as Server;

/** A server on one end of a pair of streams, and the raw other end. */
function served(own: Server) {
  const [there, back] = [new TransformStream<Json, Json>(), new TransformStream<Json, Json>()];
  const done = serveChannel(own, { readable: there.readable, writable: back.writable } as Channel);
  const writer = there.writable.getWriter();
  const reader = back.readable.getReader();
  const seen: Json[] = [];
  const next = async (): Promise<Json> => {
    const { value } = await reader.read();
    if (value !== undefined) seen.push(value);
    return value;
  };
  const leave = async (): Promise<void> => {
    const closing = writer.close().catch(() => undefined);
    while (await next() !== undefined);
    await Promise.all([closing, done]);
  };
  return {
    seen,
    next,
    leave,
    write: (message: Json) => void writer.write(message).catch(() => undefined),
    /** Ends the channel; streams that were open are ended with the server. */
    async end(): Promise<void> {
      await leave();
      await own.close();
    },
  };
}

Deno.test("serveChannel() carries requests and notifications in, and responses and notifications out (M-BASE-041, M-BASE-042)", async () => {
  const peer = served(server());
  const meta = metaWith({ progressToken: "t", "io.modelcontextprotocol/logLevel": "debug" });
  peer.write(request("tools/call", { name: "progress" }, meta, "a"));
  assert.deepEqual([(await peer.next()).method, (await peer.next()).method], ["notifications/progress", "notifications/message"]);
  assert.equal((await peer.next()).id, "a");
  peer.write(request("tools/call", { name: "wait" }, metaWith(), "b"));
  peer.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "b" } });
  peer.write(request("tools/list", {}, metaWith(), "c"));
  assert.equal((await peer.next()).id, "c");
  await peer.end();
});

Deno.test("serveChannel() leaves messages and their _meta as they are (M-BASE-046, M-BASE-048)", async () => {
  const peer = served(server());
  const meta = metaWith({ "com.example/a": { b: [1, null] }, "io.modelcontextprotocol/unheard": 1 });
  peer.write(request("tools/call", { name: "meta" }, meta, 7));
  const { jsonrpc, id, result } = await peer.next();
  assert.deepEqual([jsonrpc, id, result.structuredContent.meta], ["2.0", 7, meta]);
  assert.equal(result._meta["io.modelcontextprotocol/serverInfo"].name, "channel");
  await peer.end();
});

Deno.test("serveChannel() keeps the patterns: rounds of questions, and change streams (M-BASE-047)", async () => {
  const own = server();
  const peer = served(own);
  const meta = metaOfClient({ roots: {} });
  peer.write(request("tools/call", { name: "ask" }, meta, 1));
  assert.equal((await peer.next()).result.resultType, "input_required");
  peer.write(request("tools/call", { name: "ask", inputResponses: { a: { roots: [{ uri: "file:///a" }] } } }, meta, 2));
  assert.deepEqual((await peer.next()).result.structuredContent, { roots: [{ uri: "file:///a" }] });
  peer.write(request("subscriptions/listen", { notifications: { toolsListChanged: true } }, metaWith(), "l"));
  assert.equal((await peer.next()).method, "notifications/subscriptions/acknowledged");
  await own.notify.toolsChanged();
  assert.deepEqual((await peer.next()).params._meta, { [ID]: "l" });
  await peer.end();
});

Deno.test("serveChannel() writes no request of the server, over all features (M-BASE-021, M-STDIO-009, M-MRTR-002)", async () => {
  const own = server();
  const peer = served(own);
  const meta = metaOfClient(ALL_CAPABILITIES, { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" });
  for (const [at, name] of ["meta", "progress", "ask"].entries()) peer.write(request("tools/call", { name }, meta, at));
  for (const method of ["server/discover", "tools/list", "x/y"]) peer.write(request(method, {}, meta, method));
  peer.write(request("subscriptions/listen", { notifications: { toolsListChanged: true } }, meta, "l"));
  const ids = new Set<unknown>([0, 1, 2, "server/discover", "tools/list", "x/y"]);
  let acknowledged = false;
  while (ids.size > 0 || !acknowledged) {
    const message = await peer.next();
    ids.delete(message.id);
    acknowledged ||= message.method === "notifications/subscriptions/acknowledged";
  }
  await own.close({ drain: 1000 });
  await peer.end();
  assert.ok(peer.seen.length >= 9);
  for (const message of peer.seen) assert.equal("method" in message && "id" in message, false, JSON.stringify(message));
});

Deno.test("serveChannel() ends change streams with the channel; a new channel hears nothing before it listens (M-BASE-024, M-SUB-017)", async () => {
  const own = server();
  const first = served(own);
  first.write(request("subscriptions/listen", { notifications: { toolsListChanged: true } }, metaWith(), "l"));
  await first.next();
  await first.leave();
  const second = served(own);
  await own.notify.toolsChanged();
  second.write(request("tools/list", {}, metaWith(), "only"));
  assert.equal((await second.next()).id, "only");
  await second.end();
  assert.equal(second.seen.length, 1);
});
