import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { Context } from "../../../server/mod.ts";
import { defineServer, tool } from "../../../server/mod.ts";

const QUESTIONS: readonly (readonly [name: string, ask: (ctx: Context, timeout: number) => Promise<unknown>])[] = [
  ["ctx.elicit", (ctx, timeout) => ctx.elicit("Sure?", { sure: { type: "boolean" } }, { timeout })],
  ["ctx.sample", (ctx, timeout) => ctx.sample("Say something", { timeout })],
  ["ctx.roots", (ctx, timeout) => ctx.roots({ timeout })],
];

for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
  Deno.test(`a question with a timeout that is none is refused with the same TypeError, in ${protocol}`, async () => {
    const seen: unknown[] = [];
    const ask = tool({
      name: "ask",
      async handler(_args, ctx) {
        for (const timeout of [-1, 0, -0, NaN, Infinity, -Infinity, "5" as unknown as number, null as unknown as number]) {
          for (const [name, question] of QUESTIONS) {
            const error: unknown = await question(ctx, timeout).catch((error: unknown) => error);
            seen.push([name, error instanceof TypeError, (error as Error).message]);
          }
        }
        return "done";
      },
    });
    const inputs = {
      form: () => ({ action: "accept" as const, content: {} }),
      sampling: () => assert.fail(),
      roots: () => assert.fail(),
    };
    const client = await connect(defineServer({ name: "x", version: "1", tools: [ask] }), { protocol, inputs });
    await client.callTool("ask");
    const expected = QUESTIONS.map((
      [name],
    ) => [name, true, `${name}.timeout: Expected a positive, finite number of milliseconds`]);
    assert.deepEqual(seen, Array.from({ length: 8 }, () => expected).flat());
    await client.close();
  });
}
