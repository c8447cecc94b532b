/** Tests of the wire: progress, log messages and change streams (areas PROG, LOG, SUB and CANC). */
import assert from "node:assert/strict";
import { defineServer, prompt, resource, tool } from "../../../server/mod.ts";
import type { Context, Server } from "../../../server/mod.ts";
import { until } from "../../until.ts";
import { call, callTool, listen, metaWith, open, post, refused, request } from "../wire.ts";
import type { Json } from "../wire.ts";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
const ID = "io.modelcontextprotocol/subscriptionId";

function serverWith(handler: (ctx: Context) => unknown, options: Json = {}): Server {
  return defineServer({
    name: "streams",
    version: "1",
    tools: [tool({ name: "t", handler: (_args, ctx) => handler(ctx) as string })],
    resources: [resource({ uri: "a:b", name: "b", read: () => "x" })],
    ...options,
  }) as Server;
}

const logging = (level: string): Json => metaWith({ "io.modelcontextprotocol/logLevel": level });
const methods = (messages: Json[]): string[] => messages.map(({ method, id }) => method ?? id);

async function sayAll(ctx: Context): Promise<string> {
  for (const level of LEVELS) await ctx.log(level, level);
  return "done";
}

async function idleAfter(server: Server, stream: { next(): Promise<Json> }): Promise<Json> {
  await server.notify.toolsChanged();
  return await stream.next();
}

Deno.test("server.fetch() reports progress only under a token that was given (M-PROG-008)", async () => {
  const server = serverWith((ctx) => ctx.progress(1));
  assert.equal((await callTool(server, "t")).messages.length, 1);
  for (const progressToken of ["t", 0, ""]) {
    const [progress] = (await callTool(server, "t", {}, metaWith({ progressToken }))).messages;
    assert.deepEqual(progress.params, { progressToken, progress: 1 });
  }
});

Deno.test("server.fetch() refuses progress tokens that are neither text nor integer (M-PROG-002)", async () => {
  for (const progressToken of [1.5, {}, [], null, true]) {
    refused(await callTool(serverWith(() => "x"), "t", {}, metaWith({ progressToken })), -32602, 400);
  }
});

Deno.test("server.fetch() sends progress that grows with every notification (M-PROG-005)", async () => {
  const server = serverWith(async (ctx) => {
    for (const progress of [1, 1, 0.5, 2, -1, 2.5, 2.5]) await ctx.progress(progress, 2);
  });
  const { messages } = await callTool(server, "t", {}, metaWith({ progressToken: 1 }));
  assert.deepEqual(messages.slice(0, -1).map(({ params }: Json) => params.progress), [1, 2, 2.5]);
});

Deno.test("server.fetch() sends no progress after the answer (M-PROG-009, M-PROG-014)", async () => {
  let late: Context | undefined;
  const server = serverWith(async (ctx) => {
    late = ctx;
    await ctx.progress(1);
    return "done";
  });
  const stream = await open(server, request("tools/call", { name: "t" }, metaWith({ progressToken: 1 }), "id"));
  await until(() => late !== undefined);
  const all = [await stream.next(), await stream.next()];
  await late?.progress(2);
  await late?.log("info", "late");
  assert.deepEqual(methods([...all, ...await stream.rest()]), ["notifications/progress", "id"]);
});

Deno.test("server.fetch() sends no log message to a request without a level (M-LOG-005)", async () => {
  assert.deepEqual(methods((await callTool(serverWith(sayAll), "t")).messages), [1] as unknown as string[]);
});

Deno.test("server.fetch() sends what is at or above the level that was asked for (M-LOG-010)", async () => {
  for (const [at, level] of LEVELS.entries()) {
    const { messages } = await callTool(serverWith(sayAll), "t", {}, logging(level));
    assert.deepEqual(messages.slice(0, -1).map(({ params }: Json) => params.level), LEVELS.slice(at));
  }
});

Deno.test("server.fetch() refuses a level that is none with -32602, and handlers can not use one (M-LOG-010)", async () => {
  refused(await callTool(serverWith(sayAll), "t", {}, logging("verbose")), -32602, 400);
  refused(await callTool(serverWith((ctx) => ctx.log("verbose" as "info", 1)), "t", {}, logging("debug")), -32603, 200);
});

Deno.test("server.fetch() sends level and any JSON as data, and a logger when it is named (M-LOG-011)", async () => {
  const server = serverWith(async (ctx) => {
    for (const data of ["text", null, 0, [1], { a: { b: null } }]) await ctx.log("info", data);
    await ctx.log("info", true, "db");
  });
  const { messages } = await callTool(server, "t", {}, logging("debug"));
  const params = messages.slice(0, -1).map(({ params }: Json) => params);
  assert.deepEqual(params.map(({ data }: Json) => data), ["text", null, 0, [1], { a: { b: null } }, true]);
  assert.deepEqual(params.at(-1), { level: "info", logger: "db", data: true });
  assert.deepEqual(params[0], { level: "info", data: "text" });
  refused(await callTool(serverWith((ctx) => ctx.log("info", undefined)), "t", {}, logging("debug")), -32603, 200);
});

Deno.test("server.fetch() declares the logging capability (M-LOG-003)", async () => {
  assert.deepEqual((await call(serverWith(sayAll), "server/discover")).result.capabilities.logging, {});
});

Deno.test("server.fetch() sends log messages on the stream of the request that set the level alone (M-LOG-008)", async () => {
  const gates: (() => void)[] = [];
  const server = serverWith(async (ctx) => {
    await ctx.log("info", "a");
    await ctx.progress(1);
    await new Promise<void>((resolve) => gates.push(resolve));
    await ctx.log("info", "b");
  });
  const quiet = await open(server, request("tools/call", { name: "t" }, metaWith({ progressToken: 1 }), "quiet"));
  const loud = await open(server, request("tools/call", { name: "t" }, logging("info"), "loud"));
  await until(() => gates.length === 2);
  gates.forEach((pass) => pass());
  assert.deepEqual(methods(await quiet.rest()), ["notifications/progress", "quiet"]);
  assert.deepEqual(methods(await loud.rest()), ["notifications/message", "notifications/message", "loud"]);
});

Deno.test("server.fetch() sends no log message and no progress on a change stream (M-LOG-007, M-SUB-019)", async () => {
  const server = serverWith(async (ctx) => {
    await ctx.log("emergency", "a");
    await ctx.progress(1);
  });
  const stream = await listen(server, { toolsListChanged: true });
  await callTool(server, "t", {}, { ...logging("debug"), progressToken: 1 });
  assert.equal((await idleAfter(server, stream)).method, "notifications/tools/list_changed");
  await stream.leave();
});

Deno.test("server.fetch() acknowledges a change stream before anything else (M-SUB-003, M-SUB-004)", async () => {
  const server = serverWith(() => "x");
  const opening = open(server, request("subscriptions/listen", { notifications: { toolsListChanged: true } }, metaWith(), "l"));
  await server.notify.toolsChanged();
  const stream = await opening;
  assert.equal((await stream.next()).method, "notifications/subscriptions/acknowledged");
  await server.notify.toolsChanged();
  assert.equal((await stream.next()).method, "notifications/tools/list_changed");
  await stream.leave();
});

Deno.test("server.fetch() sends only the types of change that were asked for (M-SUB-001)", async () => {
  const server = serverWith(() => "x", { prompts: [prompt({ name: "p", render: () => "x" })] });
  const stream = await listen(server, { toolsListChanged: true, promptsListChanged: false });
  await server.notify.promptsChanged();
  await server.notify.resourcesChanged();
  await server.notify.resourceUpdated("a:b");
  assert.equal((await idleAfter(server, stream)).method, "notifications/tools/list_changed");
  await stream.leave();
});

Deno.test("server.fetch() takes an absent field of the filter for false (M-SUB-002)", async () => {
  const server = serverWith(() => "x");
  const [empty, probe] = [await listen(server, {}), await listen(server, { toolsListChanged: true }, "probe")];
  assert.deepEqual(empty.acknowledged.params.notifications, {});
  await server.notify.resourcesChanged();
  await server.notify.resourceUpdated("a:b");
  await idleAfter(server, probe);
  await server.close({ drain: 1000 });
  assert.deepEqual(methods(await empty.rest()), ["l"]);
  await probe.leave();
});

Deno.test("server.fetch() acknowledges the part that it serves (M-SUB-006)", async () => {
  const server = defineServer({ name: "s", version: "1", tools: [] }) as Server;
  const all = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ["a:b"],
    unheard: 1,
  };
  const stream = await listen(server, all);
  assert.deepEqual(stream.acknowledged.params.notifications, { toolsListChanged: true });
  await stream.leave();
});

Deno.test("server.fetch() marks everything on a change stream with the id of its request, type included (M-SUB-008, M-SUB-009, M-SUB-014)", async () => {
  const server = serverWith(() => "x");
  const filter = { toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ["a:b"] };
  for (const id of [1, "1", "", 0]) {
    const stream = await listen(server.with({}), filter, id);
    assert.equal(stream.acknowledged.params._meta[ID], id);
    await stream.leave();
  }
  const streams = [await listen(server, filter, 1), await listen(server, filter, "1")];
  await server.notify.toolsChanged();
  await server.notify.resourcesChanged();
  await server.notify.resourceUpdated("a:b");
  await server.close({ drain: 1000 });
  for (const [at, id] of [1, "1"].entries()) {
    const messages = await streams[at]?.rest() ?? [];
    assert.equal(messages.length, 4);
    for (const message of messages) assert.equal((message.params ?? message.result)._meta[ID], id);
    assert.equal(messages.at(-1).id, id);
  }
});

Deno.test("server.fetch() announces changed resources on the streams that named them (M-RES-012)", async () => {
  const server = serverWith(() => "x");
  const [watching, other] = [
    await listen(server, { resourceSubscriptions: ["a:b"] }),
    await listen(server, { resourceSubscriptions: ["a:c"] }),
  ];
  await server.notify.resourceUpdated("a:c");
  await server.notify.resourceUpdated("a:b");
  assert.equal((await watching.next()).params.uri, "a:b");
  assert.equal((await other.next()).params.uri, "a:c");
  await Promise.all([watching.leave(), other.leave()]);
});

Deno.test("server.fetch() keeps nothing of a stream that was left; a new one gets what comes after it alone (M-SUB-017, M-BASE-024)", async () => {
  const server = serverWith(() => "x");
  const first = await listen(server, { resourceSubscriptions: ["a:b", "a:c"] });
  await first.leave();
  await server.notify.resourceUpdated("a:b");
  const second = await listen(server, { resourceSubscriptions: ["a:c"] });
  await server.notify.resourceUpdated("a:b");
  await server.notify.resourceUpdated("a:c");
  assert.equal((await second.next()).params.uri, "a:c");
  await second.leave();
});

Deno.test("server.fetch() sends changes on change streams only, not on the stream of a call (M-SUB-018)", async () => {
  const server = serverWith(async (ctx) => {
    await ctx.progress(1);
    await ctx.notify.toolsChanged();
    await ctx.notify.resourceUpdated("a:b");
    await ctx.progress(2);
  });
  const { messages } = await callTool(server, "t", {}, metaWith({ progressToken: 1 }));
  assert.deepEqual(methods(messages), ["notifications/progress", "notifications/progress", 1] as string[]);
});

Deno.test("server.fetch() refuses a listen request without a filter object with -32602 (M-SUB-020)", async () => {
  for (const notifications of [undefined, null, [], "tools", true]) {
    refused(await call(serverWith(() => "x"), "subscriptions/listen", { notifications }), -32602, 200);
  }
});

Deno.test("server.fetch() refuses filters with fields of the wrong type with -32602 (M-SCHEMA-020)", async () => {
  for (
    const filter of [
      { toolsListChanged: "yes" },
      { promptsListChanged: 1 },
      { resourcesListChanged: null },
      { resourceSubscriptions: "a:b" },
      { resourceSubscriptions: [1] },
      { resourceSubscriptions: {} },
    ]
  ) refused(await call(serverWith(() => "x"), "subscriptions/listen", { notifications: filter }), -32602, 200);
});

Deno.test("server.close() sends the result that ends a change stream (M-SUB-014)", async () => {
  const server = serverWith(() => "x");
  const stream = await listen(server, { toolsListChanged: true });
  await server.close();
  assert.deepEqual((await stream.rest()).map(({ id }) => id), ["l"]);
});

Deno.test("server.handle() sends no cancellation for ordinary requests, however they end (M-CANC-003)", async () => {
  const server = serverWith(async (ctx) => {
    await ctx.progress(1);
    await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
  }, { limits: { handlerDeadline: 60 } });
  const seen: Json[] = [];
  const info = { connection: { transport: "memory" }, onDisconnect: () => () => undefined } as const;
  const run = async (id: string): Promise<void> => {
    const answer = await server.handle(request("tools/call", { name: "t" }, metaWith({ progressToken: id }), id) as Json, info);
    for await (const message of answer as AsyncIterable<Json>) seen.push(message);
  };
  await run("deadline");
  const cancelled = run("cancelled");
  await until(() => seen.length === 3);
  await server.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "cancelled" } }, info);
  await cancelled;
  const closed = run("closed");
  await until(() => seen.length === 4);
  await Promise.all([server.close(), closed]);
  assert.ok(seen.length >= 4);
  assert.equal(methods(seen).includes("notifications/cancelled"), false);
});

Deno.test("server.handle() takes a cancellation without requestId for malformed and cancels nothing (M-CANC-026)", async () => {
  const gates: (() => void)[] = [];
  const server = serverWith(() => new Promise<void>((resolve) => gates.push(resolve)));
  const info = { connection: { transport: "memory" }, onDisconnect: () => () => undefined } as const;
  const running = server.handle(request("tools/call", { name: "t" }) as Json, info);
  await until(() => gates.length === 1);
  for (const params of [undefined, {}, { requestId: null }, { requestId: ["1"] }, { id: 1 }, { requestId: "1" }]) {
    await server.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params } as Json, info);
  }
  gates[0]?.();
  assert.ok("result" in (await running as Json));
  await post(server, { jsonrpc: "2.0", method: "notifications/cancelled" });
});
