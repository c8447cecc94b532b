/** Tests of `server/input/missing_capability.ts`. */
import assert from "node:assert/strict";
import { ProtocolError } from "../../../protocol/errors.ts";
import type { ClientCapabilities, InputRequest } from "../../../protocol/types.ts";
import { checkCapabilities } from "../../../server/input/missing_capability.ts";
import type { MissingCapability } from "../../../server/input/missing_capability.ts";

const form = { method: "elicitation/create", params: { message: "?", requestedSchema: {} } } as unknown as InputRequest;
const url = { method: "elicitation/create", params: { mode: "url", message: "?", url: "https://a" } } as unknown as InputRequest;
const sample = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } } as unknown as InputRequest;
const withTools = {
  method: "sampling/createMessage",
  params: { messages: [], maxTokens: 1, tools: [] },
} as unknown as InputRequest;
const roots = { method: "roots/list" } as InputRequest;

function missing(requests: InputRequest[], declared: ClientCapabilities, missingIn?: MissingCapability): unknown {
  try {
    checkCapabilities(requests, declared, missingIn);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ProtocolError && error.code === -32021);
    return (error.data as { readonly requiredCapabilities: unknown }).requiredCapabilities;
  }
}

Deno.test("checkCapabilities names everything that all questions lack", () => {
  assert.deepEqual(missing([form, url, sample, withTools, sample, roots], {}), {
    elicitation: { form: {}, url: {} },
    sampling: { tools: {} },
    roots: {},
  });
  assert.deepEqual(missing([sample, withTools], { sampling: {} }), { sampling: { tools: {} } });
  assert.deepEqual(missing([form], { elicitation: { url: {} } }), { elicitation: { form: {} } });
});

Deno.test("checkCapabilities lets through what the client declared", () => {
  assert.equal(missing([form], { elicitation: {} }), undefined);
  const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
  assert.equal(missing([form, url, sample, withTools, roots], all), undefined);
});

Deno.test("checkCapabilities asks the revision of the call what is missing", () => {
  const missingIn: MissingCapability = ({ method }) => method === "roots/list" ? { roots: { listChanged: {} } } : undefined;
  assert.deepEqual(missing([form, roots], {}, missingIn), { roots: { listChanged: {} } });
});
