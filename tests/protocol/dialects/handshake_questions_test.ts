/** Tests of the questions that a server asks by requests of its own, and of the answers. */
import assert from "node:assert/strict";
import type { Dialect, Handshake, Outcome } from "../../../protocol/dialect.ts";
import { dialect20250618, dialect20251125 } from "../../loaded_dialects.ts";
import type { JsonObject, JsonValue } from "../../../protocol/json.ts";
import type { InputRequest, JsonRpcRequest } from "../../../protocol/types.ts";
import { QUESTIONS } from "./specimen_inputs.ts";

const BOTH: readonly (Dialect & { readonly handshake: Handshake })[] = [dialect20251125, dialect20250618];
const newer = dialect20251125.handshake;
const older = dialect20250618.handshake;
const question = (name: string): InputRequest => QUESTIONS[name] as InputRequest;

const asked = (handshake: Handshake, one: InputRequest): Outcome<JsonRpcRequest> =>
  handshake.writeQuestion({ id: 1, question: one, progressToken: undefined, elicitationId: "e" });

function written(handshake: Handshake, one: InputRequest): JsonRpcRequest {
  const outcome = asked(handshake, one);
  assert.ok(outcome.ok, outcome.ok ? "" : outcome.error.message);
  return outcome.value;
}

const request = (method: string, params?: JsonObject): JsonRpcRequest => ({ jsonrpc: "2.0", id: 1, method, params });
const codeOf = (outcome: Outcome<unknown>): number | undefined => outcome.ok ? undefined : outcome.error.code;

Deno.test("missingCapability says what a client has to declare in 2025-11-25 (L-BASE-011, L-LIFE-016)", () => {
  const missing = (name: string, declared: JsonObject): unknown => newer.missingCapability(question(name), declared);
  assert.deepEqual(missing("form", {}), { elicitation: { form: {} } });
  assert.equal(missing("form", { elicitation: {} }), undefined);
  assert.equal(missing("form", { elicitation: { form: {} } }), undefined);
  assert.deepEqual(missing("form", { elicitation: { url: {} } }), { elicitation: { form: {} } });
  assert.deepEqual(missing("url", { elicitation: {} }), { elicitation: { url: {} } });
  assert.equal(missing("url", { elicitation: { url: {} } }), undefined);
  assert.deepEqual(missing("sampling", {}), { sampling: {} });
  assert.equal(missing("sampling", { sampling: {} }), undefined);
  assert.deepEqual(missing("sampling with tools", { sampling: {} }), { sampling: { tools: {} } });
  assert.equal(missing("sampling with tools", { sampling: { tools: {} } }), undefined);
  assert.deepEqual(missing("roots", {}), { roots: {} });
  assert.equal(missing("roots", { roots: {} }), undefined);
});

Deno.test("missingCapability says what a client has to declare in 2025-06-18 (L-BASE-011, L-LIFE-016)", () => {
  for (const [name, capability] of [["form", "elicitation"], ["sampling", "sampling"], ["roots", "roots"]] as const) {
    assert.deepEqual(older.missingCapability(question(name), {}), { [capability]: {} });
    assert.equal(older.missingCapability(question(name), { [capability]: {} }), undefined);
  }
});

Deno.test("writeQuestion writes requests with an id and a progress token where one is given (L-ELIC-002, L-SAMP-002)", () => {
  for (const { handshake } of BOTH) {
    for (const name of ["form", "sampling", "roots"]) {
      const { id, method, params } = written(handshake, question(name));
      assert.deepEqual([id, method, params?._meta], [1, question(name).method, undefined]);
      const out = handshake.writeQuestion({ id: "q", question: question(name), progressToken: 0, elicitationId: "e" });
      assert.deepEqual(out.ok && [out.value.id, out.value.params?._meta], ["q", { progressToken: 0 }]);
    }
    assert.equal(Object.hasOwn(written(handshake, question("roots")), "params"), false);
  }
});

Deno.test("writeQuestion names a visit to a URL in 2025-11-25, and has no word for it in 2025-06-18 (L-ELIC-010, L-ELIC-015)", () => {
  assert.deepEqual(written(newer, question("url")).params, {
    mode: "url",
    message: "Go there",
    url: "https://example.com/pay",
    elicitationId: "e",
  });
  assert.equal(codeOf(asked(older, question("url"))), -32603);
});

Deno.test("writeQuestion writes forms of single choices in 2025-06-18 (L-ELIC-009, L-ELIC-011, L-ELIC-012, L-ELIC-013)", () => {
  const params = written(older, question("form")).params as JsonObject;
  assert.deepEqual(Object.keys(params), ["message", "requestedSchema"]);
  const schema = params.requestedSchema as JsonObject;
  assert.deepEqual(Object.keys(schema), ["type", "properties", "required"]);
  const fields = schema.properties as { readonly [name: string]: JsonObject };
  assert.deepEqual(fields.size, { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] });
  assert.deepEqual(Object.keys(fields).filter((name) => fields[name]?.default !== undefined), ["sure"]);
  assert.equal(codeOf(asked(older, question("form with lists"))), -32603);
});

Deno.test("writeQuestion keeps choices, lists and defaults in 2025-11-25", () => {
  for (const name of ["form", "form with lists"]) {
    const schema = (written(newer, question(name)).params as JsonObject).requestedSchema as JsonObject;
    const given = (question(name).params as unknown as JsonObject).requestedSchema as JsonObject;
    assert.deepEqual(schema.properties, given.properties);
  }
});

Deno.test("writeQuestion splits messages of several blocks in 2025-06-18, and refuses tools (L-SAMP-007, L-SAMP-008)", () => {
  const { messages } = written(older, question("sampling")).params as { readonly messages: readonly JsonObject[] };
  assert.deepEqual(messages.map(({ role, content }) => [role, (content as JsonObject).type]), [
    ["user", "text"],
    ["user", "image"],
    ["assistant", "text"],
  ]);
  const tools = question("sampling with tools").params as unknown as JsonObject;
  for (
    const params of [tools, { ...tools, toolChoice: undefined, tools: undefined }, { messages: [], maxTokens: 1, tools: [] }]
  ) {
    const one = { method: "sampling/createMessage", params } as unknown as InputRequest;
    assert.equal(codeOf(asked(older, one)), -32603);
  }
});

Deno.test("readQuestion gives back in 2025-11-25 what writeQuestion was given", () => {
  for (const name of Object.keys(QUESTIONS).filter((one) => one !== "sampling with tools")) {
    const read = newer.readQuestion(written(newer, question(name)));
    const given = question(name);
    const params = given.method === "elicitation/create" && given.params.mode === undefined
      ? { mode: "form", ...given.params }
      : given.params;
    assert.deepEqual(read, {
      ok: true,
      value: params === undefined ? { method: given.method } : { method: given.method, params },
    });
  }
});

Deno.test("readQuestion makes titled choices of named ones in 2025-06-18", () => {
  const read = older.readQuestion(request("elicitation/create", {
    message: "m",
    mode: "ignored",
    requestedSchema: {
      type: "object",
      properties: {
        a: { type: "string", enum: ["x", "y"], enumNames: ["X"] },
        b: { type: "string", enum: ["x"] },
      },
    },
  }));
  assert.deepEqual(read.ok && read.value.params, {
    message: "m",
    requestedSchema: {
      type: "object",
      properties: {
        a: { type: "string", oneOf: [{ const: "x", title: "X" }, { const: "y", title: "y" }] },
        b: { type: "string", enum: ["x"] },
      },
    },
  });
});

Deno.test("readQuestion answers other methods with -32601, and ignores what it does not know", () => {
  for (const { handshake } of BOTH) {
    for (const method of ["ping", "tools/call", "__proto__", ""]) {
      assert.equal(codeOf(handshake.readQuestion(request(method))), -32601);
    }
    for (const params of [undefined, {}, { _meta: { progressToken: 1 }, task: {} }]) {
      assert.deepEqual(handshake.readQuestion(request("roots/list", params)), { ok: true, value: { method: "roots/list" } });
    }
    const params = { messages: [], maxTokens: 1 };
    const read = handshake.readQuestion(request("sampling/createMessage", { ...params, task: { ttl: 1 }, _meta: {} }));
    assert.deepEqual(read.ok && read.value.params, params);
  }
});

Deno.test("readQuestion answers params that lack the keys of their kind with -32602 (L-SAMP-005, L-SAMP-006)", () => {
  const form = { type: "object", properties: {} };
  const both: readonly (readonly [string, JsonObject])[] = [
    ["elicitation/create", {}],
    ["elicitation/create", { message: "m" }],
    ["elicitation/create", { requestedSchema: form }],
    ["elicitation/create", { message: "m", requestedSchema: { type: "object" } }],
    ["elicitation/create", { message: "m", requestedSchema: { ...form, properties: { a: true } } }],
    ["sampling/createMessage", {}],
    ["sampling/createMessage", { messages: [] }],
    ["sampling/createMessage", { messages: [], maxTokens: 1.5 }],
    ["sampling/createMessage", { maxTokens: 1 }],
    ["sampling/createMessage", { messages: [{ role: "user" }], maxTokens: 1 }],
    ["sampling/createMessage", { messages: [{ role: "system", content: { type: "text" } }], maxTokens: 1 }],
  ];
  for (const { handshake } of BOTH) {
    for (const [method, params] of both) {
      assert.equal(codeOf(handshake.readQuestion(request(method, params))), -32602, JSON.stringify(params));
    }
  }
  const use = { role: "assistant", content: { type: "tool_use", id: "1", name: "a", input: {} } };
  const outcome = { type: "tool_result", toolUseId: "1", content: [] };
  const later: readonly (readonly [string, JsonObject])[] = [
    ["elicitation/create", { message: "m", mode: "video", requestedSchema: form }],
    ["elicitation/create", { message: "m", mode: "url", elicitationId: "e" }],
    ["elicitation/create", { message: "m", mode: "url", url: "https://example.com" }],
    ["sampling/createMessage", { messages: [use], maxTokens: 1 }],
    ["sampling/createMessage", { messages: [use, { role: "user", content: { type: "text", text: "a" } }], maxTokens: 1 }],
    ["sampling/createMessage", {
      messages: [use, { role: "user", content: [outcome, { type: "text", text: "a" }] }],
      maxTokens: 1,
    }],
    ["sampling/createMessage", { messages: [use, { role: "user", content: { ...outcome, toolUseId: "2" } }], maxTokens: 1 }],
  ];
  for (const [method, params] of later) {
    assert.equal(codeOf(newer.readQuestion(request(method, params))), -32602, JSON.stringify(params));
  }
  assert.ok(
    newer.readQuestion(request("sampling/createMessage", {
      messages: [use, { role: "user", content: [outcome] }],
      maxTokens: 1,
    })).ok,
  );
});

Deno.test("readAnswer reads a bare answer of every kind", () => {
  for (const { handshake } of BOTH) {
    const read = (name: string, result: JsonObject): unknown => {
      const outcome = handshake.readAnswer(question(name), result);
      return outcome.ok && outcome.value;
    };
    assert.deepEqual(read("form", { action: "accept", content: { a: 1 }, _meta: {} }), { action: "accept", content: { a: 1 } });
    assert.deepEqual(read("form", { action: "accept" }), { action: "accept", content: {} });
    assert.deepEqual(read("form", { action: "decline", content: { a: 1 } }), { action: "decline" });
    assert.deepEqual(read("url", { action: "accept", content: {} }), { action: "accept" });
    const sampled = { role: "assistant", model: "m", content: { type: "text", text: "a" }, stopReason: "endTurn" };
    assert.deepEqual(read("sampling", { ...sampled, more: 1 }), sampled);
    assert.deepEqual(read("roots", { roots: [{ uri: "file:///a" }], _meta: {} }), { roots: [{ uri: "file:///a" }] });
  }
});

Deno.test("readAnswer refuses results that do not fit their question", () => {
  const odd: readonly (readonly [string, JsonObject])[] = [
    ["form", {}],
    ["form", { action: "maybe" }],
    ["form", { action: "accept", content: [] }],
    ["form", { action: "accept", content: null }],
    ["sampling", {}],
    ["sampling", { role: "assistant", model: "m" }],
    ["sampling", { role: "system", model: "m", content: { type: "text", text: "" } }],
    ["sampling", { role: "assistant", content: { type: "text", text: "" } }],
    ["roots", {}],
    ["roots", { roots: [{}] }],
  ];
  for (const { handshake } of BOTH) {
    for (const [name, result] of odd) assert.ok(!handshake.readAnswer(question(name), result).ok, JSON.stringify([name, result]));
  }
});

Deno.test("writeAnswer writes results without what only later revisions have (L-ELIC-014, L-SAMP-007)", () => {
  const sampled = (content: JsonValue): JsonObject => ({ role: "assistant", model: "m", content, resultType: "complete" });
  const a = { type: "text", text: "a" };
  const image = { type: "image", data: "AQ==", mimeType: "image/png" };
  const contents = (content: JsonValue): readonly JsonValue[] =>
    BOTH.map(({ handshake }) => handshake.writeAnswer(question("sampling"), sampled(content)).content as JsonValue);
  assert.deepEqual(contents(a), [a, a]);
  assert.deepEqual(contents([a]), [[a], a]);
  assert.deepEqual(contents([a, a]), [[a, a], { type: "text", text: "a\na" }]);
  assert.deepEqual(contents([image, a]), [[image, a], image]);
  assert.deepEqual(contents([]), [[], { type: "text", text: "" }]);
  for (const { handshake } of BOTH) {
    assert.deepEqual(handshake.writeAnswer(question("form"), { action: "decline", content: {}, resultType: "x" }), {
      action: "decline",
    });
    assert.deepEqual(Object.keys(handshake.writeAnswer(question("sampling"), sampled(a))).sort(), ["content", "model", "role"]);
  }
});
