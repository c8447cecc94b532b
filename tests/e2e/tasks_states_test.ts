/** Tasks as the wire shows them: what is declared and answered, how they end, and that they stay ended. */
import assert from "node:assert/strict";
import { defineServer, ProtocolError, tool, ToolError } from "../../mod.ts";
import type { JsonObject, Server } from "../../mod.ts";
import { tasks } from "../../server/extensions/tasks.ts";
import { memoryStore } from "../../server/stores/memory.ts";
import type { Store } from "../../server/stores/store.ts";
import { callRaw } from "./extension_calls.ts";

const DECLARED = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const QUESTION = { ok: { type: "boolean", required: true } } as const;
const DONE = { action: "accept", content: { ok: true } };

interface Site {
  readonly server: Server;
  readonly aborted: string[];
  /** Ends the handler that pays no heed to its signal. */
  readonly release: () => void;
  readonly released: Promise<void>;
}

function site(store?: Store): Site {
  const aborted: string[] = [];
  let release = (): void => undefined;
  const opened = new Promise<void>((resolve) => release = resolve);
  let over = (): void => undefined;
  const released = new Promise<void>((resolve) => over = resolve);
  const failing = (name: string, error: () => unknown) =>
    tool({
      name,
      task: "optional",
      handler: () => {
        throw error();
      },
    });
  const server = defineServer({
    name: "s",
    version: "1.0.0",
    tools: [
      tool({ name: "quick", task: "optional", handler: () => "quick" }),
      tool({
        name: "asks",
        task: "optional",
        handler: async (_args, ctx) => {
          ctx.signal.addEventListener("abort", () => aborted.push("asks"));
          return `asked: ${(await ctx.elicit("Sure?", QUESTION, { key: "sure" })).action}`;
        },
      }),
      tool({
        name: "deaf",
        task: "optional",
        handler: async (_args, ctx) => {
          ctx.signal.addEventListener("abort", () => aborted.push("deaf"));
          await opened;
          over();
          return "late";
        },
      }),
      failing("refused", () => new ProtocolError(1234, "Broken on purpose", { data: { why: "test" } })),
      failing("told", () => new ToolError("It went wrong")),
      failing("thrown", () => new Error("A secret")),
    ],
    extensions: [tasks({ store, pollInterval: 60 })],
    onError: () => undefined,
  });
  return { server, aborted, release, released };
}

const CAPABLE = { ...DECLARED, elicitation: { form: {} } };

async function begin(server: Server, name: string): Promise<string> {
  const { result } = await callRaw(server, "tools/call", { name }, { name, declared: CAPABLE });
  assert.equal(result?.resultType, "task");
  return result.taskId as string;
}

async function ask(server: Server, method: string, taskId: string, more: JsonObject = {}): Promise<JsonObject> {
  const { result, error } = await callRaw(server, method, { taskId, ...more }, { name: taskId, declared: CAPABLE });
  assert.ok(result !== undefined, JSON.stringify(error));
  return result;
}

async function reached(server: Server, taskId: string, status: string): Promise<JsonObject> {
  for (;;) {
    const task = await ask(server, "tasks/get", taskId);
    if (task.status === status) return task;
    assert.match(task.status as string, /^(?:working|input_required)$/);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

Deno.test("tasks 01 server/discover declares the extension with nothing in it, and no tasks of 2025-11-25", async () => {
  const { server } = site();
  const { result } = await callRaw(server, "server/discover", {}, { declared: DECLARED });
  const capabilities = result?.capabilities as JsonObject;
  assert.deepEqual((capabilities.extensions as JsonObject)["io.modelcontextprotocol/tasks"], {});
  assert.ok(!("tasks" in capabilities));
});

Deno.test("tasks 06 the handle of one instance is found at once by another one over the same store", async () => {
  // A store that takes its time: whoever answers before it has the task answers too early.
  const kept = memoryStore();
  const store: Store = {
    ...kept,
    get: (key) => kept.get(key),
    delete: (key) => kept.delete(key),
    list: (prefix) => kept.list(prefix),
    set: async (key, value, options) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return await kept.set(key, value, options);
    },
  };
  const [first, second] = [site(store), site(store)];
  for (let at = 0; at < 3; at++) {
    const taskId = await begin(first.server, "quick");
    assert.equal((await ask(second.server, "tasks/get", taskId)).taskId, taskId);
  }
});

Deno.test("tasks 07 tasks/get, tasks/update and tasks/cancel answer as complete, and the last two say nothing of the task", async () => {
  const { server } = site();
  const taskId = await begin(server, "asks");
  const shown = await reached(server, taskId, "input_required");
  assert.equal(shown.resultType, "complete");
  for (const [method, more] of [["tasks/update", { inputResponses: { other: DONE } }], ["tasks/cancel", {}]] as const) {
    for (const _ of ["open", "ended"]) {
      const { _meta, ...answer } = await ask(server, method, taskId, more);
      assert.deepEqual(answer, { resultType: "complete" });
      if (method === "tasks/cancel") await reached(server, taskId, "cancelled");
    }
  }
});

Deno.test("tasks 09 what has ended stays as it is: results, answers and ends that come late are passed over", async () => {
  const { server, release, released } = site();
  const deaf = await begin(server, "deaf");
  await ask(server, "tasks/cancel", deaf);
  const cancelled = await reached(server, deaf, "cancelled");
  release();
  await released;
  const asks = await begin(server, "asks");
  await reached(server, asks, "input_required");
  await ask(server, "tasks/cancel", asks);
  const unasked = await reached(server, asks, "cancelled");
  await ask(server, "tasks/update", asks, { inputResponses: { sure: DONE } });
  const quick = await begin(server, "quick");
  const done = await reached(server, quick, "completed");
  // A change would show in its date.
  await new Promise((resolve) => setTimeout(resolve, 50));
  await ask(server, "tasks/cancel", quick);
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const [id, task] of [[deaf, cancelled], [asks, unasked], [quick, done]] as const) {
    assert.deepEqual(await ask(server, "tasks/get", id), task);
  }
});

Deno.test("tasks 09 a task that another instance took for dead does not end a second time", async () => {
  const store = memoryStore();
  const [first, second] = [site(store), site(store)];
  const taskId = await begin(first.server, "deaf");
  // The sign of life is lost: a pause of the process, for example.
  for await (const { key } of store.list(["causeway", "task-instances"])) await store.delete(key);
  const failed = await reached(second.server, taskId, "failed");
  assert.deepEqual((failed.error as JsonObject).data, { reason: "stopped" });
  first.release();
  await first.released;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(await ask(first.server, "tasks/get", taskId), failed);
});

Deno.test("tasks 10 whatever a handler throws ends the task as it would have ended the call", async () => {
  const { server } = site();
  for (const [name, status] of [["refused", "failed"], ["told", "completed"], ["thrown", "failed"]] as const) {
    const direct = await callRaw(server, "tools/call", { name }, { name });
    const task = await reached(server, await begin(server, name), status);
    if (status === "completed") {
      assert.equal((task.result as JsonObject).isError, true);
      assert.deepEqual((task.result as JsonObject).content, direct.result?.content);
      continue;
    }
    const error = task.error as JsonObject;
    assert.deepEqual([error.code, error.message], [direct.error?.code, direct.error?.message]);
    assert.deepEqual(Object.keys(error.data as JsonObject), Object.keys(direct.error?.data ?? {}));
    assert.equal(task.statusMessage, error.message);
    assert.ok(!("result" in task) && !JSON.stringify(task).includes("secret"));
  }
});

Deno.test("tasks 12 tasks/cancel may come again and again, and aborts the signal of the handler once", async () => {
  const { server, aborted, release } = site();
  for (const name of ["asks", "deaf"]) {
    const taskId = await begin(server, name);
    for (let at = 0; at < 3; at++) await ask(server, "tasks/cancel", taskId);
    await reached(server, taskId, "cancelled");
    await ask(server, "tasks/cancel", taskId);
  }
  assert.deepEqual(aborted, ["asks", "deaf"]);
  release();
});
