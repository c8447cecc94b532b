/** Tasks whose server tells of them, over every carrier, and what instances that share a store tell. */
import assert from "node:assert/strict";
import { defineServer, textOf, tool } from "../../mod.ts";
import { tasks as clientTasks } from "../../client/extensions/tasks.ts";
import type { JsonObject, Progress, Server } from "../../mod.ts";
import { tasks } from "../../server/extensions/tasks.ts";
import type { TasksOptions } from "../../server/extensions/tasks.ts";
import { memoryStore } from "../../server/stores/memory.ts";
import { testClient } from "../../testing.ts";
import type { TestClient } from "../../testing.ts";
import { until } from "../until.ts";

/** A server with one tool that ends when it is told to, and how to tell it. */
function gated(options: TasksOptions = {}, subscriptions = 16): { readonly server: Server; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => open = resolve);
  const server = defineServer({
    name: "gated",
    version: "1.0.0",
    limits: { subscriptions },
    tools: [tool({
      name: "wait",
      task: "optional",
      handler: async (_args, ctx) => {
        await ctx.progress(1, 2, "Half way");
        await opened;
        await ctx.progress(2, 2, "All the way");
        return "done";
      },
    })],
    extensions: [tasks({ pollInterval: 60, ...options })],
  });
  return { server, open };
}

/** The messages of one method. */
function sent({ wire }: TestClient<Server>, method: string): readonly JsonObject[] {
  return wire.map(({ message }) => message as unknown as JsonObject).filter((message) => message.method === method);
}

const SOON = { totalTimeout: 10_000 };
const SPEAKS = { extensions: [clientTasks] };

Deno.test("a server that tells of a task is asked no more, over every carrier; one that can not is asked to the end", async () => {
  for (const over of ["memory", "http", "stdio"] as const) {
    const told = gated();
    await using client = await testClient(told.server, { ...SPEAKS, over });
    const call = client.callTool("wait", {}, SOON);
    await until(() => sent(client, "notifications/tasks").length > 0);
    const looks = sent(client, "tasks/get").length;
    // Time for five looks.
    await new Promise((resolve) => setTimeout(resolve, 300));
    told.open();
    assert.equal(textOf(await call), "done");
    // One may have been under way when the first notification came.
    assert.ok(sent(client, "tasks/get").length <= looks + 1, over);

    const full = gated({}, 0);
    await using second = await testClient(full.server, { ...SPEAKS, over });
    const asking = second.callTool("wait", {}, SOON);
    await until(() => sent(second, "tasks/get").length >= 5);
    full.open();
    assert.equal(textOf(await asking), "done");
    assert.equal(sent(second, "notifications/tasks").length, 0);
  }
});

Deno.test("ten calls over one connection are told on one stream", async () => {
  const { server, open } = gated();
  await using client = await testClient(server, { ...SPEAKS, over: "http" });
  const calls = Array.from({ length: 10 }, () => client.callTool("wait", {}, SOON));
  const named = (): unknown[] => sent(client, "notifications/tasks").map(({ params }) => (params as JsonObject).taskId);
  await until(() => new Set(named()).size === 10);
  open();
  for (const result of await Promise.all(calls)) assert.equal(textOf(result), "done");
  assert.equal(sent(client, "subscriptions/listen").length, 1);
});

Deno.test("instances that share a store, though no bus, tell of each other's tasks", async () => {
  const store = memoryStore();
  const [runs, tells] = [gated({ store }), gated({ store })];
  await using one = await testClient(runs.server, SPEAKS);
  await using two = await testClient(tells.server, SPEAKS);
  const started = await clientTasks.on(one).start("wait");
  assert.ok("toJSON" in started);
  const result = clientTasks.on(two).task(started.toJSON()).result(SOON);
  await until(() => sent(two, "notifications/tasks").length > 0);
  // Time for a look at what did not change.
  await new Promise((resolve) => setTimeout(resolve, 1300));
  runs.open();
  assert.equal(textOf(await result), "done");
  // What did not change in between was not told again.
  const states = sent(two, "notifications/tasks").map(({ params }) => {
    const { lastUpdatedAt, status } = params as JsonObject;
    return `${lastUpdatedAt} ${status}`;
  });
  assert.equal(new Set(states).size, states.length);
});

Deno.test("onProgress hears nothing of a task, whose text is the status message, the first one at once", async () => {
  const { server, open } = gated();
  await using client = await testClient(server, SPEAKS);
  const heard: Progress[] = [];
  const call = client.callTool("wait", {}, { ...SOON, onProgress: (progress) => void heard.push(progress) });
  const messages = (): unknown[] => sent(client, "notifications/tasks").map(({ params }) => (params as JsonObject).statusMessage);
  await until(() => messages().includes("Half way"));
  open();
  await call;
  assert.deepEqual(heard, []);
  assert.equal(sent(client, "notifications/progress").length, 0);
  // The end comes at once, and has no message of the middle.
  assert.equal(messages().at(-1), undefined);
  for (const method of ["tasks/get", "subscriptions/listen"]) {
    for (const { params } of sent(client, method)) {
      assert.ok(!("progressToken" in ((params as JsonObject)._meta as JsonObject)), method);
    }
  }
});
