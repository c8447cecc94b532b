import assert from "node:assert/strict";
import { deriveCapabilities } from "../../client/capabilities.ts";
import type { CapabilitySources } from "../../client/capabilities.ts";

const form = () => ({ action: "cancel" as const });
const sampling = () => ({ role: "assistant" as const, content: [], model: "m" });

function derive(sources: Partial<CapabilitySources>): unknown {
  return deriveCapabilities({ inputs: undefined, capabilities: undefined, ...sources });
}

Deno.test("deriveCapabilities declares what handlers answer (M-ELIC-009, M-ELIC-011, M-SAMP-009, M-ROOT-003)", () => {
  assert.deepEqual(derive({}), {});
  assert.deepEqual(derive({ inputs: {} }), {});
  assert.deepEqual(derive({ inputs: { form } }), { elicitation: { form: {} } });
  assert.deepEqual(derive({ inputs: { url: form } }), { elicitation: { url: {} } });
  assert.deepEqual(derive({ inputs: { form, url: form, sampling, roots: [] } }), {
    elicitation: { form: {}, url: {} },
    sampling: {},
    roots: {},
  });
});

Deno.test("deriveCapabilities adds what the program states (M-SAMP-007)", () => {
  assert.deepEqual(derive({ inputs: { sampling }, capabilities: { sampling: { tools: {}, context: undefined } } }), {
    sampling: { tools: {} },
  });
  assert.deepEqual(derive({ inputs: { url: form }, capabilities: { elicitation: {} } }), { elicitation: { url: {}, form: {} } });
  assert.deepEqual(derive({ capabilities: { elicitation: {}, experimental: { x: {} }, roots: undefined } }), {
    elicitation: {},
    experimental: { x: {} },
  });
});

Deno.test("deriveCapabilities refuses what is no capability", () => {
  assert.throws(
    () => derive({ capabilities: { roots: false as unknown as object } }),
    /^TypeError: connect\.capabilities\.roots/,
  );
});
