/** The same calls give the same outcomes over HTTP, over stdio and in process, in every revision. */
import assert from "node:assert/strict";
import type { InputHandlers, ProtocolVersion } from "@causeway/mcp/client";
import { type Carrier, CARRIERS, open } from "./carriers.ts";
import { applies, CASES, codeOf, isOwn, type Outcome, outcome } from "./cases.ts";

/** Newest first: the others are compared with it. */
const VERSIONS: readonly ProtocolVersion[] = ["2026-07-28", "2025-11-25", "2025-06-18"];

const INPUTS: InputHandlers = {
  form: ({ requestedSchema }) => {
    const asked = Object.keys(requestedSchema.properties ?? {});
    const values: Record<string, string | boolean> = { name: "Ada", color: "blue", context: "a test", ok: true };
    return { action: "accept", content: Object.fromEntries(asked.map((name) => [name, values[name]])) };
  },
  sampling: () => ({ role: "assistant", content: { type: "text", text: "Paris" }, model: "test-model" }),
  roots: [{ uri: "file:///workspace", name: "workspace" }],
};

for (const [subject, cases] of Object.entries(CASES)) {
  Deno.test(`connect reaches the same server over HTTP, stdio and in process, in every revision: ${subject}`, async (t) => {
    let newest: ReadonlyMap<string, Outcome> | undefined;
    for (const version of VERSIONS) {
      await t.step(version, async () => {
        const [http, stdio, memory] = await Promise.all(CARRIERS.map((carrier) => visit(carrier, subject, version)));
        newest ??= http;
        for (const one of cases.filter((one) => applies(one, version))) {
          const [name] = one;
          const seen = http?.get(name);
          assert.equal(seen?.error?.code, codeOf(one, version), `${name}: ${Deno.inspect(seen)}`);
          assert.deepStrictEqual(stdio?.get(name), seen, `${name}: stdio differs from HTTP`);
          assert.deepStrictEqual(memory?.get(name), seen, `${name}: in process differs from HTTP`);
          if (isOwn(one)) continue;
          assert.deepStrictEqual(common(seen), common(newest?.get(name)), `${name}: ${version} differs from ${VERSIONS[0]}`);
        }
      });
    }
  });
}

/** Every outcome of one subject over one carrier, with the log messages of its calls. */
async function visit(carrier: Carrier, subject: string, version: ProtocolVersion): Promise<ReadonlyMap<string, Outcome>> {
  const logs: unknown[] = [];
  const inputs = subject.startsWith("a client without capabilities") ? {} : INPUTS;
  // A client that may only speak the newest one sends nothing at first, and so knows nothing about the server.
  const protocol = version === VERSIONS[0] ? VERSIONS : version;
  const { client, close } = await open(carrier, { protocol, inputs, onLog: (message) => logs.push(message) });
  const outcomes = new Map<string, Outcome>();
  try {
    for (const one of CASES[subject] ?? []) {
      if (!applies(one, version)) continue;
      const [name, run] = one;
      logs.length = 0;
      outcomes.set(name, { ...await outcome(run(client)), logs: [...logs] });
    }
  } finally {
    await close();
  }
  return outcomes;
}

/** An outcome without what only the newest revision adds to results. */
function common(outcome: Outcome | undefined): unknown {
  const own = new Set(["resultType", "ttlMs", "cacheScope", "_meta"]);
  return JSON.parse(JSON.stringify(outcome ?? null, (key, value) => own.has(key) ? undefined : value));
}
