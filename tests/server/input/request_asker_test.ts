/** Tests of `server/input/request_asker.ts`: handlers that ask a client of a handshake revision, over real channels. */
import assert from "node:assert/strict";
import type { Context } from "../../../protocol/context.ts";
import { isMcpError } from "../../../protocol/errors.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcRequest } from "../../../protocol/types.ts";
import { ask } from "../../../server/input/ask.ts";
import { memoryBus } from "../../../server/stores/memory.ts";
import { tool } from "../../../server/components/tool.ts";
import { createSession } from "../../../transports/session.ts";
import { errorOf, gate, infoOf, serverOf } from "../calls.ts";
import { ALL, HANDSHAKE_VERSIONS, helloOf, openChannel, shakeHands } from "../handshake_client.ts";
import type { Json } from "../handshake_client.ts";
import { until } from "../../until.ts";

const CITY = { city: { type: "string", required: true } } as const;

/** A tool that runs a function with its context. */
function asking(handler: (ctx: Context) => Promise<unknown>) {
  return tool({ name: "ask", handler: async (_args, ctx) => JSON.stringify(await handler(ctx)) });
}

const textOf = (response: Json): unknown => JSON.parse(response.result.content[0].text);

const methodsOf = (messages: readonly JsonRpcMessage[]) => messages.flatMap((one) => "method" in one ? [one.method] : []);

Deno.test("a handler gets a form, a completion and the roots by requests, before its response (L-BASE-003, L-LIFE-015)", async () => {
  const server = serverOf({
    tools: [asking(async (ctx) => [
      await ctx.elicit("Which city?", CITY),
      (await ctx.sample("Say hello", { maxTokens: 5 })).model,
      await ctx.roots(),
    ])],
  });
  for (const version of HANDSHAKE_VERSIONS) {
    const client = await shakeHands(server, version);
    const calling = client.tool("ask", {}, undefined, 1);
    const form = await client.incoming("elicitation/create");
    assert.equal(form.params.message, "Which city?");
    assert.deepEqual(form.params.requestedSchema.required, ["city"]);
    await client.answer(form, { action: "accept", content: { city: "Bonn" } });
    const sampling = await client.incoming("sampling/createMessage");
    await client.answer(sampling, { role: "assistant", content: { type: "text", text: "hello" }, model: "m" });
    const roots = await client.incoming("roots/list");
    await client.answer(roots, { roots: [{ uri: "file:///a" }] });
    assert.deepEqual(textOf(await calling), [{ action: "accept", content: { city: "Bonn" } }, "m", [{ uri: "file:///a" }]]);
    assert.equal(new Set([form.id, sampling.id, roots.id]).size, 3);
    await client.close();
  }
});

Deno.test("questions asked together go out in order, one after the other, with ids that are never used twice (L-BASE-002)", async () => {
  const server = serverOf({
    tools: [asking((ctx) => ctx.ask({ b: ask.form("B", CITY), a: ask.roots(), c: ask.form("C", CITY) }))],
  });
  const client = await shakeHands(server);
  const ids = new Set<unknown>();
  for (let turn = 0; turn < 3; turn++) {
    const calling = client.tool("ask");
    for (
      const [method, result] of [
        ["elicitation/create", { action: "decline" }],
        ["roots/list", { roots: [] }],
        ["elicitation/create", { action: "cancel" }],
      ] as const
    ) {
      await until(() => methodsOf(client.received).length === ids.size + 1);
      const request = client.received.findLast((one) => "method" in one) as JsonRpcRequest;
      assert.equal(request.method, method);
      ids.add(request.id);
      await client.answer(request, result);
    }
    assert.deepEqual(textOf(await calling), { b: { action: "decline" }, a: [], c: { action: "cancel" } });
  }
  assert.equal(ids.size, 9);
  await client.close();
});

Deno.test("a question that needs what the client did not declare is never sent (L-LIFE-016, L-BASE-011)", async () => {
  const server = serverOf({
    tools: [
      asking(async (ctx) => {
        try {
          return await ctx.ask({ a: ask.form("A", CITY), b: ask.roots(), c: ask.sampling({ messages: [], maxTokens: 1 }) });
        } catch (error) {
          assert.ok(isMcpError(error) && error.kind === "protocol");
          return [error.reason, error.data];
        }
      }),
    ],
  });
  for (const version of HANDSHAKE_VERSIONS) {
    const client = await shakeHands(server, version, { elicitation: {} });
    assert.deepEqual(textOf(await client.tool("ask")), [
      "missing_capability",
      { requiredCapabilities: { roots: {}, sampling: {} } },
    ]);
    assert.deepEqual(methodsOf(client.received), []);
    await client.close();
  }
});

Deno.test("an error of the client reaches the handler with its code and message", async () => {
  const client = await shakeHands(serverOf({ tools: [asking((ctx) => ctx.roots())] }));
  const calling = client.tool("ask");
  const { id } = await client.incoming("roots/list");
  await client.write({ jsonrpc: "2.0", id, error: { code: -1, message: "User rejected it" } });
  assert.deepEqual((await calling).error, { code: -1, message: "User rejected it" });
  assert.ok(!methodsOf(client.received).includes("notifications/cancelled"));
  await client.close();
});

Deno.test("an answer that does not fit its question fails the question, without a word of it (B065)", async () => {
  const server = serverOf({ tools: [asking((ctx) => ctx.elicit("Which city?", CITY))] });
  for (const result of [{ action: "accept", content: { city: 4711 } }, { action: "accept" }, { action: "perhaps" }, {}]) {
    const client = await shakeHands(server);
    const calling = client.tool("ask");
    await client.answer(await client.incoming("elicitation/create"), result);
    const { error } = await calling;
    assert.deepEqual([error.code, error.data], [-32603, { reason: "invalid_answer" }]);
    assert.ok(!error.message.includes("4711"));
    await client.close();
  }
});

Deno.test("a question without an answer is given up and cancelled, on its own time or the limit's (L-CANC-001)", async () => {
  const server = serverOf({
    tools: [
      asking((ctx) => ctx.roots()),
      tool({ name: "hasty", handler: (_args, ctx) => ctx.roots({ timeout: 5 }).then(String) }),
    ],
  }, { limits: { answerTimeout: 10 } });
  for (const [name, limit] of [["ask", 10], ["hasty", 5]] as const) {
    const client = await shakeHands(server);
    const { error } = await client.tool(name);
    assert.deepEqual(error.data, { reason: "timeout", limit });
    const [asked, cancelled] = [await client.incoming("roots/list"), await client.incoming("notifications/cancelled")];
    assert.equal(cancelled.params.requestId, asked.id);
    // The answer comes too late, and harms nobody.
    await client.answer(asked, { roots: [] });
    assert.deepEqual((await client.call("ping")).result, {});
    await client.close();
  }
});

Deno.test("a report of the client's progress gives a question its time again (L-PROG-001)", async () => {
  const client = await shakeHands(serverOf({ tools: [asking((ctx) => ctx.roots())] }, { limits: { answerTimeout: 300 } }));
  const calling = client.tool("ask");
  const asked = await client.incoming("roots/list");
  const progressToken = asked.params._meta.progressToken;
  for (let progress = 1; progress <= 8; progress++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await client.notify("notifications/progress", { progressToken, progress });
    await client.notify("notifications/progress", { progressToken: {}, progress });
    await client.notify("notifications/progress");
  }
  await client.answer(asked, { roots: [] });
  assert.deepEqual(textOf(await calling), []);
  await client.close();
});

Deno.test("cancelling a call cancels the question that it waits for, and its answer is dropped (L-CANC-001, B074)", async () => {
  const seen: unknown[] = [];
  const server = serverOf({
    tools: [asking(async (ctx) => {
      try {
        return await ctx.roots();
      } catch (error) {
        seen.push((error as Error).name, ctx.signal.aborted);
        throw error;
      }
    })],
  });
  const client = await shakeHands(server);
  client.tool("ask", {}, undefined, 0);
  const asked = await client.incoming("roots/list");
  await client.notify("notifications/cancelled", { requestId: 0, reason: "enough" });
  assert.equal((await client.incoming("notifications/cancelled")).params.requestId, asked.id);
  await client.answer(asked, { roots: [] });
  await client.call("ping");
  assert.deepEqual(seen, ["AbortError", true]);
  assert.ok(!client.received.some((one) => !("method" in one) && one.id === 0));
  await client.close();
});

Deno.test("a call that ends before its question is answered cancels the question", async () => {
  const client = await shakeHands(serverOf({
    tools: [asking((ctx) => {
      ctx.roots().catch(() => undefined);
      return new Promise((resolve) => setTimeout(() => resolve("impatient"), 5));
    })],
  }));
  assert.equal(textOf(await client.tool("ask")), "impatient");
  const asked = await client.incoming("roots/list");
  assert.equal((await client.incoming("notifications/cancelled")).params.requestId, asked.id);
  await client.close();
});

Deno.test("the end of the session rejects what is open", async () => {
  const failed = gate();
  let name = "";
  const server = serverOf({
    tools: [asking((ctx) =>
      ctx.roots().catch((error) => {
        name = error.name;
        failed.open();
        throw error;
      })
    )],
  });
  const client = await shakeHands(server);
  client.tool("ask");
  await client.incoming("roots/list");
  await client.close();
  await failed.passed;
  assert.ok(["AbortError", "ProtocolError"].includes(name));
});

Deno.test("closing the server rejects what is open, and tells the client", async () => {
  const server = serverOf({ tools: [asking((ctx) => ctx.roots())] });
  const client = await shakeHands(server);
  const calling = client.tool("ask");
  const asked = await client.incoming("roots/list");
  await server.close();
  assert.equal((await calling).error.data.reason, "closing");
  assert.equal((await client.incoming("notifications/cancelled")).params.requestId, asked.id);
  await client.close();
});

Deno.test("asking before notifications/initialized, and without a session, fails with an error that says so (L-LIFE-006)", async () => {
  const server = serverOf({ tools: [asking((ctx) => ctx.roots())] });
  const client = openChannel(server);
  await client.call("initialize", helloOf(HANDSHAKE_VERSIONS[0] as string, ALL));
  const early = (await client.tool("ask")).error;
  assert.deepEqual([early.code, early.data], [-32603, { reason: "not_initialized" }]);
  assert.deepEqual(methodsOf(client.received), []);
  await client.close();
  const params = { name: "ask" };
  const error = await errorOf(server, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, {
    connection: { transport: "http" },
  });
  assert.deepEqual([error.code, error.data], [-32603, { reason: "session_required" }]);
  assert.match(error.message, /option sessions/);
});

Deno.test("while a handler waits its deadline stands still and its slot is free; then it goes before newcomers", async () => {
  const order: string[] = [];
  const release = gate();
  const server = serverOf({
    tools: [
      asking(async (ctx) => {
        await ctx.roots();
        order.push("asker");
        return "patient";
      }),
      tool({
        name: "other",
        handler: async () => {
          order.push("other");
          await release.passed;
          return "other";
        },
      }),
      tool({ name: "late", handler: () => void order.push("late") }),
    ],
  }, { limits: { handlers: 1, handlerQueue: 1, handlerDeadline: 300 } });
  const client = await shakeHands(server);
  const calling = client.tool("ask");
  const asked = await client.incoming("roots/list");
  await new Promise((resolve) => setTimeout(resolve, 450));
  const other = client.tool("other");
  await until(() => order.length === 1);
  const late = client.tool("late");
  await client.call("ping");
  await client.answer(asked, { roots: [] });
  await client.call("ping");
  assert.deepEqual(order, ["other"]);
  release.open();
  assert.equal(textOf(await calling), "patient");
  await Promise.all([other, late]);
  assert.deepEqual(order, ["other", "asker", "late"]);
  await client.close();
});

Deno.test("questions asked at once by one handler are answered in any order", async () => {
  const server = serverOf({
    tools: [asking((ctx) => Promise.all([ctx.roots({ key: "a" }), ctx.elicit("B", CITY)]))],
  }, { limits: { handlers: 1, handlerQueue: 1 } });
  const client = await shakeHands(server);
  const calling = client.tool("ask");
  const [roots, form] = [await client.incoming("roots/list"), await client.incoming("elicitation/create")];
  await client.answer(form, { action: "decline" });
  await client.answer(roots, { roots: [] });
  assert.deepEqual(textOf(await calling), [[], { action: "decline" }]);
  const again = client.tool("ask");
  for (const method of ["roots/list", "elicitation/create"]) {
    const request = await client.incoming(method, 1);
    await client.answer(request, method === "roots/list" ? { roots: [] } : { action: "decline" });
  }
  await again;
  await client.close();
});

Deno.test("a response of one session never answers another's question", async () => {
  const server = serverOf({ tools: [asking((ctx) => ctx.roots())] });
  const [one, other] = [await shakeHands(server), await shakeHands(server)];
  const calling = one.tool("ask");
  const asked = await one.incoming("roots/list");
  await other.answer(asked, { roots: [{ uri: "file:///stolen" }] });
  await other.call("ping");
  await one.answer(asked, { roots: [] });
  assert.deepEqual(textOf(await calling), []);
  await one.close();
  await other.close();
});

Deno.test("ctx.once runs its function once over concurrent uses of a call", async () => {
  let runs = 0;
  const server = serverOf({
    tools: [asking((ctx) => Promise.all([ctx.once("k", () => ++runs), ctx.once("k", () => ++runs)]))],
  });
  const client = await shakeHands(server);
  assert.deepEqual(textOf(await client.tool("ask")), [1, 1]);
  await client.close();
});

Deno.test("an answer and a cancellation reach the instance that waits, over the bus, and no other session", async () => {
  const bus = memoryBus();
  const state = {
    version: HANDSHAKE_VERSIONS[0] as string,
    clientInfo: { name: "c", version: "1" },
    clientCapabilities: ALL,
    initialized: true,
    subscriptions: [],
  };
  const connectionOf = (key: string) => ({
    transport: "http" as const,
    session: createSession({ key, state, send: () => undefined }),
  });
  const make = () => serverOf({ tools: [asking((ctx) => ctx.roots())] }, { bus });
  const [here, there] = [make(), make()];
  const [mine, same, foreign] = [connectionOf("s"), connectionOf("s"), connectionOf("f")];
  const begin = async (id: string) => {
    const answer = await here.handle(
      { jsonrpc: "2.0", id, method: "tools/call", params: { name: "ask" } },
      infoOf({ connection: mine }),
    );
    assert.ok(answer !== undefined && Symbol.asyncIterator in answer);
    const stream = answer[Symbol.asyncIterator]();
    return { stream, asked: (await stream.next()).value as JsonRpcRequest };
  };
  const first = await begin("1");
  const response = (id: string | number, roots: JsonObject[]) => ({ jsonrpc: "2.0" as const, id, result: { roots } });
  await there.handle(response(first.asked.id, [{ uri: "file:///stolen" }]), infoOf({ connection: foreign }));
  await there.handle(response(first.asked.id, []), infoOf({ connection: same }));
  assert.deepEqual(textOf((await first.stream.next()).value), []);
  const second = await begin("2");
  const cancel = (connection: typeof mine) =>
    there.handle(
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "2" } },
      infoOf({ connection }),
    );
  await cancel(foreign);
  const next = second.stream.next();
  await cancel(same);
  assert.equal((await next).done, true);
  for (const { session } of [mine, same, foreign]) session.end();
});
