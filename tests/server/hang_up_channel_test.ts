/** Tests of what becomes of a call that is given up over a byte pipe and in process. */
import assert from "node:assert/strict";
import { connect } from "../../client/connect.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { tool } from "../../server/components/tool.ts";
import { inputRequired } from "../../server/input/ask.ts";
import { connectInMemory } from "../../transports/in_memory.ts";
import { until } from "../until.ts";
import { answerOf, request, serverOf, toolCall } from "./calls.ts";
import { deafServer } from "./deaf_server.ts";
import { pipeTo } from "./pipe.ts";

Deno.test("stdio: a cancelled call is aborted, gets no answer, and its slot is free (B074, M-CANC-017)", async () => {
  const { server, started, gates, returned } = deafServer();
  const pipe = pipeTo(server);
  await pipe.send(toolCall("deaf", undefined, 5));
  await until(() => started() === 1);
  await pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } });
  await pipe.send(toolCall("quick", undefined, 6));
  assert.deepEqual(returned, []);
  assert.equal((await pipe.next() as unknown as JsonObject).id, 6);
  gates[0]?.open();
  await until(() => returned.length === 1);
  assert.deepEqual(await pipe.end(), []);
});

Deno.test("stdio: cancellations of unknown and finished requests, and malformed ones, are ignored (B074, M-CANC-023, M-CANC-024)", async () => {
  const { server } = deafServer();
  const pipe = pipeTo(server);
  await pipe.send(toolCall("quick", undefined, 1));
  assert.equal((await pipe.next() as unknown as JsonObject).id, 1);
  for (const params of [{ requestId: 1 }, { requestId: 77 }, {}, { requestId: null }, { requestId: { a: 1 } }] as JsonObject[]) {
    await pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  }
  await pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled" });
  await pipe.send(toolCall("quick", undefined, 2));
  assert.equal((await pipe.next() as unknown as JsonObject).id, 2);
  assert.deepEqual(await pipe.end(), []);
});

Deno.test('stdio: the requests 0, the empty string, and 1 beside "1" are cancelled each by itself (B034, B033, M-BASE-004)', async () => {
  const cancelled: unknown[] = [];
  const started: unknown[] = [];
  const server = serverOf({
    tools: [tool({
      name: "wait",
      args: { id: {} },
      handler: async ({ id }, ctx) => {
        started.push(id);
        const { signal } = ctx;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        cancelled.push(id);
        return "";
      },
    })],
  });
  const pipe = pipeTo(server);
  const ids = [0, "", 1, "1"];
  for (const id of ids) await pipe.send(toolCall("wait", { id }, id));
  await until(() => started.length === 4);
  for (const id of ids) {
    await pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason: "test" } });
    await until(() => cancelled.length > ids.indexOf(id));
  }
  assert.deepEqual(cancelled, ids);
  assert.deepEqual(await pipe.end(), []);
});

Deno.test("stdio: the end of the channel aborts what runs (M-CANC-015)", async () => {
  const events: string[] = [];
  const server = serverOf({
    tools: [tool({
      name: "wait",
      handler: async (_args, ctx) => {
        events.push("started");
        const { signal } = ctx;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        events.push("aborted");
        return "";
      },
    })],
  });
  const pipe = pipeTo(server);
  await pipe.send(toolCall("wait"));
  await until(() => events.length === 1);
  assert.deepEqual(await pipe.end(), []);
  await until(() => events.length === 2);
  assert.deepEqual(events, ["started", "aborted"]);
});

Deno.test("in process: leaving the iteration early aborts the call", async () => {
  const events: string[] = [];
  const server = serverOf({
    tools: [tool({
      name: "wait",
      handler: async (_args, ctx) => {
        await ctx.progress(1);
        const { signal } = ctx;
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        events.push("aborted");
        return "";
      },
    })],
  }, { limits: { handlers: 1 } });
  const transport = connectInMemory(server);
  for await (const message of transport.exchange(request("tools/call", { name: "wait", _meta: { progressToken: 1 } }), {})) {
    assert.ok("method" in message);
    break;
  }
  await until(() => events.length === 1);
  await transport.close();
});

Deno.test("in process: a reader that returns before the first message aborts the call", async () => {
  const { server, started, gates } = deafServer();
  const client = await connect(server);
  const controller = new AbortController();
  const call = client.callTool("deaf", {}, { signal: controller.signal });
  await until(() => started() === 1);
  controller.abort(new Error("enough"));
  await assert.rejects(call, /enough/);
  const { response } = await answerOf(server, toolCall("quick"));
  assert.ok(response !== undefined && "result" in response, "the slot is free");
  gates[0]?.open();
  await client.close();
});

Deno.test("a call that is cancelled while its arguments or its state are checked does not begin", async () => {
  const ran: string[] = [];
  let [checking, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slowly = async (value: unknown): Promise<{ readonly value: JsonObject }> => {
    checking.resolve();
    await letGo.promise;
    return { value: value as JsonObject };
  };
  const args = {
    "~standard": {
      version: 1,
      vendor: "own",
      validate: slowly,
      jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
    },
  };
  const server = serverOf({
    tools: [
      tool({ name: "args", input: args as never, handler: () => (ran.push("args"), "done") }),
      tool({
        name: "state",
        handler: (_args, ctx) => ctx.state === undefined ? inputRequired({}, { state: 1 }) : (ran.push("state"), "done"),
      }),
    ],
  }, { consumeState: async () => (checking.resolve(), await letGo.promise, true) });
  const pipe = pipeTo(server);
  await pipe.send(toolCall("state", {}, 1));
  const { result } = await pipe.next() as { readonly result: JsonObject };
  const again = request("tools/call", { name: "state", arguments: {}, requestState: result.requestState as string }, 5);
  for (const call of [toolCall("args", {}, 5), again]) {
    await pipe.send(call);
    await checking.promise;
    await pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } });
    await pipe.send(request("tools/list", {}, 6));
    assert.equal((await pipe.next() as { readonly id: number }).id, 6);
    letGo.resolve();
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve));
    [checking, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  }
  assert.deepEqual(ran, []);
  await pipe.end();
});
