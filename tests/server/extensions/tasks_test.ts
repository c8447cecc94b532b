import assert from "node:assert/strict";
import { connect } from "../../../client/connect.ts";
import { tasks as clientTasks } from "../../../client/extensions/tasks.ts";
import { textOf } from "../../../protocol/text_of.ts";
import { around } from "../../../server/middleware/around.ts";
import { task, tasks } from "../../../server/extensions/tasks.ts";
import { prompt } from "../../../server/components/prompt.ts";
import { resource } from "../../../server/components/resource.ts";
import { defineServer } from "../../../server/server.ts";
import { memoryStore } from "../../../server/stores/memory.ts";
import { MemoryStore } from "../../../server/stores/memory_store.ts";
import { tool } from "../../../server/components/tool.ts";
import { later } from "../../later.ts";
import { until } from "../../until.ts";

const forever = tool({ name: "forever", task: "optional", handler: () => new Promise<string>(() => undefined) });
const quick = tool({ name: "quick", task: "optional", handler: () => "quick" });
const INFO = { name: "x", version: "1.0.0" };

Deno.test("10,000 tasks that were made, looked at and expired leave nothing behind", async () => {
  const store = new MemoryStore(20_000);
  const extension = tasks({ store, ttl: 60_000, pollInterval: 1, maxRunning: 1000 });
  const server = defineServer({
    ...INFO,
    tools: [quick],
    extensions: [extension],
    limits: { handlers: 256, handlerQueue: 10_000 },
  });
  const client = await connect(server, { extensions: [clientTasks] });
  for (let made = 0; made < 10_000; made += 500) {
    const handles = await Promise.all(Array.from({ length: 500 }, () => clientTasks.on(client).start("quick")));
    const looked = await Promise.all(handles.map((handle) => "status" in handle ? handle.status() : undefined));
    assert.ok(looked.every((one) => one !== undefined));
  }
  assert.ok(store.size >= 10_000, `${store.size} entries`);
  // A store forgets while it is written to.
  await later(60_000, async () => {
    for (let at = 0; at < 20_001; at++) await store.set(["other"], at);
  });
  assert.ok(store.size <= 2, `${store.size} entries`);
  await client.close();
  await server.close();
});

Deno.test("tasks bounds what runs, and a store that is full is an error without a handle", async () => {
  const bounded = defineServer({ ...INFO, tools: [forever], extensions: [tasks({ maxRunning: 1 })] });
  const client = await connect(bounded, { extensions: [clientTasks] });
  await clientTasks.on(client).start("forever");
  await assert.rejects(async () => await clientTasks.on(client).start("forever"), {
    code: -32603,
    data: { reason: "capacity_reached", limit: "maxRunning", value: 1 },
  });
  const full = defineServer({ ...INFO, tools: [quick], extensions: [tasks({ store: memoryStore({ maxEntries: 1 }) })] });
  const second = await connect(full, { extensions: [clientTasks] });
  await assert.rejects(async () => await clientTasks.on(second).start("quick"), { code: -32603 });
  for (const one of [client, second]) await one.close();
  for (const one of [bounded, full]) await one.close();
});

Deno.test("a store that never answers fails by name, and leaves no place of the server taken", async () => {
  for (const hung of ["set", "get"] as const) {
    const store = memoryStore();
    const errors: unknown[] = [];
    const never = (): Promise<never> => new Promise<never>(() => undefined);
    let hangs = false;
    const given = {
      get: (key: readonly string[]) => hangs && hung === "get" ? never() : store.get(key),
      set: (...args: Parameters<typeof store.set>) => hangs && hung === "set" ? never() : store.set(...args),
      delete: (key: readonly string[]) => store.delete(key),
      list: (prefix: readonly string[]) => store.list(prefix),
    };
    const server = defineServer({
      ...INFO,
      tools: [quick, tool({ name: "plain", handler: () => "plain" })],
      extensions: [tasks({ store: given, storeTimeout: 50, maxRunning: 1 })],
      limits: { handlers: 1, handlerQueue: 0 },
      onError: (error) => errors.push(error),
    });
    const client = await connect(server, { extensions: [clientTasks] });
    hangs = true;
    for (let round = 0; round < 2; round++) {
      const asked = hung === "set"
        ? clientTasks.on(client).start("quick")
        : clientTasks.on(client).task({ taskId: "x" }).status();
      await assert.rejects(async () => await asked, { code: -32603, message: "Internal error" });
      assert.match(String(errors[round]), /: the store gave no answer within 50 ms \(option storeTimeout of tasks\)$/);
    }
    assert.equal(textOf(await client.callTool("plain")), "plain");
    hangs = false;
    assert.equal(textOf(await client.callTool("quick")), "quick");
    await client.close();
    await server.close();
  }
});

Deno.test("middleware sees the handle, and can not make one", async () => {
  const seen: unknown[] = [];
  const watching = defineServer({
    ...INFO,
    tools: [quick],
    extensions: [tasks({ pollInterval: 1 })],
    use: [around("tools/call", async (_call, next) => {
      const result = await next() as { readonly resultType: string };
      seen.push(result.resultType);
      return { ...result } as never;
    })],
  });
  const client = await connect(watching, { extensions: [clientTasks] });
  assert.equal(textOf(await client.callTool("quick")), "quick");
  assert.deepEqual(seen, ["task"]);
  const forging = defineServer({
    ...INFO,
    tools: [tool({ name: "quick", handler: () => "quick" })],
    use: [around("tools/call", () => ({ resultType: "task" }) as never)],
  });
  const second = await connect(forging, { extensions: [clientTasks] });
  await assert.rejects(second.callTool("quick"), { code: -32603 });
  for (const one of [client, second]) await one.close();
});

Deno.test("a tool may be mounted with its task, and its output is checked in the task", async () => {
  const typed = tool({
    name: "typed",
    task: "optional",
    output: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    handler: () => ({ n: 1 }),
  });
  const wrong = tool({ name: "wrong", output: { type: "object", required: ["n"] }, handler: () => task(() => ({ m: 1 })) });
  const inner = defineServer({ ...INFO, tools: [typed, wrong], extensions: [tasks()] });
  const outer = defineServer({ ...INFO, extensions: [tasks({ pollInterval: 1 })] }).mount(inner, { prefix: "in_" });
  const client = await connect(outer, { extensions: [clientTasks] });
  assert.deepEqual((await client.callTool("in_typed")).structuredContent, { n: 1 });
  await assert.rejects(client.callTool("in_wrong"), { code: -32603 });
  await client.close();
});

Deno.test("progress of a task is its status message, and sends nothing", async () => {
  let go = (): void => undefined;
  const gate = new Promise<void>((resolve) => go = resolve);
  const telling = tool({
    name: "telling",
    task: "required",
    handler: async (_args, ctx) => {
      await ctx.progress(1, 2, "Half way");
      await ctx.log("error", "Nobody hears this");
      await gate;
      return "done";
    },
  });
  const server = defineServer({ ...INFO, tools: [telling], extensions: [tasks({ pollInterval: 20 })] });
  const client = await connect(server, { extensions: [clientTasks] });
  const handle = await clientTasks.on(client).start("telling");
  assert.ok("updates" in handle);
  for await (const { statusMessage, status } of handle.updates()) {
    if (statusMessage === "Half way") go();
    if (status === "completed") assert.equal(statusMessage, undefined);
  }
  await client.close();
});

Deno.test("the first status message is kept at once, the newest before a question, and those between when their turn comes", async () => {
  const store = memoryStore();
  const message = async (): Promise<unknown> => {
    for await (const { value } of store.list(["causeway", "tasks"])) {
      return (value as { readonly statusMessage?: string }).statusMessage;
    }
  };
  const seen: unknown[] = [];
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
  const telling = tool({
    name: "telling",
    task: "required",
    handler: async (_args, ctx) => {
      for (const [at, word] of ["one", "two", "three"].entries()) {
        await ctx.progress(at, 3, word);
        await pause();
        if (at === 0) seen.push(await message());
      }
      await ctx.elicit("Go on?", {});
      return "done";
    },
  });
  const server = defineServer({ ...INFO, tools: [telling], extensions: [tasks({ store, pollInterval: 1 })] });
  const form = async () => {
    seen.push(await message());
    return { action: "decline" } as const;
  };
  const client = await connect(server, { extensions: [clientTasks], inputs: { form } });
  assert.equal(textOf(await client.callTool("telling")), "done");
  assert.deepEqual(seen, ["one", "three"]);
  await client.close();
});

Deno.test("an ending that the store did not take is written when the store is well again", async () => {
  const kept = memoryStore();
  const reported: unknown[] = [];
  let failures = 1;
  const flaky = {
    ...kept,
    get: kept.get.bind(kept),
    delete: kept.delete.bind(kept),
    list: kept.list.bind(kept),
    set: (...given: Parameters<typeof kept.set>) => {
      const { status } = given[1] as { readonly status?: string };
      if (status === "completed" && failures-- > 0) return Promise.reject(new Error("The store is not there"));
      return kept.set(...given);
    },
  };
  const extensions = [tasks({ store: flaky, pollInterval: 50 })];
  const server = defineServer({ ...INFO, tools: [quick], extensions, onError: (error) => void reported.push(error) });
  const client = await connect(server, { extensions: [clientTasks] });
  assert.equal(textOf(await client.callTool("quick")), "quick");
  assert.deepEqual(reported.map((error) => (error as Error).message), ["The store is not there"]);
  failures = 1;
  await clientTasks.on(client).start("quick");
  await until(() => failures < 1);
  await client.close();
  // The end of a server does not wait for a store that is not there.
  await server.close();
});

Deno.test("a task whose store takes longer than its caller waits does not begin", async () => {
  const kept = memoryStore();
  const gate = Promise.withResolvers<void>();
  let began = 0;
  const slow = {
    get: kept.get.bind(kept),
    delete: kept.delete.bind(kept),
    list: kept.list.bind(kept),
    set: async (...given: Parameters<typeof kept.set>) => {
      if (typeof given[1] === "object") await gate.promise;
      return await kept.set(...given);
    },
  };
  const counted = tool({ name: "counted", task: "optional", timeout: 50, handler: () => `${++began}` });
  const extensions = [tasks({ store: slow, maxRunning: 1 })];
  const server = defineServer({ ...INFO, tools: [counted, quick], extensions });
  const client = await connect(server, { extensions: [clientTasks] });
  await assert.rejects(async () => await clientTasks.on(client).start("counted"), { code: -32603 });
  gate.resolve();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(began, 0);
  // Its place is free again.
  assert.equal(textOf(await client.callTool("quick")), "quick");
  await client.close();
  await server.close();
});

Deno.test("a prompt and a resource can not go on as a task, and say so", async () => {
  const reported: string[] = [];
  const never = (): never => assert.fail("The work ran");
  const server = defineServer({
    ...INFO,
    prompts: [prompt({ name: "p", render: () => task(never) })],
    resources: [resource({ uri: "test://r", name: "r", read: () => task(never) })],
    extensions: [tasks()],
    onError: (error) => void reported.push(String(error)),
  });
  const client = await connect(server, { extensions: [clientTasks] });
  await assert.rejects(client.getPrompt("p"), { code: -32603 });
  await assert.rejects(client.readResource("test://r"), { code: -32603 });
  assert.deepEqual(reported, [
    "TypeError: prompts/get: Only a tool can go on as a task",
    "TypeError: resources/read: Only a tool can go on as a task",
  ]);
  await client.close();
});
