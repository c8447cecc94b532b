/** Tests of what becomes of a call whose client has gone: over sockets, over a byte pipe and in process. */
import assert from "node:assert/strict";
import { connect } from "../../client/connect.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { tool } from "../../server/tool.ts";
import type { Server } from "../../server/server_types.ts";
import { connectInMemory } from "../../transports/in_memory.ts";
import { answerOf, gate, httpRequest, request, serverOf, toolCall, until } from "./calls.ts";
import type { Gate } from "./calls.ts";
import { pipeTo } from "./pipe.ts";
import { listen, Wire } from "./socket.ts";

/** The bound that the specification of this package states for a hang-up over HTTP. */
const WITHIN = 200;

/** A fair number of attempts for a machine that is busy with something else. */
const ATTEMPTS = 5;

/** A server whose tool `deaf` waits for a gate without ever reading its signal. */
function deafServer(): { server: Server; started: () => number; gates: Gate[]; returned: string[]; errors: unknown[] } {
  const gates: Gate[] = [];
  const returned: string[] = [];
  const errors: unknown[] = [];
  const server = serverOf({
    tools: [
      tool({
        name: "deaf",
        handler: async () => {
          const own = gate();
          gates.push(own);
          await own.passed;
          returned.push("deaf");
          return "late";
        },
      }),
      tool({ name: "quick", handler: () => "quick" }),
    ],
  }, { limits: { handlers: 1 }, onError: (error) => errors.push(error) });
  return { server, started: () => gates.length, gates, returned, errors };
}

Deno.test("a client that hangs up frees the slot of a handler that never reads its signal, within 200 ms (M-CANC-005, M-CANC-016)", async () => {
  const times: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && !times.some((time) => time < WITHIN); attempt++) times.push(await timeToFree());
  assert.ok(Math.min(...times) < WITHIN, `Expected less than ${WITHIN} ms, found ${times.map(Math.round).join(", ")}`);
});

/** Milliseconds from the hang-up until the next call has run, while one handler at a time may. */
async function timeToFree(): Promise<number> {
  const { server, started, gates, returned } = deafServer();
  const http = listen(server);
  const first = await Wire.open(http.port);
  const second = await Wire.open(http.port);
  const answer = first.post(toolCall("deaf")).catch(() => "hung up");
  await until(() => started() === 1);
  const waiting = second.post(toolCall("quick"));
  const before = performance.now();
  first.hangUp();
  const { status, body } = await waiting;
  const time = performance.now() - before;
  assert.equal(status, 200);
  assert.match(body, /quick/);
  assert.deepEqual(returned, [], "the next call ran while the handler of the first had not returned");
  assert.equal(await answer, "hung up");
  gates[0]?.open();
  await until(() => returned.length === 1);
  second.hangUp();
  await http.close();
  return time;
}

Deno.test("what a handler returns after the hang-up is dropped, and nothing is reported (M-CANC-017, M-HTTP-027)", async () => {
  const { server, started, gates, returned, errors } = deafServer();
  const answers: Response[] = [];
  const http = listen(server, async (request) => {
    const answer = await server.fetch(request);
    answers.push(answer);
    return answer;
  });
  const wire = await Wire.open(http.port);
  wire.post(toolCall("deaf")).catch(() => undefined);
  await until(() => started() === 1);
  wire.hangUp();
  await until(() => answers.length === 1);
  assert.equal(answers[0]?.status, 499, "the call ended before its handler did");
  assert.deepEqual(returned, []);
  gates[0]?.open();
  await until(() => returned.length === 1);
  assert.deepEqual(errors, []);
  await http.close();
});

Deno.test("a handler that reads the signal only after the hang-up finds it aborted (M-CANC-005, M-HTTP-026)", async () => {
  const go = gate();
  const events: string[] = [];
  const ended = gate();
  const server = serverOf({
    tools: [tool({
      name: "late",
      handler: async (_args, ctx) => {
        events.push("started");
        await go.passed;
        const { signal } = ctx;
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        events.push(signal.reason instanceof DOMException ? signal.reason.name : "no reason");
        ended.open();
        return "nobody reads this";
      },
    })],
  });
  const http = listen(server);
  const wire = await Wire.open(http.port);
  wire.post(toolCall("late")).catch(() => undefined);
  await until(() => events.length === 1);
  wire.hangUp();
  go.open();
  await ended.passed;
  assert.deepEqual(events, ["started", "AbortError"]);
  await http.close();
});

Deno.test("a signal that is read long after the hang-up is aborted already", async () => {
  const go = gate();
  let started = false;
  let seen: boolean | undefined;
  const ended: number[] = [];
  const server = serverOf({
    tools: [tool({
      name: "late",
      handler: async (_args, ctx) => {
        started = true;
        await go.passed;
        seen = ctx.signal.aborted;
        return "";
      },
    })],
  });
  const http = listen(server, async (request) => {
    const answer = await server.fetch(request);
    ended.push(answer.status);
    return answer;
  });
  const wire = await Wire.open(http.port);
  wire.post(toolCall("late")).catch(() => undefined);
  await until(() => started);
  wire.hangUp();
  await until(() => ended.length === 1);
  go.open();
  await until(() => seen !== undefined);
  assert.equal(seen, true);
  await http.close();
});

Deno.test("a call that was answered is never seen as cancelled, although the runtime aborts its request's signal (M-CANC-014)", async () => {
  const signals: AbortSignal[] = [];
  const requests: Request[] = [];
  const server = serverOf({
    tools: [
      tool({
        name: "slow",
        handler: async (_args, ctx) => {
          signals.push(ctx.signal);
          await new Promise((resolve) => setTimeout(resolve, 1));
          return "slow";
        },
      }),
      tool({
        name: "quick",
        handler: (_args, ctx) => {
          signals.push(ctx.signal);
          return "quick";
        },
      }),
      tool({
        name: "streamed",
        handler: async (_args, ctx) => {
          signals.push(ctx.signal);
          await ctx.progress(1);
          return "streamed";
        },
      }),
    ],
  });
  const http = listen(server, (request) => {
    requests.push(request);
    return server.fetch(request);
  });
  for (const name of ["slow", "quick", "streamed"]) {
    const wire = await Wire.open(http.port);
    const call = request("tools/call", { name, _meta: { progressToken: "t" } });
    const { status } = await wire.post(call);
    assert.equal(status, 200);
    wire.hangUp();
  }
  await until(() => requests.every((request) => request.signal.aborted));
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(signals.map((signal) => signal.aborted), [false, false, false]);
  await http.close();
});

Deno.test("an SSE answer that is cut in the middle aborts its call, and later reports go nowhere (B029, M-CANC-005, M-HTTP-027)", async () => {
  const events: string[] = [];
  const errors: unknown[] = [];
  const server = serverOf({
    tools: [tool({
      name: "streamed",
      handler: async (_args, ctx) => {
        await ctx.progress(1);
        const { signal } = ctx;
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        events.push("aborted");
        await ctx.progress(2);
        await ctx.log("error", "late");
        events.push("reported");
        return "late";
      },
    })],
  }, { limits: { handlers: 1 }, onError: (error) => errors.push(error) });
  const http = listen(server);
  const call = request("tools/call", {
    name: "streamed",
    _meta: { progressToken: 7, "io.modelcontextprotocol/logLevel": "debug" },
  });
  const wire = await Wire.open(http.port);
  assert.equal((await wire.post(call)).headers.get("content-type"), "text/event-stream");
  assert.match(await wire.part() ?? "", /"progressToken":7,"progress":1/);
  wire.hangUp();
  await until(() => events.length === 2);
  assert.deepEqual([events, errors], [["aborted", "reported"], []]);

  const next = await Wire.open(http.port);
  assert.equal((await next.post(call)).status, 200, "the slot is free");
  next.hangUp();
  await until(() => events.length === 4);
  await http.close();
});

Deno.test("a client that leaves while its body is half sent costs nothing (B029)", async () => {
  const { server } = deafServer();
  const http = listen(server);
  const wire = await Wire.open(http.port);
  await wire.write(
    'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"jsonrpc',
  );
  wire.hangUp();
  const next = await Wire.open(http.port);
  assert.equal((await next.post(toolCall("quick"))).status, 200);
  next.hangUp();
  await http.close();
});

Deno.test("a call that waits for a slot leaves the queue when its client hangs up", async () => {
  const { server, started, gates, returned } = deafServer();
  const small = server.with({ limits: { handlers: 1, handlerQueue: 1 } });
  const statuses: number[] = [];
  let arrived = 0;
  const http = listen(small, async (request) => {
    arrived++;
    const answer = await small.fetch(request);
    statuses.push(answer.status);
    return answer;
  });
  const running = await Wire.open(http.port);
  const first = running.post(toolCall("deaf"));
  await until(() => started() === 1);
  const queued = await Wire.open(http.port);
  queued.post(toolCall("deaf")).catch(() => undefined);
  const refused = await Wire.open(http.port);
  await until(() => arrived === 2);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await refused.post(toolCall("quick"))).status, 503, "the queue is full");
  queued.hangUp();
  await until(() => statuses.includes(499));
  const third = refused.post(toolCall("quick"));
  gates[0]?.open();
  assert.equal((await first).status, 200);
  assert.equal((await third).status, 200);
  assert.deepEqual([started(), returned], [1, ["deaf"]], "the call that left never ran");
  running.hangUp();
  refused.hangUp();
  await http.close();
});

Deno.test("a request whose signal is aborted before anybody looked at it is given up (M-CANC-005)", async () => {
  const { server, gates } = deafServer();
  const controller = new AbortController();
  const answer = server.fetch(httpRequest(toolCall("deaf"), {}, controller.signal));
  await until(() => gates.length === 1);
  controller.abort();
  assert.equal((await answer).status, 499);
  gates[0]?.open();
});

Deno.test("respond ends a call by the application's signal, also when it is aborted at the beginning", async () => {
  const { server, gates } = deafServer();
  const controller = new AbortController();
  const first = server.respond(httpRequest(toolCall("deaf")), { signal: controller.signal });
  await until(() => gates.length === 1);
  controller.abort();
  assert.equal((await first).status, 499);
  assert.equal((await server.respond(httpRequest(toolCall("deaf")), { signal: controller.signal })).status, 499);
  for (const own of gates) own.open();
});

Deno.test("stdio: a cancelled call is aborted, gets no answer, and its slot is free (B074, M-CANC-017, M-STDIO-013)", async () => {
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
