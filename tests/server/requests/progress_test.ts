/** Tests of `server/requests/progress.ts`. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../../protocol/types.ts";
import type { Context } from "../../../protocol/context.ts";
import { tool } from "../../../server/components/tool.ts";
import { answerOf, request, serverOf } from "../calls.ts";
import { pipeTo } from "../pipe.ts";

/** The params of the notifications that a handler causes. */
async function reports(handler: (ctx: Context) => unknown, meta: JsonObject, limits = {}): Promise<JsonObject[]> {
  const server = serverOf({ tools: [tool({ name: "t", handler: async (_args, ctx) => void await handler(ctx) })] }, { limits });
  const { notifications, response } = await answerOf(server, request("tools/call", { name: "t", _meta: meta }));
  assert.ok(response !== undefined && "result" in response, JSON.stringify(response));
  for (const { method } of notifications) assert.equal(method, "notifications/progress");
  return notifications.map(({ params }) => params as JsonObject);
}

Deno.test("progress goes under the token of the request, value and type (B073, M-PROG-001, M-PROG-008)", async () => {
  for (const progressToken of ["tok-9", 7, "7", 0, ""]) {
    assert.deepEqual(await reports((ctx) => ctx.progress(1), { progressToken }), [{ progressToken, progress: 1 }]);
  }
});

Deno.test("progress without a token is not sent, and costs the handler nothing (B073, M-PROG-008)", async () => {
  assert.deepEqual(await reports((ctx) => ctx.progress(1), {}), []);
});

Deno.test("progress carries total and message, fractions too (M-PROG-004, M-PROG-006, M-PROG-011)", async () => {
  assert.deepEqual(await reports((ctx) => ctx.progress(0.5, 1.5, "half"), { progressToken: 1 }), [
    { progressToken: 1, progress: 0.5, total: 1.5, message: "half" },
  ]);
});

Deno.test("progress never goes back and never stands still (B072, M-PROG-005)", async () => {
  const values = [1, 2, 2, 1, 3, 3, 2.5];
  const sent = await reports(async (ctx) => {
    for (const value of values) await ctx.progress(value);
  }, { progressToken: 1 });
  assert.deepEqual(sent.map(({ progress }) => progress), [1, 2, 3]);
});

Deno.test("progress that is no finite number is the handler's mistake", async () => {
  for (const value of [NaN, Infinity, "1"]) {
    await reports(
      (ctx) => assert.throws(() => ctx.progress(value as number), /^TypeError: ctx\.progress: Expected a finite number/),
      {
        progressToken: 1,
      },
    );
  }
});

Deno.test("a total that is no finite number and a message that is no string are the handler's mistake", async () => {
  for (const [total, message] of [[NaN], [Infinity], [10n], ["1"], [1, 7], [1, null]]) {
    await reports(
      (ctx) =>
        assert.throws(() => ctx.progress(1, total as number, message as string), /^TypeError: ctx\.progress: Expected a .* as /),
      { progressToken: 1 },
    );
  }
});

Deno.test("the last report always goes, right before the answer, also when the tool fails (M-PROG-013)", async () => {
  for (const fails of [false, true]) {
    const server = serverOf({
      tools: [tool({
        name: "t",
        handler: async (_args, ctx) => {
          for (let step = 1; step <= 5; step++) await ctx.progress(step);
          if (fails) throw new Error("boom");
          return "done";
        },
      })],
    }, { limits: { progressPerSecond: 1 } });
    const { notifications } = await answerOf(server, request("tools/call", { name: "t", _meta: { progressToken: 1 } }));
    const values = notifications.map(({ params }) => params?.progress);
    assert.deepEqual([values[0], values.at(-1)], [1, 5]);
  }
});

Deno.test("progress after the answer goes nowhere (B072, M-PROG-009, M-PROG-014)", async () => {
  let late: (() => Promise<void>) | undefined;
  const server = serverOf({
    tools: [tool({
      name: "t",
      handler: (_args, ctx) => {
        late = () => ctx.progress(9);
        return "done";
      },
    })],
  });
  const pipe = pipeTo(server);
  await pipe.send(request("tools/call", { name: "t", _meta: { progressToken: 1 } }));
  await pipe.next();
  await late?.();
  assert.deepEqual(await pipe.end(), []);
});

Deno.test('parallel calls with the tokens 7 and "7" stay apart (B073)', async () => {
  const server = serverOf({
    tools: [tool({ name: "t", args: { at: { type: "integer" } }, handler: ({ at }, ctx) => ctx.progress(at ?? 0) })],
  });
  const answers = await Promise.all(
    [7, "7"].map((progressToken, at) =>
      answerOf(server, request("tools/call", { name: "t", arguments: { at: at + 1 }, _meta: { progressToken } }, at))
    ),
  );
  assert.deepEqual(answers.map(({ notifications }) => notifications[0]?.params), [
    { progressToken: 7, progress: 1 },
    { progressToken: "7", progress: 2 },
  ]);
});
