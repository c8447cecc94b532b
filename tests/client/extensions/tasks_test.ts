import assert from "node:assert/strict";
import { connect } from "../../../client/connect.ts";
import { tasks } from "../../../client/extensions/tasks.ts";
import { ProtocolError, TransportError } from "../../../protocol/errors.ts";
import type { JsonObject } from "../../../protocol/types.ts";
import { connectInMemory } from "../../../transports/in_memory.ts";
import type { Transport } from "../../../transports/transport.ts";
import { DISCOVERED, scripted, text } from "../scripted.ts";
import type { Script, ScriptedServer } from "../scripted.ts";

const HANDLE: JsonObject = {
  resultType: "task",
  taskId: "t-1",
  status: "working",
  createdAt: "2026-01-01T00:00:00Z",
  lastUpdatedAt: "2026-01-01T00:00:00Z",
  ttlMs: 60_000,
  pollIntervalMs: 1,
};

/** A server that answers calls with a handle, and looks at the task in this order. */
function slow(looks: readonly (JsonObject | Error)[], rest: Script = () => HANDLE): ScriptedServer {
  let turn = 0;
  return scripted((request, info) => {
    if (request.method === "server/discover") {
      return { ...DISCOVERED, capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } } };
    }
    if (request.method === "tasks/update" || request.method === "tasks/cancel") return { resultType: "complete" };
    if (request.method !== "tasks/get") return rest(request, info);
    const look = looks[Math.min(turn++, looks.length - 1)] as JsonObject | Error;
    if (look instanceof Error) throw look;
    return { ...HANDLE, resultType: "complete", ...look };
  });
}

const DONE = { status: "completed", result: text("done") };

Deno.test("callTool looks until the task is done, declares the extension each time and cancels nothing", async () => {
  const server = slow([{}, { pollIntervalMs: 2 }, DONE]);
  const client = await connect(server, { extensions: [tasks] });
  assert.deepEqual((await client.callTool("x")).content, text("done").content);
  const sent = server.requests().map(({ method }) => method).filter((method) => method !== "subscriptions/listen");
  assert.deepEqual(sent, ["tools/call", "tasks/get", "tasks/get", "tasks/get"]);
  for (const { params } of server.requests()) {
    const meta = params?._meta as JsonObject;
    const declared = meta["io.modelcontextprotocol/clientCapabilities"] as JsonObject;
    assert.deepEqual(declared.extensions, { "io.modelcontextprotocol/tasks": {} });
  }
  await client.close();
});

Deno.test("tasks 17 a handle as the answer to anything but tools/call is no answer, and leads to no request about a task", async () => {
  const server = slow([DONE]);
  const client = await connect(server, { extensions: [tasks] });
  const isRefused = (error: unknown): boolean => error instanceof TransportError && error.reason === "not_mcp";
  await assert.rejects(client.getPrompt("p"), isRefused);
  await assert.rejects(client.readResource("x://y"), isRefused);
  await assert.rejects(client.complete({ prompt: "p" }, { name: "a", value: "" }), isRefused);
  await assert.rejects(client.listTools(), isRefused);
  await assert.rejects(client.request("com.example/ping"), isRefused);
  assert.equal(server.requests("tasks/get").length, 0);
  await client.close();
});

Deno.test("a handle is refused by a client that does not declare the extension, and when it is malformed", async () => {
  const bare = await connect(slow([DONE]));
  await assert.rejects(bare.callTool("x"), { reason: "not_mcp" });
  const { ttlMs: _ttl, ...rest } = HANDLE;
  const client = await connect(slow([DONE], () => rest), { extensions: [tasks] });
  await assert.rejects(client.callTool("x"), { reason: "not_mcp" });
  const other = await connect(slow([{ ...DONE, taskId: "t-2" }]), { extensions: [tasks] });
  await assert.rejects(other.callTool("x"), /it is of another task/);
  for (const one of [bare, client, other]) await one.close();
});

Deno.test("tasks 18 the same question is not asked twice, and answered once", async () => {
  const form = { method: "elicitation/create", params: { message: "?", requestedSchema: { type: "object", properties: {} } } };
  const asks = { status: "input_required", inputRequests: { a: form } };
  const both = { status: "input_required", inputRequests: { a: form, b: form } };
  const server = slow([asks, asks, both, {}, DONE]);
  const seen: string[] = [];
  const client = await connect(server, {
    extensions: [tasks],
    inputs: { form: (_params, { key }) => (seen.push(key), { action: "accept", content: {} }) },
  });
  await client.callTool("x");
  assert.deepEqual(seen, ["a", "b"]);
  assert.deepEqual(server.requests("tasks/update").map(({ params }) => Object.keys(params?.inputResponses as object)), [["a"], [
    "b",
  ]]);
  await client.close();
});

Deno.test("tasks 18 a failed task is thrown as the error that it failed with, and an unknown one ends the waiting", async () => {
  const failed = { status: "failed", error: { code: 7, message: "No", data: [1] } };
  const client = await connect(slow([failed]), { extensions: [tasks] });
  await assert.rejects(client.callTool("x"), { kind: "protocol", code: 7, data: [1] });
  const gone = slow([new ProtocolError(-32602, "Unknown")]);
  const second = await connect(gone, { extensions: [tasks] });
  await assert.rejects(second.callTool("x"), { code: -32602 });
  assert.equal(gone.requests("tasks/get").length, 1);
  for (const one of [client, second]) await one.close();
});

Deno.test("the total time of a call ends the waiting, not the task, and tells the id", async () => {
  const server = slow([{}]);
  const client = await connect(server, { extensions: [tasks] });
  await assert.rejects(client.callTool("x", {}, { totalTimeout: 100 }), (error) => {
    assert.ok(error instanceof TransportError);
    assert.deepEqual(error.data, { limit: "requestTotalTimeout", taskId: "t-1" });
    return true;
  });
  assert.equal(server.requests("tasks/cancel").length, 0);
  await client.close();
});

Deno.test("start gives the handle, whose JSON another client takes up", async () => {
  const client = await connect(slow([{}]), { extensions: [tasks] });
  const handle = await tasks.on(client).start("x", { a: 1 });
  const json = JSON.stringify(handle);
  assert.equal(json, '{"taskId":"t-1"}');
  const later = await connect(slow([{}, DONE]), { extensions: [tasks] });
  assert.deepEqual((await tasks.on(later).task(JSON.parse(json)).result()).content, text("done").content);
  const direct = await connect(slow([DONE], () => text("at once")), { extensions: [tasks] });
  assert.ok("content" in await tasks.on(direct).start("x"));
  for (const one of [client, later, direct]) await one.close();
});

Deno.test("tasks.on refuses a client without the extension, and task what is no id", async () => {
  const bare = await connect(slow([DONE]));
  assert.throws(() => tasks.on(bare), /connected with extensions: \[tasks\]/);
  const client = await connect(slow([DONE]), { extensions: [tasks] });
  assert.throws(() => tasks.on(client).task(""), TypeError);
  for (const one of [bare, client]) await one.close();
});

/** A connection on which the looks numbered here are lost. */
function losing(server: ScriptedServer, lost: (look: number) => boolean): Transport {
  const inner = connectInMemory(server);
  let looks = 0;
  return {
    incoming: inner.incoming,
    send: (...args) => inner.send(...args),
    close: () => inner.close(),
    exchange: (request, options) => {
      if (request.method === "tasks/get" && lost(++looks)) throw new TransportError("unreachable", "Connecting: nobody is there");
      return inner.exchange(request, options);
    },
  };
}

Deno.test("tasks 18 the pause between two looks is the one that the server said last", async () => {
  const at: number[] = [];
  const server = slow([{ pollIntervalMs: 400 }, { pollIntervalMs: 60 }, DONE], (request) => {
    if (request.method === "subscriptions/listen") throw new ProtocolError(-32601, "Method not found");
    return HANDLE;
  });
  const client = await connect(server, {
    extensions: [tasks],
    use: [(request, next) => {
      if (request.method === "tasks/get") at.push(performance.now());
      return next();
    }],
  });
  await client.callTool("x");
  const [first = 0, second = 0, third = 0] = at;
  // Pauses are never shorter; how much longer they are depends on the machine.
  assert.ok(second - first > 390, `${second - first} ms`);
  assert.ok(third - second > 50, `${third - second} ms`);
  assert.ok(third - second < second - first, `${third - second} ms after ${second - first} ms`);
  await client.close();
});

Deno.test("tasks 19 a look that is lost is made again, so many times in a row, and an answer ends the wait", async () => {
  const server = slow([{}, DONE]);
  const client = await connect(losing(server, (look) => look < 5 || look === 6), { extensions: [tasks] });
  assert.deepEqual((await client.callTool("x")).content, text("done").content);
  assert.deepEqual(server.requests("tasks/get").map(({ params }) => params?.taskId), ["t-1", "t-1"]);
  let looks = 0;
  const gone = await connect(losing(server, () => ++looks > 0), { extensions: [tasks] });
  await assert.rejects(gone.callTool("x"), { reason: "unreachable" });
  assert.equal(looks, 6);
  const unknown = slow([{}, new ProtocolError(-32602, "Unknown")]);
  const second = await connect(unknown, { extensions: [tasks] });
  await assert.rejects(second.callTool("x"), { code: -32602 });
  assert.equal(unknown.requests("tasks/get").length, 2);
  for (const one of [client, gone, second]) await one.close();
});
