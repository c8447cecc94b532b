/** Tasks, from the tool's handler to the client's result. */
import assert from "node:assert/strict";
import { ask, defineServer, inputRequired, ProtocolError, textOf, tool } from "../../mod.ts";
import type { ConnectOptions, Server } from "../../mod.ts";
import { TaskCancelledError, tasks as clientTasks } from "../../client/extensions/tasks.ts";
import type { TaskHandle } from "../../client/extensions/tasks.ts";
import { task, tasks } from "../../server/extensions/tasks.ts";
import { testClient } from "../../testing.ts";
import { memoryStore } from "../../server/stores/memory.ts";
import type { JsonObject } from "../../mod.ts";
import { until } from "../until.ts";
import { callRaw, sendRaw } from "./extension_calls.ts";

const OK = { type: "boolean", required: true } as const;

/** Opened by the tests. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => open = resolve);
  return { opened, open };
}

function serverWith(options: Parameters<typeof tasks>[0] = {}, wait = Promise.resolve()) {
  return defineServer({
    name: "slow",
    version: "1.0.0",
    tools: [
      tool({ name: "quick", args: { name: { type: "string", required: true } }, handler: ({ name }) => `Hello, ${name}!` }),
      tool({
        name: "slow",
        task: "optional",
        args: { label: { type: "string", required: true } },
        handler: async ({ label }, ctx) => {
          await ctx.progress(1, 2, "Half way");
          await Promise.race([
            wait,
            new Promise((_, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason))),
          ]);
          return `Done with ${label}`;
        },
      }),
      tool({ name: "deaf", task: "optional", handler: () => new Promise<string>(() => undefined) }),
      tool({ name: "needs_task", task: "required", handler: () => ({ structured: { ok: true }, isError: true }) }),
      tool({
        name: "breaks",
        task: "optional",
        handler: () => {
          throw new ProtocolError(1234, "Broken on purpose", { data: { why: "test" } });
        },
      }),
      tool({
        name: "confirm",
        task: "required",
        handler: async (_args, ctx) => {
          const [first, second] = await Promise.all([
            ctx.elicit("Sure?", { ok: OK }, { key: "sure" }),
            ctx.elicit("Really?", { ok: OK }, { key: "really" }),
          ]);
          return `${first.action} ${second.action}`;
        },
      }),
      tool({
        name: "by_hand",
        task: "required",
        handler: (_args, ctx) => {
          const questions = { sure: ask.form("Sure?", { ok: OK }) };
          const { sure } = ctx.answers(questions);
          return sure === undefined ? inputRequired(questions) : `by hand: ${sure.action}`;
        },
      }),
      tool({
        name: "rounds_first",
        handler: async (_args, ctx) => {
          const name = await ctx.elicit("Your name?", { name: { type: "string", required: true } }, { key: "q" });
          return task(async (inner) => {
            const { action } = await inner.elicit("Sure?", { ok: OK }, { key: "q" });
            return `${name.action === "accept" ? name.content.name : "nobody"} ${action}`;
          });
        },
      }),
    ],
    extensions: [tasks({ pollInterval: 60, ...options })],
  });
}

const DECLARED = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const SPEAKS: ConnectOptions = { extensions: [clientTasks] };
const ACCEPT = { action: "accept", content: { ok: true, name: "Ada" } } as const;
const sure = { form: () => ACCEPT };

async function handle(started: Promise<unknown>): Promise<TaskHandle> {
  const found = await started;
  assert.ok(typeof found === "object" && found !== null && "toJSON" in found, "a handle");
  return found as TaskHandle;
}

Deno.test("callTool waits for a task to its end, over every carrier", async () => {
  for (const over of ["memory", "http", "stdio"] as const) {
    await using client = await testClient(serverWith(), { ...SPEAKS, over });
    assert.equal(textOf(await client.callTool("slow", { label: "it" })), "Done with it");
    assert.equal(client.wire.some(({ message }) => JSON.stringify(message).includes('"resultType":"task"')), true);
    assert.equal(textOf(await client.callTool("quick", { name: "Ada" })), "Hello, Ada!");
  }
});

Deno.test("tasks 03 without the declaration the call is answered at once or refused, and never with a handle", async () => {
  const server = serverWith();
  const direct = await callRaw(server, "tools/call", { name: "slow", arguments: { label: "it" } }, { name: "slow" });
  assert.equal(direct.result?.resultType, "complete");
  assert.ok(!("taskId" in direct.result));
  const refused = await callRaw(server, "tools/call", { name: "needs_task" }, { name: "needs_task" });
  assert.deepEqual([refused.status, refused.error?.code, refused.result], [400, -32021, undefined]);
  assert.deepEqual(refused.error?.data, { requiredCapabilities: DECLARED });
  // The capability of 2025-11-25 is not this extension.
  const legacy = { name: "needs_task", declared: { tasks: { requests: { tools: { call: {} } } } } };
  assert.equal((await callRaw(server, "tools/call", { name: "needs_task", task: { ttl: 1 } }, legacy)).error?.code, -32021);
});

Deno.test("tasks 02 a declaration counts for its request alone", async () => {
  const server = serverWith();
  const call = { name: "slow", arguments: { label: "it" } };
  for (const [declared, type] of [[undefined, "complete"], [DECLARED, "task"], [{}, "complete"], [DECLARED, "task"]] as const) {
    assert.equal((await callRaw(server, "tools/call", call, { name: "slow", declared })).result?.resultType, type);
  }
});

Deno.test("tasks 05 a handle is flat, its dates are dates, and a look right after it finds the task", async () => {
  const server = serverWith();
  const call = { name: "slow", arguments: { label: "it" }, task: { ttl: 1 } };
  const { result = {} } = await callRaw(server, "tools/call", call, { name: "slow", declared: DECLARED });
  assert.deepEqual(Object.keys(result).filter((key) => key !== "_meta").sort(), [
    "createdAt",
    "lastUpdatedAt",
    "pollIntervalMs",
    "resultType",
    "status",
    "taskId",
    "ttlMs",
  ]);
  assert.deepEqual([result.resultType, result.ttlMs], ["task", 3_600_000]);
  for (const key of ["createdAt", "lastUpdatedAt"]) {
    assert.match(result[key] as string, /^\d{4}-\d\d-\d\dT/);
    assert.ok(Math.abs(Date.parse(result[key] as string) - Date.now()) < 60_000);
  }
  const taskId = result.taskId as string;
  const looked = await callRaw(server, "tasks/get", { taskId }, { name: taskId, declared: DECLARED });
  assert.equal(looked.result?.resultType, "complete");
  assert.equal(looked.result?.taskId, taskId);
});

const METHODS = [["tasks/get", {}], ["tasks/update", { inputResponses: {} }], ["tasks/cancel", {}]] as const;

Deno.test("tasks 08 the capability is looked at before the id", async () => {
  const server = serverWith();
  for (const [method, more] of METHODS) {
    for (const taskId of ["none", "", "../x", "\u0000"]) {
      const params = { taskId, ...more };
      const name = `=?base64?${btoa(taskId)}?=`;
      assert.equal((await callRaw(server, method, params, { name })).error?.code, -32021);
      assert.equal((await callRaw(server, method, params, { name, declared: DECLARED })).error?.code, -32602);
    }
  }
  for (const method of ["tasks/list", "tasks/result"]) {
    assert.equal((await callRaw(server, method, {}, { declared: DECLARED })).error?.code, -32601);
  }
});

Deno.test("tasks 13 headers that are missing or say something else are refused, and base64 is read", async () => {
  const server = serverWith();
  for (const [method, more] of METHODS) {
    const params = { taskId: "none", ...more };
    for (const wrong of [{ name: "other" }, { name: "=?base64?b3RoZXI=?=" }, {}, { name: "none", method: "tools/call" }]) {
      const { status, error } = await callRaw(server, method, params, { ...wrong, declared: DECLARED });
      assert.deepEqual([status, error?.code], [400, -32020], JSON.stringify(wrong));
    }
    // They are right, and the id is none.
    assert.equal((await callRaw(server, method, params, { name: "none", declared: DECLARED })).error?.code, -32602);
    const encoded = { name: "=?base64?bm9uZQ==?=", declared: DECLARED };
    assert.equal((await callRaw(server, method, params, encoded)).error?.code, -32602);
  }
});

Deno.test("tasks 10 a result with isError completes the task, and a protocol error fails it with its code", async () => {
  await using client = await testClient(serverWith(), SPEAKS);
  const result = await client.callTool("needs_task");
  assert.equal(result.isError, true);
  assert.deepEqual(result.structuredContent, { ok: true });
  await assert.rejects(client.callTool("breaks"), { code: 1234, message: "Broken on purpose", data: { why: "test" } });
  const failed = await handle(clientTasks.on(client).start("breaks"));
  for await (const update of failed.updates()) if (update.status === "failed") assert.equal(update.error?.code, 1234);
});

Deno.test("questions of a task are answered once each, by the same ctx.elicit", async () => {
  let asked = 0;
  const inputs = { form: () => (asked++, ACCEPT) };
  await using client = await testClient(serverWith(), { ...SPEAKS, inputs });
  assert.equal(textOf(await client.callTool("confirm")), "accept accept");
  assert.equal(asked, 2);
  assert.equal(textOf(await client.callTool("by_hand")), "by hand: accept");
  assert.equal(asked, 3);
});

Deno.test("tasks 11 some answers leave the other questions open, and keys that are unknown or answered are passed over", async () => {
  await using client = await testClient(serverWith(), { ...SPEAKS, capabilities: { elicitation: { form: {} } } });
  const confirm = await handle(clientTasks.on(client).start("confirm"));
  const open = async () => Object.keys((await confirm.status()).inputRequests ?? {}).sort();
  await until(async () => (await open()).length >= 2);
  assert.deepEqual(await open(), ["really", "sure"]);
  const accept = { action: "accept", content: { ok: true } } as const;
  await confirm.update({ sure: accept, other: accept });
  assert.deepEqual(await open(), ["really"]);
  assert.equal((await confirm.status()).status, "input_required");
  await confirm.update({ sure: accept });
  assert.deepEqual(await open(), ["really"]);
  await confirm.update({ really: { action: "decline" } });
  assert.equal(textOf(await confirm.result()), "accept decline");
  await confirm.update({ really: accept });
  assert.equal((await confirm.status()).status, "completed");
});

Deno.test("tasks 11 an answer that does not fit is asked for again, under another key", async () => {
  await using client = await testClient(serverWith(), { ...SPEAKS, capabilities: { elicitation: { form: {} } } });
  const confirm = await handle(clientTasks.on(client).start("by_hand"));
  const open = async () => Object.keys((await confirm.status()).inputRequests ?? {});
  await until(async () => (await open()).length >= 1);
  await confirm.update({ sure: { action: "accept", content: { ok: "maybe" } } });
  await until(async () => (await open()).length >= 1);
  assert.deepEqual(await open(), ["sure-2"]);
  await confirm.cancel();
});

Deno.test("tasks 20 rounds come before the handle, and may use the keys of the task", async () => {
  await using client = await testClient(serverWith(), { ...SPEAKS, inputs: sure });
  assert.equal(textOf(await client.callTool("rounds_first")), "Ada accept");
  const states = client.wire.map(({ message }) => JSON.stringify(message)).filter((text) => /"taskId"|tasks\//.test(text));
  assert.ok(states.length > 2 && states.every((text) => !text.includes("requestState")));
});

Deno.test("a question that nobody answers can be answered later, and the call goes on", async () => {
  await using client = await testClient(serverWith(), { ...SPEAKS, capabilities: { elicitation: { form: {} } } });
  let stopped: unknown;
  await client.callTool("by_hand").catch((error) => stopped = error);
  const error = stopped as { reason: string; resume: (answers: object) => Promise<{ content: unknown }> };
  assert.equal(error.reason, "no_handler");
  const result = await error.resume({ sure: { action: "decline" } });
  assert.equal(textOf(result as never), "by hand: decline");
});

Deno.test("tasks 12 cancelling aborts the handler's signal, ends deaf handlers too, and freezes the task", async () => {
  await using client = await testClient(serverWith({}, new Promise(() => undefined)), SPEAKS);
  for (const name of ["slow", "deaf"]) {
    const running = await handle(clientTasks.on(client).start(name, name === "slow" ? { label: "x" } : {}));
    await running.cancel();
    await running.cancel();
    await assert.rejects(running.result(), TaskCancelledError);
    assert.equal((await running.status()).status, "cancelled");
  }
});

Deno.test("aborting the signal of a call cancels its task with tasks/cancel", async () => {
  await using client = await testClient(serverWith({}, new Promise(() => undefined)), SPEAKS);
  const abort = new AbortController();
  const call = client.callTool("slow", { label: "x" }, { signal: abort.signal });
  const sent = (method: string): boolean => client.wire.some(({ message }) => "method" in message && message.method === method);
  await until(() => sent("subscriptions/listen"));
  abort.abort(new Error("Enough"));
  await assert.rejects(call, /Enough/);
  await until(() => sent("tasks/cancel"));
  assert.equal(sent("notifications/cancelled"), false);
});

Deno.test("tasks 14 the states of a task come on a change stream, each as tasks/get says it", async () => {
  const { opened, open } = gate();
  await using client = await testClient(serverWith({}, opened), SPEAKS);
  const slow = await handle(clientTasks.on(client).start("slow", { label: "it" }));
  const stream = await client.listen({ taskIds: [slow.id, "somebody-elses"] });
  assert.deepEqual(stream.accepted, { taskIds: [slow.id] });
  open();
  const statuses: string[] = [];
  for await (const update of slow.updates()) statuses.push(update.status);
  assert.equal(statuses.at(-1), "completed");
  for (;;) {
    const { value } = await stream.next();
    assert.ok(value?.type === "notification", JSON.stringify(value));
    const { _meta, ...params } = value.params;
    if (params.status !== "completed") continue;
    const { resultType: _type, _meta: _other, ...looked } = await client.request("tasks/get", { taskId: slow.id });
    assert.deepEqual(params, looked);
    break;
  }
  await stream.close();
  await using bare = await testClient(serverWith());
  await assert.rejects(bare.listen({ taskIds: ["x"] }), { code: -32021 });
});

Deno.test("tasks 15 a task of one principal answers another exactly like an unknown id, byte for byte", async () => {
  const server = serverWith();
  const call = { name: "slow", declared: DECLARED, principal: "alice" };
  const { result } = await callRaw(server, "tools/call", { name: "slow", arguments: { label: "x" } }, call);
  const taskId = result?.taskId as string;
  const bytesOf = async (method: string, id: string, principal: string | undefined, more: JsonObject): Promise<string> => {
    const response = await sendRaw(server, method, { taskId: id, ...more }, { name: id, declared: DECLARED, principal });
    const headers = [...response.headers].filter(([name]) => name !== "date");
    return JSON.stringify([response.status, headers, await response.text()]).replaceAll(id, "ID");
  };
  for (const [method, more] of METHODS) {
    const unknown = await bytesOf(method, crypto.randomUUID(), "bob", more);
    assert.match(unknown, /-32602/);
    for (const principal of ["bob", undefined]) assert.equal(await bytesOf(method, taskId, principal, more), unknown);
    assert.doesNotMatch(await bytesOf(method, taskId, "alice", more), /-32602/);
  }
});

Deno.test("tasks 16 a task is gone when its time is over, and not before", async () => {
  const server = serverWith({ ttl: 150 }, new Promise(() => undefined));
  await using client = await testClient(server, SPEAKS);
  const slow = await handle(clientTasks.on(client).start("slow", { label: "x" }));
  const { createdAt, ttlMs } = await slow.status();
  assert.equal(ttlMs, 150);
  await assert.rejects(slow.result(), { code: -32602 });
  assert.ok(Date.now() >= Date.parse(createdAt) + 150);
  // Its work never ends by itself, and is given up a moment after the task is gone.
  await server.close();
});

Deno.test("tasks 04 in a revision with a handshake there are no tasks, whatever the client declares", async () => {
  for (const protocol of ["2025-11-25", "2025-06-18"] as const) {
    for (const options of [SPEAKS, { capabilities: DECLARED }, { capabilities: { ...DECLARED, tasks: {} } }]) {
      await using client = await testClient(serverWith(), { ...options, protocol, over: "stdio" });
      assert.equal(textOf(await client.callTool("slow", { label: "it" })), "Done with it");
      assert.equal((await client.callTool("needs_task")).isError, true);
      await assert.rejects(client.request("tasks/get", { taskId: "x" }), { code: -32601 });
    }
  }
});

Deno.test("a second server over the same store answers for a task, cancels it and hears of its answers", async () => {
  const store = memoryStore();
  const [first, second] = [serverWith({ store }), serverWith({ store })];
  await using one = await testClient(first, { ...SPEAKS, capabilities: { elicitation: { form: {} } } });
  await using two = await testClient(second, { ...SPEAKS, inputs: sure });
  const text = JSON.stringify(await handle(clientTasks.on(one).start("by_hand")));
  assert.equal(textOf(await clientTasks.on(two).task(JSON.parse(text)).result()), "by hand: accept");
  const deaf = await handle(clientTasks.on(one).start("deaf"));
  const elsewhere = clientTasks.on(two).task(deaf.id);
  await elsewhere.cancel();
  await assert.rejects(elsewhere.result(), TaskCancelledError);
});

Deno.test("work whose process died is reported as failed", async () => {
  const store = memoryStore();
  const gone = { taskId: "t", status: "working", createdAt: new Date().toISOString(), lastUpdatedAt: new Date().toISOString() };
  await store.set(["causeway", "tasks", "t"], {
    ...gone,
    ttlMs: 60_000,
    owner: "",
    instance: "dead",
    until: Date.now() + 60_000,
  });
  await using client = await testClient(serverWith({ store }), SPEAKS);
  const lost = clientTasks.on(client).task("t");
  await assert.rejects(lost.result(), { code: -32603, data: { reason: "stopped" } });
  assert.equal((await lost.status()).status, "failed");
});

Deno.test("the end of the server fails what runs", async () => {
  const store = memoryStore();
  const server = serverWith({ store }, new Promise(() => undefined)) as Server;
  const { result } = await callRaw(server, "tools/call", { name: "deaf" }, { name: "deaf", declared: DECLARED });
  await server.close();
  const after = serverWith({ store });
  const taskId = result?.taskId as string;
  const found = await callRaw(after, "tasks/get", { taskId }, { name: taskId, declared: DECLARED });
  assert.equal(found.result?.status, "failed");
});

Deno.test("defineServer refuses a tool with task when no extension serves tasks, and what is no option", () => {
  const slow = tool({ name: "slow", task: "optional", handler: () => "x" });
  const options = { name: "x", version: "1.0.0" };
  assert.throws(() => defineServer({ ...options, tools: [slow] }), /^TypeError: tools.slow.task: Expected tasks\(\)/);
  assert.throws(
    () => defineServer({ ...options, extensions: [tasks(), tasks()] }),
    /extensions\[1\]: The identifier .* is taken by extensions\[0\]/,
  );
  assert.throws(() => task(() => "x", { ttl: 0 }), /^TypeError: task.ttl/);
  assert.throws(() => tasks({ ttl: 0 }), /^TypeError: tasks.ttl/);
});
