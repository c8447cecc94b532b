/** Tests of the first question that a process is asked: what answers it is loading meanwhile. */
import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import { ROOT, runDeno } from "../../../scripts/command.ts";
import { defineServer, tool } from "../../../server/mod.ts";

/** What came of a first question, in a process of its own. */
async function outcomeOf(name: string): Promise<unknown> {
  const program = `${ROOT}/tests/client/programs/first_question.ts`;
  const { code, output } = await runDeno(["run", "-A", "--no-check", program, name]);
  assert.equal(code, 0, output);
  return JSON.parse(output);
}

Deno.test("the first questions of a process are answered in their order", async () => {
  assert.deepEqual(await outcomeOf("plain"), { outcome: [{ type: "text", text: "done" }], asked: ["a", "b"], requests: 2 });
});

Deno.test("a call that is given up while its first question is loading ends with that, and nobody is asked", async () => {
  assert.deepEqual(await outcomeOf("aborted"), { outcome: "Error: given up", asked: [], requests: 1 });
});

Deno.test("a client that is closed while its first question is loading asks nobody and sends no further round", async () => {
  assert.deepEqual(await outcomeOf("closed"), { outcome: "TransportError: closed", asked: [], requests: 1 });
});

Deno.test("a client that is closed while its middleware holds an answer back asks nobody", async () => {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  let asked = 0;
  const server = defineServer({
    name: "asks",
    version: "1.0.0",
    tools: [tool({
      name: "ask",
      handler: async (_args, ctx) => (await ctx.elicit("Really?", { yes: { type: "boolean", required: true } })).action,
    })],
    stateKeys: ["a key that is long enough"],
  });
  const client = await connect(server, {
    use: [async (request, next) => {
      const result = await next(request);
      if (request.method !== "tools/call") return result;
      arrived.resolve();
      await held.promise;
      return result;
    }],
    inputs: { form: () => (asked++, { action: "decline" as const }) },
  });
  const call = client.callTool("ask");
  const refused = assert.rejects(call, { reason: "closed" });
  await arrived.promise;
  await client.close();
  held.resolve();
  await refused;
  assert.equal(asked, 0);
});
