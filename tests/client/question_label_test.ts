/** Tests of the option `label`: which of several calls a question of the server belongs to. */
import assert from "node:assert/strict";
import { defineServer, tool } from "../../server/mod.ts";
import { testClient } from "../../testing.ts";

for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
  for (const over of ["memory", "http", "stdio"] as const) {
    Deno.test(`a question brings the label of its call, where the revision tells the call, in ${protocol} over ${over}`, async () => {
      const both = Promise.withResolvers<void>();
      let running = 0;
      const ask = tool({
        name: "ask",
        args: { who: { type: "string", required: true } },
        async handler({ who }, ctx) {
          // Both calls are open before one of them asks.
          if (++running === 2) both.resolve();
          await both.promise;
          const answer = await ctx.elicit(`Are you ${who}?`, { name: { type: "string" } });
          return JSON.stringify(answer);
        },
      });
      const asked = new Map<string, unknown>();
      const server = defineServer({ name: "x", version: "1", tools: [ask], sessions: true });
      const client = await testClient(server, {
        protocol,
        over,
        inputs: {
          form: ({ message }, { request }) => {
            asked.set(message, request);
            return { action: "accept", content: {} };
          },
        },
      });
      const label = { caller: "ada" };
      await Promise.all([client.callTool("ask", { who: "ada" }, { label }), client.callTool("ask", { who: "bob" })]);
      // Over a channel nothing tells which of the calls it was.
      const isKnown = protocol === "2026-07-28" || over === "http";
      const of = (label: unknown): unknown => isKnown ? { method: "tools/call", name: "ask", label } : undefined;
      const request = asked.get("Are you ada?") as { readonly label: unknown } | undefined;
      assert.deepEqual([request, asked.get("Are you bob?")], [of(label), of(undefined)]);
      assert.equal(request?.label, isKnown ? label : undefined);
      await client.close();
      await server.close();
    });
  }
}
