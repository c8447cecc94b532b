/** The same calls give the same outcomes over HTTP, over stdio and in process. */
import assert from "node:assert/strict";
import type { InputHandlers } from "@causeway/mcp/client";
import { type Carrier, CARRIERS, open } from "./carriers.ts";
import { CASES, type Outcome, outcome } from "./cases.ts";

const INPUTS: InputHandlers = {
  form: ({ requestedSchema }) => {
    const asked = Object.keys(requestedSchema.properties ?? {});
    const values: Record<string, string | boolean> = { name: "Ada", color: "blue", context: "a test", ok: true };
    return { action: "accept", content: Object.fromEntries(asked.map((name) => [name, values[name]])) };
  },
  sampling: () => ({ role: "assistant", content: { type: "text", text: "Paris" }, model: "test-model" }),
  roots: [{ uri: "file:///workspace", name: "workspace" }],
};

for (const subject of Object.keys(CASES)) {
  Deno.test(`connect reaches the same server over HTTP, stdio and in process: ${subject}`, async () => {
    const [http, stdio, memory] = await Promise.all(CARRIERS.map((carrier) => visit(carrier, subject)));
    for (const [name, , code] of CASES[subject] ?? []) {
      assert.equal(http?.get(name)?.error?.code, code, `${name}: ${Deno.inspect(http?.get(name))}`);
      assert.deepStrictEqual(stdio?.get(name), http?.get(name), `${name}: stdio differs from HTTP`);
      assert.deepStrictEqual(memory?.get(name), http?.get(name), `${name}: in process differs from HTTP`);
    }
  });
}

/** Every outcome of one subject over one carrier, with the log messages of its calls. */
async function visit(carrier: Carrier, subject: string): Promise<ReadonlyMap<string, Outcome>> {
  const logs: unknown[] = [];
  const inputs = subject.startsWith("a client without capabilities") ? {} : INPUTS;
  const { client, close } = await open(carrier, { inputs, onLog: (message) => logs.push(message) });
  const outcomes = new Map<string, Outcome>();
  try {
    for (const [name, run] of CASES[subject] ?? []) {
      logs.length = 0;
      outcomes.set(name, { ...await outcome(run(client)), logs: [...logs] });
    }
  } finally {
    await close();
  }
  return outcomes;
}
