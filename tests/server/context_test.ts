/** Tests of `server/context.ts`. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import type { Context } from "../../protocol/context.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { ask } from "../../server/input/ask.ts";
import { createInput } from "../../server/input/create_input.ts";
import type { HandlerContext } from "../../server/context.ts";
import { defineServer } from "../../server/server.ts";
import { tool } from "../../server/components/tool.ts";
import { answerOf, httpRequest, request, serverOf } from "./calls.ts";

/** Runs something with the context of a call, and gives what preceded the answer. */
async function within(use: (ctx: Context) => unknown, meta: JsonObject = {}) {
  const faults: unknown[] = [];
  const server = serverOf({
    tools: [tool({
      name: "t",
      handler: async (_args, ctx) => {
        await Promise.resolve(ctx).then(use).catch((error) => faults.push(error));
      },
    })],
  });
  const { notifications } = await answerOf(server, request("tools/call", { name: "t", _meta: meta }));
  if (faults.length > 0) throw faults[0];
  return notifications;
}

Deno.test("the context tells what is known about the request", async () => {
  const meta = { "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" }, own: 7 };
  await within((ctx) => {
    assert.deepEqual([ctx.method, ctx.protocolVersion, ctx.era, ctx.transport], ["tools/call", "2026-07-28", "modern", "memory"]);
    assert.deepEqual([ctx.auth, ctx.client, ctx.meta.own], [
      undefined,
      { info: { name: "c", version: "1" }, capabilities: {} },
      7,
    ]);
    assert.deepEqual([[...ctx.headers], ctx.state, ctx.signal.aborted, ctx.answers({})], [[], undefined, false, {}]);
    assert.equal(ctx.signal, ctx.signal);
  }, meta);
});

Deno.test("the context shows the HTTP headers", async () => {
  let seen: unknown;
  const server = serverOf({
    tools: [tool({
      name: "t",
      handler: (_args, { headers, transport }) => {
        seen = [headers.get("x-own"), transport];
      },
    })],
  });
  await server.fetch(httpRequest(request("tools/call", { name: "t" }), { "X-Own": "yes" }));
  assert.deepEqual(seen, ["yes", "http"]);
});

Deno.test("log sends what the request asked for, at or above its level (M-LOG-006, M-LOG-010, M-LOG-011)", async () => {
  const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
  for (const [at, asked] of levels.entries()) {
    const sent = await within(async (ctx) => {
      for (const level of levels) await ctx.log(level, { level });
    }, { "io.modelcontextprotocol/logLevel": asked });
    assert.deepEqual(
      sent.map(({ method, params }) => [method, params?.level]),
      levels.slice(at).map((level) => ["notifications/message", level]),
    );
  }
});

Deno.test("log sends nothing to a client that did not ask (M-LOG-005)", async () => {
  assert.deepEqual(await within((ctx) => ctx.log("emergency", "x")), []);
});

Deno.test("log carries any JSON and the logger's name (M-LOG-011)", async () => {
  const asked = { "io.modelcontextprotocol/logLevel": "debug" };
  for (const data of ["text", 0, null, false, [1], { a: 1 }]) {
    const [sent] = await within((ctx) => ctx.log("info", data, "own"), asked);
    assert.deepEqual({ ...sent?.params }, { level: "info", logger: "own", data });
  }
  const [plain] = await within((ctx) => ctx.log("info", "x"), asked);
  assert.deepEqual({ ...plain?.params }, { level: "info", data: "x" });
});

Deno.test("log refuses levels, data and names that are none, also when nobody asked for the level", async () => {
  await assert.rejects(within((ctx) => ctx.log("fatal" as never, "x")), /^TypeError: ctx\.log: Expected one of debug, info/);
  const asked = { "io.modelcontextprotocol/logLevel": "debug" };
  await assert.rejects(within((ctx) => ctx.log("info", undefined), asked), /^TypeError: ctx\.log: Expected data/);
  await assert.rejects(within((ctx) => ctx.log("info", { at: new Date() }), asked), /^TypeError: ctx\.log\.at: A Date/);
  await assert.rejects(
    within((ctx) => ctx.log("info", "x", 1n as never), asked),
    /^TypeError: ctx\.log: Expected a string as logger/,
  );
});

Deno.test("the context makes nothing for questions until one is asked", async () => {
  await within((ctx) => {
    const own = ctx as HandlerContext;
    assert.deepEqual([own.suspended, ctx.answers({}), ctx.state], [false, {}, undefined]);
    assert.equal(own.inputBy({ createInput }), own.inputBy({ createInput }));
  });
});

Deno.test("what a client can not answer, and what is no question, is a rejection and never thrown", async () => {
  const uses: readonly ((ctx: Context) => Promise<unknown>)[] = [
    (ctx) => ctx.elicit("?", {}),
    (ctx) => ctx.elicit(5 as never, {}),
    (ctx) => ctx.elicit("?", new URL("https://example.com")),
    (ctx) => ctx.sample("?"),
    (ctx) => ctx.sample({} as never),
    (ctx) => ctx.roots(),
    (ctx) => ctx.ask({ r: ask.roots() }),
    (ctx) => ctx.once(5 as never, () => 1),
  ];
  await within(async (ctx) => {
    for (const use of uses) {
      const asked = use(ctx);
      assert.ok(asked instanceof Promise);
      await assert.rejects(asked, /Missing client capability|Expected/);
    }
  });
});

Deno.test("the claims of a caller are read without a cast, in the process too, whatever their type", async () => {
  interface Claims {
    readonly plan: string;
  }
  const claims: Claims = { plan: "team" };
  const plan = tool({ name: "plan", handler: (_args, ctx) => ctx.auth?.claims?.plan === "team" ? "yes" : "no" });
  const client = await connect(defineServer({ name: "a", version: "1", tools: [plan] }), {
    auth: { principal: "ada", scopes: [], claims },
  });
  assert.equal(await client.tools.plan(), "yes");
  await client.close();
});
