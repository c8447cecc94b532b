import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { InputHandlers, JsonObject } from "../../../client/mod.ts";
import { answersOf, ask, FORM, formOf, rounds } from "../asking.ts";
import { metaOf } from "../scripted.ts";

Deno.test("answerInput checks answers before they are sent (M-ELIC-027, M-ELIC-028, M-ELIC-060, M-SAMP-036, M-ROOT-004, M-ROOT-007)", async () => {
  const faulty: readonly (readonly [JsonObject, InputHandlers])[] = [
    [FORM, { form: () => ({ action: "maybe" }) as never }],
    [FORM, { form: () => ({ action: "accept" }) as never }],
    [FORM, formOf({ city: 5 })],
    [FORM, formOf({})],
    [FORM, { form: () => undefined as never }],
    [{ method: "sampling/createMessage", params: { messages: [] } }, {
      sampling: () => ({ role: "assistant", content: [] }) as never,
    }],
    [{ method: "sampling/createMessage", params: {} }, {
      sampling: () => ({ role: "system", content: [], model: "m" }) as never,
    }],
    [{ method: "roots/list" }, { roots: () => [{ uri: "https://x" }] }],
    [{ method: "roots/list" }, { roots: () => [{ uri: "file:///a/../../etc" }] }],
    [{ method: "roots/list" }, { roots: () => [{ uri: "file:///a/%2E%2e/etc" }] }],
  ];
  for (const [question, inputs] of faulty) {
    const server = rounds(ask({ a: question }));
    await using client = await connect(server, { inputs });
    await assert.rejects(client.callTool("x"), { reason: "handler_failed" }, JSON.stringify(question));
    assert.equal(server.requests().length, 1);
  }
});

Deno.test("answerInput refuses sampling with tools that it did not declare (M-SAMP-020)", async () => {
  const question: JsonObject = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1, tools: [] } };
  let called = 0;
  const inputs: InputHandlers = { sampling: () => (called++, { role: "assistant", content: [], model: "m" }) };
  await using plain = await connect(rounds(ask({ s: question })), { inputs });
  await assert.rejects(plain.callTool("x"), { reason: "handler_failed" });
  assert.equal(called, 0);
  const server = rounds(ask({ s: question }));
  await using declared = await connect(server, { inputs, capabilities: { sampling: { tools: {} } } });
  await declared.callTool("x");
  assert.equal(called, 1);
  assert.deepEqual(metaOf(server.requests()[0])["io.modelcontextprotocol/clientCapabilities"], { sampling: { tools: {} } });
});

Deno.test("answerInput fills in the defaults of a form, and sends no content with a refusal (M-ELIC-016, M-ELIC-022, M-ELIC-029, B065)", async () => {
  const schema: JsonObject = {
    type: "object",
    properties: { city: { type: "string", default: "Bern" }, days: { type: "integer", default: 3 }, note: { type: "string" } },
    required: ["city"],
  };
  const question: JsonObject = { method: "elicitation/create", params: { message: "m", requestedSchema: schema } };
  const server = rounds(
    ask({ a: question }),
    ask({ a: question }),
    ask({ a: { ...question, params: { ...question.params as JsonObject, mode: "form" } } }),
  );
  const answers = [
    { action: "accept", content: { days: 5 } },
    { action: "decline", content: { days: 5 } },
    { action: "cancel", content: {} },
  ];
  let turn = 0;
  await using client = await connect(server, { inputs: { form: () => answers[turn++] as never } });
  await client.callTool("x");
  assert.deepEqual([1, 2, 3].map((round) => answersOf(server, round)), [
    { a: { action: "accept", content: { days: 5, city: "Bern" } } },
    { a: { action: "decline" } },
    { a: { action: "cancel" } },
  ]);
});

Deno.test("answerInput asks nobody to fill in a form that can not be compiled, and names the question (B065)", async () => {
  let asked = 0;
  const form = (): { action: "accept"; content: JsonObject } => (asked++, { action: "accept", content: {} });
  for (const property of [{ type: "string", enum: 5 }, { type: "string", pattern: "(" }, { $ref: "https://x.example/s.json" }]) {
    const requestedSchema = { type: "object", properties: { a: property } };
    const server = rounds(ask({ a: { method: "elicitation/create", params: { message: "m", requestedSchema } } }));
    await using client = await connect(server, { inputs: { form } });
    const error = await client.callTool("x").then(() => assert.fail("Expected a rejection"), (error) => error);
    assert.deepEqual([error.reason, error.cause.reason], ["handler_failed", "not_mcp"]);
    assert.match(
      error.cause.message,
      /^Reading a question of the server \(elicitation\/create\): Compiling a JSON Schema: schema\.properties\.a\.\S+: /,
    );
    assert.equal(server.requests().length, 1);
  }
  assert.equal(asked, 0);
});
