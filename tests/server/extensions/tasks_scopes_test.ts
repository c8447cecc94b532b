/** Tests of tasks whose tools have scopes: what a call needs, everything about its task needs too. */
import assert from "node:assert/strict";
import { connect } from "../../../client/connect.ts";
import { tasks as clientTasks } from "../../../client/extensions/tasks.ts";
import { textOf } from "../../../protocol/text_of.ts";
import { parseChallenges } from "../../../protocol/auth/challenge.ts";
import { ask } from "../../../server/input/ask.ts";
import { bearer } from "../../../server/auth/mod.ts";
import { task, tasks, TASKS_ID } from "../../../server/extensions/tasks.ts";
import { defineServer } from "../../../server/server.ts";
import { memoryStore } from "../../../server/stores/memory.ts";
import type { Store } from "../../../server/stores/store.ts";
import { tool } from "../../../server/components/tool.ts";
import { ALL_CAPABILITIES, httpRequest, metaOfClient, post, request } from "../wire.ts";
import type { Json, Reply } from "../wire.ts";
import { until } from "../../until.ts";

/** A token is `principal~scope.scope`. */
const auth = bearer({
  resource: "https://mcp.example/mcp",
  authorizationServers: ["https://as.example"],
  scopes: ["mcp"],
  covers: (granted, needed) => needed.every((scope) => granted.includes(scope) || granted.includes("admin")),
  verify: (token) => {
    const [principal = "", scopes = ""] = token.split("~");
    return { principal, scopes: scopes.split("."), claims: {} };
  },
});

const ended: unknown[] = [];
const question = ask.form("Go on?", { yes: { type: "boolean" } });
const TOOLS = [
  tool({
    name: "report",
    scopes: ["read", "report"],
    task: "optional",
    handler: async (_args, ctx) => {
      ctx.signal.addEventListener("abort", () => ended.push("aborted"));
      const { go } = await ctx.ask({ go: question });
      return `went on: ${go.action}`;
    },
  }),
  tool({ name: "chosen", scopes: ["read"], handler: () => task(() => new Promise<string>(() => undefined)) }),
  tool({ name: "open", task: "optional", handler: () => new Promise<string>(() => undefined) }),
];

function serverWith(store?: Store) {
  return defineServer({ name: "s", version: "1", auth, tools: TOOLS, extensions: [tasks({ store, pollInterval: 1 })] });
}

const META = metaOfClient({ ...ALL_CAPABILITIES, extensions: { [TASKS_ID]: {} } });

function send(server: ReturnType<typeof serverWith>, token: string, method: string, params: Json): Promise<Reply> {
  const name = params.taskId === undefined ? {} : { "mcp-name": params.taskId };
  return post(server, request(method, params, META), { authorization: `Bearer ${token}`, ...name });
}

/** The scopes that a refusal names. */
function needed(reply: Reply): string {
  assert.equal(reply.status, 403, reply.text);
  const [challenge] = parseChallenges(reply.headers.get("www-authenticate") as string);
  assert.equal(challenge?.params.get("error"), "insufficient_scope");
  assert.equal(reply.error.code, -32600);
  assert.ok(!("result" in reply.last));
  return challenge?.params.get("scope") as string;
}

const FULL = "alice~mcp.read.report";

async function begin(server: ReturnType<typeof serverWith>, name: string, token = FULL): Promise<string> {
  const { result } = await send(server, token, "tools/call", { name, arguments: {} });
  assert.equal(result.resultType, "task");
  return result.taskId;
}

const METHODS: readonly (readonly [string, Json])[] = [
  ["tasks/get", {}],
  ["tasks/update", { inputResponses: { go: { action: "accept", content: { yes: true } } } }],
  ["tasks/cancel", {}],
];

Deno.test("a task asks for the scopes of its tool, all at once, whoever serves it from the store (M-AUTH-097, M-AUTH-098, M-AUTH-099)", async () => {
  const store = memoryStore();
  const [first, second] = [serverWith(store), serverWith(store)];
  const report = await begin(first, "report");
  const chosen = await begin(first, "chosen");
  for (const server of [first, second]) {
    for (const [method, more] of METHODS) {
      assert.equal(needed(await send(server, "alice~mcp", method, { taskId: report, ...more })), "mcp read report");
      assert.equal(needed(await send(server, "alice~mcp.read", method, { taskId: report, ...more })), "mcp read report");
      assert.equal(needed(await send(server, "alice~mcp.report", method, { taskId: chosen, ...more })), "mcp read");
      // Without the scopes of the server nothing is looked at.
      assert.equal(needed(await send(server, "alice~read.report", method, { taskId: report, ...more })), "mcp");
    }
  }
  // Nothing of it had an effect, and nothing shows the scopes.
  const looked = await send(second, FULL, "tasks/get", { taskId: report });
  assert.match(looked.result.status, /^(?:working|input_required)$/);
  assert.doesNotMatch(looked.text, /"scopes"|"owner"/);
  assert.deepEqual(ended, []);
  for (const server of [first, second]) await server.close();
});

Deno.test("somebody else's task is none, with whatever scopes, and the own one goes on with enough of them", async () => {
  const server = serverWith();
  const taskId = await begin(server, "report");
  for (const [method, more] of METHODS) {
    for (const token of ["bob~mcp", "bob~mcp.read.report", "bob~mcp.admin"]) {
      const { status, error } = await send(server, token, method, { taskId, ...more });
      assert.deepEqual([status === 403, error.code, error.message], [false, -32602, "Invalid params: no such task"]);
    }
  }
  const status = async (token: string): Promise<Json> => (await send(server, token, "tasks/get", { taskId })).result;
  await until(async () => (await status(FULL)).status === "input_required");
  const [key = ""] = Object.keys((await status("alice~mcp.admin")).inputRequests);
  const inputResponses = { [key]: { action: "decline" } };
  needed(await send(server, "alice~mcp.read", "tasks/update", { taskId, inputResponses }));
  assert.equal((await status(FULL)).status, "input_required");
  assert.equal((await send(server, FULL, "tasks/update", { taskId, inputResponses })).status, 200);
  await until(async () => (await status(FULL)).status === "completed");
  assert.match(JSON.stringify(await status(FULL)), /went on: decline/);
  const open = await begin(server, "open", "alice~mcp");
  assert.equal((await send(server, "alice~mcp", "tasks/cancel", { taskId: open })).status, 200);
  await server.close();
});

Deno.test("tasks 14 a change stream tells of no task of somebody else, or whose scopes its caller lacks", async () => {
  const server = serverWith();
  const [report, open] = [await begin(server, "report"), await begin(server, "open")];
  const accepted = async (token: string): Promise<unknown> => {
    const listen = request("subscriptions/listen", { notifications: { taskIds: [report, open] } }, META);
    const response = await server.fetch(httpRequest(listen, { authorization: `Bearer ${token}` }));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const text = new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    return JSON.parse(text.slice(text.indexOf("{"))).params.notifications.taskIds;
  };
  assert.deepEqual(await accepted(FULL), [report, open]);
  assert.deepEqual(await accepted("alice~mcp.read"), [open]);
  assert.deepEqual(await accepted("bob~mcp.read.report"), []);
  await server.close();
});

Deno.test("in process tasks with scopes ask nobody who was not named, and a named caller as everywhere", async () => {
  const done = tool({ name: "done", scopes: ["read"], task: "optional", handler: () => "done" });
  const server = defineServer({ name: "s", version: "1", tools: [done], extensions: [tasks({ pollInterval: 1 })] });
  const anonymous = await connect(server, { extensions: [clientTasks] });
  assert.equal(textOf(await anonymous.callTool("done")), "done");
  await anonymous.close();
  for (const [scopes, allowed] of [[["read"], true], [[], false]] as const) {
    const client = await connect(server, { extensions: [clientTasks], auth: { principal: "alice", scopes, claims: {} } });
    if (allowed) assert.equal(textOf(await client.callTool("done")), "done");
    else {await assert.rejects(client.callTool("done"), {
        code: -32600,
        data: { reason: "insufficient_scope", scopes: ["read"] },
      });}
    await client.close();
  }
  await server.close();
});
