/** Tests of what becomes of a call whose client hangs up over HTTP. */
import assert from "node:assert/strict";
import { tool } from "../../server/components/tool.ts";
import { until } from "../until.ts";
import { gate, httpRequest, request, serverOf, toolCall } from "./calls.ts";
import { deafServer } from "./deaf_server.ts";
import { listen, Wire } from "./socket.ts";

/** The bound that the specification of this package states for a hang-up over HTTP. */
const WITHIN = 200;

/** A fair number of attempts for a machine that is busy with something else. */
const ATTEMPTS = 5;

Deno.test("a client that hangs up frees the slot of a handler that never reads its signal, within 200 ms (M-CANC-005, M-CANC-016)", async () => {
  const times: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && !times.some((time) => time < WITHIN); attempt++) times.push(await timeToFree());
  assert.ok(Math.min(...times) < WITHIN, `Expected less than ${WITHIN} ms, found ${times.map(Math.round).join(", ")}`);
});

Deno.test("a hang-up after a request of several packets frees the slot just so (M-CANC-005, M-HTTP-026)", async () => {
  const times: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && !times.some((time) => time < WITHIN); attempt++) {
    times.push(await timeToFree("x".repeat(30_000)));
  }
  assert.ok(Math.min(...times) < WITHIN, `Expected less than ${WITHIN} ms, found ${times.map(Math.round).join(", ")}`);
});

/** Milliseconds from the hang-up until the next call has run, while one handler at a time may. */
async function timeToFree(padding = ""): Promise<number> {
  const { server, started, gates, returned } = deafServer();
  const http = listen(server);
  const first = await Wire.open(http.port);
  const second = await Wire.open(http.port);
  const answer = first.post(request("tools/call", { name: "deaf", _meta: { padding } })).catch(() => "hung up");
  await until(() => started() === 1);
  const waiting = second.post(toolCall("quick"));
  const before = performance.now();
  first.hangUp();
  const { status, body } = await waiting;
  const time = performance.now() - before;
  assert.equal(status, 200);
  // A call that waited for long is answered with a stream, of which the head is read here.
  if (padding === "") assert.match(body, /quick/);
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

Deno.test("a call that was answered is never seen as cancelled, although the runtime aborts its request's signal", async () => {
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
