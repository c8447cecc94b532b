/** Tests of `server/requests/shutdown.ts`. */
import assert from "node:assert/strict";
import { tool } from "../../../server/components/tool.ts";
import { until } from "../../until.ts";
import { answerOf, errorOf, gate, httpRequest, request, resultOf, serverOf, textOf, toolCall } from "../calls.ts";

/** A server whose tool waits for a gate, and notes when its signal is aborted. */
function waiting(limits = {}) {
  const own = gate();
  const events: string[] = [];
  const server = serverOf({
    tools: [tool({
      name: "wait",
      handler: async (_args, ctx) => {
        events.push("started");
        ctx.signal.addEventListener("abort", () => events.push("aborted"));
        await own.passed;
        return "waited";
      },
    })],
  }, { limits });
  return { server, own, events };
}

Deno.test("close answers what runs with an error, and aborts it", async () => {
  const { server, own, events } = waiting();
  const call = errorOf(server, toolCall("wait"));
  await until(() => events.length === 1);
  await server.close();
  const { code, data } = await call;
  assert.deepEqual([code, data, events], [-32603, { reason: "closing" }, ["started", "aborted"]]);
  own.open();
});

Deno.test("close waits for what runs, up to drain milliseconds", async () => {
  const { server, own, events } = waiting();
  const call = resultOf(server, toolCall("wait"));
  await until(() => events.length === 1);
  const closing = server.close({ drain: 60_000 });
  own.open();
  assert.equal(textOf(await call), "waited");
  await closing;
  assert.deepEqual(events, ["started"]);
});

Deno.test("close gives up what is still there when drain is over, also what waits for a slot", async () => {
  const { server, own, events } = waiting({ handlers: 1 });
  const calls = [1, 2].map((id) => errorOf(server, toolCall("wait", undefined, id)));
  await until(() => events.length === 1);
  await server.close({ drain: 1 });
  for (const { data } of await Promise.all(calls)) assert.deepEqual(data, { reason: "closing" });
  assert.deepEqual(events, ["started", "aborted"], "the call that waited never ran");
  own.open();
});

Deno.test("a closed server answers new requests with 503 and the reason, and close may be called again", async () => {
  const { server } = waiting();
  await server.close();
  await server.close({ drain: 10 });
  for (const message of [toolCall("wait"), request("server/discover"), request("subscriptions/listen", { notifications: {} })]) {
    const response = await server.fetch(httpRequest(message));
    assert.equal(response.status, 503);
    const { id, error } = await response.json();
    assert.deepEqual([id, error.code, error.data], [1, -32603, { reason: "closing" }]);
  }
});

Deno.test("what a handler reports after the close goes nowhere", async () => {
  const own = gate();
  let started = false;
  const server = serverOf({
    tools: [tool({
      name: "t",
      handler: async (_args, ctx) => {
        started = true;
        await own.passed;
        await ctx.progress(1);
        await ctx.log("error", "late");
        return "late";
      },
    })],
  });
  const call = answerOf(
    server,
    request("tools/call", { name: "t", _meta: { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" } }),
  );
  await until(() => started);
  await server.close();
  own.open();
  const { notifications, response } = await call;
  assert.deepEqual([notifications, response !== undefined && "error" in response], [[], true]);
});
