/** Tests of the server's bounds at their edge. */
import assert from "node:assert/strict";
import { inputRequired } from "../../server/input/ask.ts";
import { tool } from "../../server/components/tool.ts";
import type { JsonObject, JsonRpcMessage } from "../../protocol/types.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { Server } from "../../server/server_types.ts";
import { until } from "../until.ts";
import { answerOf, errorOf, gate, headersFor, httpRequest, request, resultOf, serverOf, textOf, toolCall } from "./calls.ts";
import type { Gate } from "./calls.ts";
import { headText, listen, Wire } from "./socket.ts";

/** A server whose tool waits for its gate. */
function waiting(limits: Limits): { server: Server; gates: Gate[]; open: () => void } {
  const gates: Gate[] = [];
  const server = serverOf({
    tools: [
      tool({
        name: "wait",
        handler: async () => {
          const own = gate();
          gates.push(own);
          await own.passed;
          return "waited";
        },
      }),
      tool({ name: "quick", handler: () => "quick" }),
    ],
  }, { limits });
  return { server, gates, open: () => gates.forEach((own) => own.open()) };
}

Deno.test("handlers run at once up to their limit, the next waits its turn (limit handlers)", async () => {
  const { server, gates } = waiting({ handlers: 2, handlerQueue: 2 });
  const order: number[] = [];
  const calls = [1, 2, 3, 4].map((id) => resultOf(server, toolCall("wait", undefined, id)).then(() => order.push(id)));
  await until(() => gates.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(gates.length, 2);
  gates[0]?.open();
  await until(() => gates.length === 3);
  gates[1]?.open();
  await until(() => gates.length === 4);
  for (const own of gates) own.open();
  await Promise.all(calls);
  assert.deepEqual([...order].sort(), [1, 2, 3, 4]);
});

Deno.test("a call beyond handlers and handlerQueue gets 503 and -32603 with the reason, and later calls run (limit handlers)", async () => {
  const { server, gates, open } = waiting({ handlers: 1, handlerQueue: 1 });
  const first = resultOf(server, toolCall("wait", undefined, 1));
  const second = resultOf(server, toolCall("quick", undefined, 2));
  await until(() => gates.length === 1);
  const refused = await server.fetch(httpRequest(toolCall("quick", undefined, 3)));
  assert.equal(refused.status, 503);
  const { id, error } = await refused.json();
  assert.deepEqual([id, error.code, error.data], [3, -32603, { reason: "capacity_reached", handlers: 1, handlerQueue: 1 }]);
  open();
  await Promise.all([first, second]);
  assert.equal((await server.fetch(httpRequest(toolCall("quick")))).status, 200);
});

Deno.test("handlerQueue 0 refuses at once; lists and discovery need no slot", async () => {
  const { server, gates, open } = waiting({ handlers: 1, handlerQueue: 0 });
  const first = resultOf(server, toolCall("wait"));
  await until(() => gates.length === 1);
  assert.equal((await errorOf(server, toolCall("quick"))).data?.reason, "capacity_reached");
  for (const method of ["tools/list", "server/discover"]) assert.ok(await resultOf(server, request(method)));
  open();
  await first;
});

Deno.test("handlerDeadline answers in place of a handler that does not, frees its slot and aborts its signal", async () => {
  const aborted: unknown[] = [];
  const own = gate();
  const server = serverOf({
    tools: [
      tool({
        name: "wait",
        handler: async (_args, ctx) => {
          ctx.signal.addEventListener("abort", () => aborted.push(ctx.signal.reason));
          await own.passed;
          return "late";
        },
      }),
      tool({ name: "quick", handler: () => "quick" }),
    ],
  }, { limits: { handlers: 1, handlerQueue: 0, handlerDeadline: 1 } });
  const error = await errorOf(server, toolCall("wait"));
  assert.deepEqual([error.code, error.data], [-32603, { reason: "timeout", limit: 1 }]);
  assert.match(error.message, /1 ms \(limit handlerDeadline\)/);
  assert.deepEqual(aborted.map((reason) => (reason as Error).name), ["ProtocolError"]);
  assert.equal(textOf(await resultOf(server, toolCall("quick"))), "quick");
  own.open();
});

Deno.test("a tool's own timeout stands in for handlerDeadline, shorter or longer", async () => {
  const own = gate();
  const make = (name: string, timeout: number | undefined) => tool({ name, timeout, handler: () => own.passed.then(() => name) });
  const server = serverOf({ tools: [make("short", 1), make("long", 60_000), make("usual", undefined)] }, {
    limits: { handlerDeadline: 50 },
  });
  const long = resultOf(server, toolCall("long"));
  assert.equal((await errorOf(server, toolCall("short"))).data?.limit, 1);
  assert.equal((await errorOf(server, toolCall("usual"))).data?.limit, 50);
  own.open();
  assert.equal(textOf(await long), "long");
});

Deno.test("a request body that trickles gets 408 when requestBodyTimeout is over, and the end of the connection", async () => {
  const http = listen(waiting({ requestBodyTimeout: 40 }).server);
  for (const framing of [["content-length", "900"], ["transfer-encoding", "chunked"]] as const) {
    const wire = await Wire.open(http.port);
    await wire.write(`${headText([...headersFor(toolCall("quick")), ["host", "localhost"], framing])}\r\n`);
    await wire.write(framing[0] === "content-length" ? '{"jsonrpc"' : '5\r\n{"jso\r\n');
    const { status, body, headers } = await wire.answer();
    assert.deepEqual([status, JSON.parse(body).error.code], [408, -32600]);
    assert.match(JSON.parse(body).error.message, /40 ms \(limit requestBodyTimeout\)$/);
    assert.equal(headers.get("connection"), "close");
    wire.hangUp();
  }
  await http.close();
});

Deno.test("responseBody: a result that is too large is 500 and -32603 of that call alone", async () => {
  const server = serverOf({
    tools: [tool({ name: "big", args: { size: { type: "integer" } }, handler: ({ size }) => "a".repeat(size ?? 0) })],
  }, { limits: { responseBody: 1000 } });
  const big = await server.fetch(httpRequest(toolCall("big", { size: 1000 })));
  assert.equal(big.status, 500);
  const { id, error } = await big.json();
  assert.deepEqual([id, error.code, error.data], [1, -32603, { reason: "response_too_large", limit: 1000 }]);
  assert.equal((await server.fetch(httpRequest(toolCall("big", { size: 10 })))).status, 200);
});

Deno.test("jsonDepth and jsonElements: at the limit it runs, one more gets -32600 with the id", async () => {
  const server = serverOf({ tools: [tool({ name: "any", input: { type: "object" }, handler: () => "ran" })] }, {
    limits: { jsonDepth: 10, jsonElements: 30 },
  });
  const nested = (depth: number): JsonObject => depth === 0 ? {} : { a: nested(depth - 1) };
  const status = async (args: JsonObject) => (await server.fetch(httpRequest(toolCall("any", args)))).status;
  // The message, its params and its arguments are three levels.
  assert.deepEqual([await status(nested(7)), await status(nested(8))], [200, 400]);
  const list = (length: number): JsonObject => ({ a: Array.from({ length }, () => 0) });
  const used = 4 + 3 + 2 + 1;
  assert.deepEqual([await status(list(30 - used)), await status(list(31 - used))], [200, 400]);
  const refused = await server.fetch(httpRequest(toolCall("any", nested(8), "own")));
  const { id, error } = await refused.json();
  assert.deepEqual([id, error.code], ["own", -32600]);
});

Deno.test("pageSize cuts lists, and the cursors lead through all of it (M-PAGE-002)", async () => {
  const tools = ["a", "b", "c", "d", "e"].map((name) => tool({ name, handler: () => name }));
  for (const options of [{ pageSize: 2 }, { limits: { pageSize: 2 } }]) {
    const server = serverOf({ tools }, options);
    const names: unknown[][] = [];
    let cursor: string | undefined;
    do {
      const page = await resultOf(server, request("tools/list", cursor === undefined ? {} : { cursor }));
      names.push((page.tools as JsonObject[]).map(({ name }) => name));
      cursor = page.nextCursor as string | undefined;
    } while (cursor !== undefined);
    assert.deepEqual(names, [["a", "b"], ["c", "d"], ["e"]]);
  }
});

Deno.test("requestState: a state that is too large when it is sealed is the server's own fault", async () => {
  const errors: unknown[] = [];
  const server = serverOf({
    tools: [tool({
      name: "keep",
      args: { size: { type: "integer" } },
      handler: ({ size }) => inputRequired({}, { state: "a".repeat(size ?? 0) }),
    })],
  }, { limits: { requestState: 400 }, stateKeys: [new Uint8Array(32)], onError: (error) => errors.push(error) });
  const small = await resultOf(server, toolCall("keep", { size: 100 }));
  assert.equal(typeof small.requestState, "string");
  assert.equal((await errorOf(server, toolCall("keep", { size: 400 }))).code, -32603);
  assert.match(String(errors[0]), /at most 400 bytes when sealed \(limit requestState\)/);
});

/** Opens a change stream and waits for its acknowledgement. */
async function openStream(server: Server, principal?: string) {
  const info = {
    principal: principal === undefined ? undefined : { principal, scopes: [] } as never,
    connection: { transport: "memory" } as const,
    onDisconnect: () => () => undefined,
  };
  const answer = await server.handle(request("subscriptions/listen", { notifications: { toolsListChanged: true } }), info);
  if (answer === undefined || !(Symbol.asyncIterator in answer)) return answer as unknown as JsonObject;
  const stream = answer[Symbol.asyncIterator]() as AsyncIterator<JsonRpcMessage>;
  await stream.next();
  return { end: () => stream.return?.() };
}

Deno.test("subscriptions and subscriptionsPerPrincipal: the next stream is refused, and a closed one makes room (limit subscriptions)", async () => {
  const server = serverOf({ tools: [tool({ name: "a", handler: () => "" })] }, {
    limits: { subscriptions: 3, subscriptionsPerPrincipal: 1 },
  });
  const refusal = (stream: unknown) => ((stream as JsonObject).error as JsonObject | undefined)?.data;
  const anna = await openStream(server, "anna");
  assert.deepEqual(refusal(await openStream(server, "anna")), {
    reason: "capacity_reached",
    limit: "subscriptionsPerPrincipal",
    value: 1,
  });
  await openStream(server, "ben");
  await openStream(server);
  assert.deepEqual(refusal(await openStream(server)), { reason: "capacity_reached", limit: "subscriptions", value: 3 });
  await (anna as unknown as { end: () => Promise<unknown> }).end();
  assert.equal(refusal(await openStream(server, "anna")), undefined);
  await server.close();
});

Deno.test("progressPerSecond: what is too much is left out, the last report always goes before the result (M-PROG-013)", async () => {
  const server = serverOf({
    tools: [tool({
      name: "count",
      handler: async (_args, ctx) => {
        for (let step = 1; step <= 10; step++) await ctx.progress(step, 10);
        return "counted";
      },
    })],
  }, { limits: { progressPerSecond: 3 } });
  const { notifications, response } = await answerOf(
    server,
    request("tools/call", { name: "count", _meta: { progressToken: 1 } }),
  );
  const values = notifications.map(({ params }) => params?.progress as number);
  assert.equal(values.at(-1), 10);
  assert.deepEqual(values.slice(0, 3), [1, 2, 3]);
  assert.ok(values.length <= 7, `Expected most of 10 reports to be left out, found ${values.join(", ")}`);
  assert.ok(response !== undefined && "result" in response);
});

Deno.test("keepAlive: a quiet stream gets comments over the wire (M-HTTP-022, B017)", async () => {
  const { server } = waiting({ keepAlive: 20 });
  const http = listen(server);
  const wire = await Wire.open(http.port);
  await wire.post(request("subscriptions/listen", { notifications: { toolsListChanged: true } }));
  assert.match(await wire.part() ?? "", /subscriptions\/acknowledged/);
  assert.match(await wire.part() ?? "", /^:/);
  wire.hangUp();
  await http.close();
});

Deno.test("limits: unknown ones and impossible values are refused at definition, naming them", () => {
  const define = (limits: object) => () => serverOf({}, { limits: limits as Limits });
  assert.throws(define({ handler: 1 }), /^TypeError: limits\.handler: Unknown limit$/);
  assert.throws(define({ handlers: 0 }), /^TypeError: limits\.handlers: Expected an integer of at least 1/);
  assert.throws(define({ handlerQueue: -1 }), /^TypeError: limits\.handlerQueue: /);
  assert.throws(define({ requestBody: 1.5 }), /^TypeError: limits\.requestBody: /);
});
