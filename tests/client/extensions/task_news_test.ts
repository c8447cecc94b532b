/** Tests of tasks that a server tells of on a change stream, instead of being asked. */
import assert from "node:assert/strict";
import { connect } from "../../../client/connect.ts";
import { tasks } from "../../../client/extensions/tasks.ts";
import { ProtocolError } from "../../../protocol/errors.ts";
import type { JsonObject, JsonRpcRequest } from "../../../protocol/types.ts";
import { feeding } from "../feeds.ts";
import type { Feed } from "../feeds.ts";
import { complete, countListeners, DISCOVERED, scripted, text } from "../scripted.ts";
import type { Script } from "../scripted.ts";
import { until } from "../../until.ts";

const NOTICE = "notifications/tasks";
const DONE: JsonObject = { status: "completed", result: text("done") };
/** Without being told nobody would know of the end within this time. */
const SOON = { totalTimeout: 8000 };

/** The task of a tool of the same name. */
function task(taskId: unknown, more: JsonObject = {}): JsonObject {
  const at = "2026-01-01T00:00:00Z";
  return {
    taskId,
    status: "working",
    createdAt: at,
    lastUpdatedAt: at,
    ttlMs: 60_000,
    pollIntervalMs: 30_000,
    ...more,
  } as JsonObject;
}

/** Answers calls with tasks, and looks at them as `look` says. */
function tasksBy(look: (taskId: unknown) => JsonObject = () => ({}), handle: JsonObject = {}): Script {
  return ({ method, params = {} }) => {
    if (method === "server/discover") {
      return { ...DISCOVERED, capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } } };
    }
    if (method === "tools/call") return { resultType: "task", ...task(params.name, handle) };
    if (method === "tasks/get") return complete(task(params.taskId, { ...handle, ...look(params.taskId) }));
    return method === "tasks/update" || method === "tasks/cancel" ? complete() : undefined;
  };
}

function idsOf({ params }: Pick<JsonRpcRequest, "params">): unknown {
  return (params?.notifications as JsonObject).taskIds;
}

Deno.test("a call is told the end of its task, and asks nothing", async () => {
  const { server, next } = feeding(tasksBy());
  await using client = await connect(server, { extensions: [tasks] });
  const call = client.callTool("a", {}, SOON);
  const feed = await next();
  assert.deepEqual(idsOf(feed.request), ["a"]);
  feed.acknowledge();
  feed.notify(NOTICE, task("a"));
  feed.notify(NOTICE, task("other", DONE));
  feed.notify(NOTICE, task("a", { statusMessage: "Nearly", pollIntervalMs: 1 }));
  feed.notify(NOTICE, task("a", DONE));
  assert.deepEqual((await call).content, text("done").content);
  assert.equal(server.requests("tasks/get").length, 0);
  // Nobody waits any more.
  await feed.left;
});

Deno.test("calls at once share one stream, and one that comes later takes over from it", async () => {
  const { server, next } = feeding(tasksBy());
  await using client = await connect(server, { extensions: [tasks] });
  const [a, b] = [client.callTool("a", {}, SOON), client.callTool("b", {}, SOON)];
  const first = await next();
  const openedAt = performance.now();
  assert.deepEqual(idsOf(first.request), ["a", "b"]);
  first.acknowledge();
  first.notify(NOTICE, task("b", DONE));
  await b;
  const [c, updates] = [client.callTool("c", {}, SOON), tasks.on(client).task("a").updates()];
  assert.equal((await updates.next()).value?.status, "working");
  const second = await next();
  assert.deepEqual(idsOf(second.request), ["a", "c"]);
  // Streams do not follow each other faster than that, whatever is called.
  assert.ok(performance.now() - openedAt > 500);
  second.acknowledge();
  await first.left;
  second.notify(NOTICE, task("a", DONE));
  second.notify(NOTICE, task("c", DONE));
  await Promise.all([a, c]);
  assert.equal((await updates.next()).value?.status, "completed");
  assert.equal((await updates.next()).done, true);
  assert.equal(server.requests("subscriptions/listen").length, 2);
  // The look of the updates, which begin with the state of now.
  assert.equal(server.requests("tasks/get").length, 1);
});

Deno.test("a task that ended before the stream was open is found by the next look", async () => {
  let ended = false;
  const { server, next } = feeding(tasksBy(() => ended ? DONE : {}, { pollIntervalMs: 100 }));
  await using client = await connect(server, { extensions: [tasks] });
  const call = client.callTool("a", {}, SOON);
  const feed = await next();
  await until(() => server.requests("tasks/get").length > 0);
  ended = true;
  feed.acknowledge();
  assert.deepEqual((await call).content, text("done").content);
});

Deno.test("when the stream breaks the client looks, and opens it again", async () => {
  let ended = false;
  const { server, next } = feeding(tasksBy(() => ended ? DONE : {}, { pollIntervalMs: 100 }));
  await using client = await connect(server, { extensions: [tasks] });
  const calls = [client.callTool("a", {}, SOON), client.callTool("b", {}, SOON)];
  const told = async (): Promise<Feed> => {
    const feed = await next();
    feed.acknowledge();
    for (const id of ["a", "b"]) feed.notify(NOTICE, task(id, { pollIntervalMs: 100 }));
    return feed;
  };
  const first = await told();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const looks = server.requests("tasks/get").length;
  first.lose();
  await until(() => server.requests("tasks/get").length > looks + 2);
  const second = await told();
  second.notify(NOTICE, task("a", DONE));
  await calls[0];
  // The end of the other one falls into the next gap.
  ended = true;
  second.finish();
  await calls[1];
});

Deno.test("a server that never acknowledges, refuses, or knows no taskIds, is asked as ever, and no second time for a stream", async () => {
  const deaf = feeding(tasksBy(() => ({}), { pollIntervalMs: 60 }));
  const answers: Script[] = [
    () => {
      throw new ProtocolError(-32601, "Method not found");
    },
    ({ id }) => ({
      async *[Symbol.asyncIterator]() {
        const _meta = { "io.modelcontextprotocol/subscriptionId": id };
        const params = { notifications: {}, _meta };
        yield await Promise.resolve({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params } as const);
        yield { jsonrpc: "2.0", id, result: { resultType: "complete", _meta } } as const;
      },
    }),
  ];
  for (const listen of answers) {
    let looks = 0;
    const rest = tasksBy(() => ++looks % 10 === 0 ? DONE : {}, { pollIntervalMs: 60 });
    const server = scripted((request, info) => (request.method === "subscriptions/listen" ? listen : rest)(request, info));
    await using client = await connect(server, { extensions: [tasks] });
    for (const name of ["a", "b", "c"]) assert.deepEqual((await client.callTool(name, {}, SOON)).content, text("done").content);
    assert.equal(server.requests("tasks/get").length, 30);
    assert.equal(server.requests("subscriptions/listen").length, 1);
  }
  await using client = await connect(deaf.server, { extensions: [tasks] });
  const call = client.callTool("a", {}, { signal: AbortSignal.timeout(1000) });
  const feed = await deaf.next();
  await assert.rejects(call, { name: "TimeoutError" });
  assert.ok(deaf.server.requests("tasks/get").length > 3);
  await feed.left;
});

Deno.test("a task that the server does not agree to is looked at, beside those that it tells of", async () => {
  let looks = 0;
  const { server, next } = feeding(tasksBy(() => ++looks > 20 ? DONE : {}, { pollIntervalMs: 60 }));
  await using client = await connect(server, { extensions: [tasks] });
  const [a, b] = [client.callTool("a", {}, SOON), client.callTool("b", {}, SOON)];
  const feed = await next();
  feed.acknowledge({ taskIds: ["a", "somebody-elses"] });
  feed.notify(NOTICE, task("a"));
  await b;
  feed.notify(NOTICE, task("a", DONE));
  await a;
  assert.equal(server.requests("subscriptions/listen").length, 1);
});

Deno.test("a notification that can not be read is looked up", async () => {
  let ended = false;
  const { server, next } = feeding(tasksBy(() => ended ? DONE : {}, { pollIntervalMs: 100 }));
  await using client = await connect(server, { extensions: [tasks] });
  const call = client.callTool("a", {}, SOON);
  const feed = await next();
  feed.acknowledge();
  feed.notify(NOTICE, task("a", { pollIntervalMs: 100 }));
  await new Promise((resolve) => setTimeout(resolve, 250));
  ended = true;
  feed.notify(NOTICE, task("a", { status: "completed" }));
  await call;
});

Deno.test("questions that are told are asked once each, and answered", async () => {
  const form = { method: "elicitation/create", params: { message: "?", requestedSchema: { type: "object", properties: {} } } };
  const { server, next } = feeding(tasksBy(() => ({ status: "input_required", inputRequests: { q: form } })));
  const seen: string[] = [];
  await using client = await connect(server, {
    extensions: [tasks],
    inputs: { form: (_params, { key }) => (seen.push(key), { action: "accept", content: {} }) },
  });
  const call = client.callTool("a", {}, SOON);
  const feed = await next();
  feed.acknowledge();
  for (const _ of ["once", "twice"]) feed.notify(NOTICE, task("a", { status: "input_required", inputRequests: { q: form } }));
  await until(() => server.requests("tasks/update").length > 0);
  feed.notify(NOTICE, task("a", { status: "input_required", inputRequests: { q: form } }));
  feed.notify(NOTICE, task("a", DONE));
  await call;
  assert.deepEqual(seen, ["q"]);
  assert.equal(server.requests("tasks/update").length, 1);
});

Deno.test("a wait for a task whose time is over ends although nothing is told", async () => {
  const looks: JsonObject[] = [];
  const rest = tasksBy(() => ({}), { ttlMs: 300, pollIntervalMs: 100 });
  const { server, next } = feeding((request, info) => {
    if (request.method !== "tasks/get") return rest(request, info);
    looks.push({});
    throw new ProtocolError(-32602, "No such task");
  });
  await using client = await connect(server, { extensions: [tasks] });
  const call = client.callTool("a", {}, SOON);
  call.catch(() => undefined);
  const feed = await next();
  feed.acknowledge();
  feed.notify(NOTICE, task("a", { ttlMs: 300, pollIntervalMs: 100 }));
  await assert.rejects(call, { code: -32602 });
  assert.equal(looks.length, 1);
});

Deno.test("closing the client ends the waits for tasks that it was told of", async () => {
  const { server, next } = feeding(tasksBy());
  const client = await connect(server, { extensions: [tasks] });
  const call = client.callTool("a", {}, SOON);
  const updates = tasks.on(client).task("a").updates();
  await updates.next();
  const [ended, over] = [assert.rejects(call, { reason: "closed" }), assert.rejects(updates.next(), { reason: "closed" })];
  const feed = await next();
  feed.acknowledge();
  feed.notify(NOTICE, task("a"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await client.close();
  await Promise.all([ended, over]);
  await feed.left;
});

Deno.test("a task that nobody waits for any more leaves no stream and no listener behind", async () => {
  const { server, next } = feeding(tasksBy());
  await using client = await connect(server, { extensions: [tasks] });
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  const call = client.callTool("a", {}, { signal: abort.signal });
  const feed = await next();
  feed.acknowledge();
  abort.abort(new Error("Enough"));
  await assert.rejects(call, /Enough/);
  await feed.left;
  assert.equal(listeners(), 0);
  // Before it is acknowledged too.
  const second = client.callTool("b", {}, { signal: AbortSignal.timeout(1500) });
  const opening = await next();
  await assert.rejects(second, { name: "TimeoutError" });
  await opening.left;
});
