/** A server that calls another one, which asks. */
import assert from "node:assert/strict";
import { connect, defineServer, textOf, tool } from "../../mod.ts";
import type { Client, InputResponses } from "../../mod.ts";

const asker = defineServer({
  name: "upstream",
  version: "1.0.0",
  stateKeys: ["a key of the tests of relays"],
  tools: [
    tool({
      name: "ask",
      async handler(_args, ctx) {
        const first = await ctx.elicit("Sure?", { ok: { type: "boolean", required: true } });
        const second = await ctx.elicit("Really?", { ok: { type: "boolean", required: true } });
        return `${first.action} ${second.action}`;
      },
    }),
  ],
});

function relays(upstream: Client, told: unknown[]) {
  return defineServer({
    name: "relay",
    version: "1.0.0",
    stateKeys: ["another key of the tests of relays"],
    onError: (error) => told.push(error),
    tools: [
      tool({ name: "raw", handler: (args, ctx) => upstream.callTool("ask", args, { input: "manual", signal: ctx.signal }) }),
      tool({
        name: "good",
        async handler(args, ctx) {
          const options = { input: "manual", signal: ctx.signal } as const;
          let round = await ctx.once("call", () => upstream.callTool("ask", args, options));
          for (let n = 1; round.resultType === "input_required"; n++) {
            const { inputRequests, requestState } = round;
            const inputResponses = await ctx.ask(inputRequests) as InputResponses;
            round = await ctx.once(`${n}`, () => upstream.callTool("ask", args, { ...options, inputResponses, requestState }));
          }
          return round;
        },
      }),
    ],
  });
}

Deno.test("the questions of another server are refused as a result, and relayed when the handler asks them itself", async () => {
  await using upstream = await connect(asker, { capabilities: { elicitation: { form: {} } } });
  for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
    const told: unknown[] = [];
    const asked: string[] = [];
    await using client = await connect(relays(upstream as Client, told), {
      protocol,
      inputs: { form: ({ message }) => (asked.push(message), { action: "accept", content: { ok: true } }) },
    });
    await assert.rejects(client.callTool("raw"), /Internal error/);
    assert.equal(told.length, 1);
    assert.ok(told[0] instanceof TypeError);
    assert.match(
      told[0].message,
      /^tools\/call: The handler returned the questions .*\(input: "manual", with resume\).*ctx\.ask/,
    );
    assert.deepEqual(asked, []);
    assert.equal(textOf(await client.callTool("good")), "accept accept");
    assert.deepEqual(asked, ["Sure?", "Really?"]);
  }
});
