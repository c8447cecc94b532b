/** Tests of the wire: what a server asks people and models, and what it makes of the answers (areas ELIC and SAMP). */
import assert from "node:assert/strict";
import { ask, defineServer, inputRequired, tool } from "../../../server/mod.ts";
import type { Server } from "../../../server/mod.ts";
import { callTool, metaOfClient, refused } from "../wire.ts";
import type { Json } from "../wire.ts";

const MESSAGE = { role: "user", content: { type: "text", text: "?" } } as const;

/** A tool that asks one question and says what the answer was. */
function asking(question: Json): Server {
  return defineServer({
    name: "elicitation",
    version: "1",
    tools: [
      tool({
        name: "t",
        handler: (_args, ctx): Json => {
          const answers = ctx.answers({ q: question });
          return "q" in answers ? { structured: answers.q as Json } : inputRequired({ q: question });
        },
      }),
    ],
  }) as Server;
}

const asked = async (question: Json, capabilities: Json): Promise<Json> =>
  (await callTool(asking(question), "t", {}, metaOfClient(capabilities))).result.inputRequests.q;
const answered = async (
  question: Json,
  answer: Json,
  capabilities: Json = { elicitation: { form: {}, url: {} } },
): Promise<Json> =>
  (await callTool(asking(question), "t", {}, metaOfClient(capabilities), { inputResponses: { q: answer } })).result;

const FORM = ask.form("Who?", { name: { type: "string", required: true }, size: { type: "number" } });
const URL_QUESTION = ask.url("Visit", "https://example.com/a?b=c");

Deno.test("server.fetch() takes an empty elicitation capability for forms alone (M-ELIC-010, M-ELIC-012)", async () => {
  assert.equal((await asked(FORM, { elicitation: {} })).params.mode, "form");
  refused(await callTool(asking(URL_QUESTION), "t", {}, metaOfClient({ elicitation: {} })), -32021, 400);
});

Deno.test("server.fetch() asks in no mode that the client lacks (M-ELIC-012, M-ERR-013)", async () => {
  refused(await callTool(asking(URL_QUESTION), "t", {}, metaOfClient({ elicitation: { form: {} } })), -32021, 400);
  refused(await callTool(asking(FORM), "t", {}, metaOfClient({ elicitation: { url: {} } })), -32021, 400);
  assert.equal((await asked(URL_QUESTION, { elicitation: { url: {} } })).params.mode, "url");
});

Deno.test("server.fetch() asks a form with message and schema (M-ELIC-013, M-ELIC-017)", async () => {
  assert.deepEqual((await asked(FORM, { elicitation: {} })).params, {
    mode: "form",
    message: "Who?",
    requestedSchema: {
      type: "object",
      properties: { name: { type: "string" }, size: { type: "number" } },
      required: ["name"],
    },
  });
});

Deno.test("server.fetch() asks to visit a page with mode, message and URL, and nothing else (M-ELIC-013, M-ELIC-014, M-ELIC-023, M-ELIC-025)", async () => {
  assert.deepEqual(await asked(URL_QUESTION, { elicitation: { url: {} } }), {
    method: "elicitation/create",
    params: { mode: "url", message: "Visit", url: "https://example.com/a?b=c" },
  });
});

Deno.test("ask.form refuses fields that are no flat property (M-ELIC-018)", () => {
  for (
    const field of [
      { type: "object", properties: {} },
      { type: "null" },
      { $ref: "#/$defs/a" },
      {},
      { anyOf: [{ type: "string" }] },
    ] as Json[]
  ) assert.throws(() => ask.form("?", { a: field }), /^TypeError: form\.a: Expected/);
});

Deno.test("server.fetch() asks for choices of every form (M-ELIC-020)", async () => {
  const fields = {
    single: { type: "string", enum: ["a", "b"] },
    titled: { type: "string", oneOf: [{ const: "a", title: "A" }] },
    several: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    severalTitled: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
    old: { type: "string", enum: ["a"], enumNames: ["A"] },
  } as const;
  const question = ask.form("?", fields as Json);
  assert.deepEqual((await asked(question, { elicitation: {} })).params.requestedSchema.properties, fields);
  const content = { single: "b", titled: "a", several: ["a", "b"], severalTitled: ["a"], old: "a" };
  assert.deepEqual((await answered(question, { action: "accept", content })).structuredContent, { action: "accept", content });
  for (const wrong of [{ single: "c" }, { titled: "A" }, { several: ["c"] }, { severalTitled: "a" }, { old: "A" }]) {
    assert.equal((await answered(question, { action: "accept", content: wrong })).resultType, "input_required");
  }
});

Deno.test("server.fetch() gives the handler what was accepted, numbers that are no integers included (M-SCHEMA-021)", async () => {
  const content = { name: "Ada", size: 1.5 };
  assert.deepEqual((await answered(FORM, { action: "accept", content })).structuredContent, { action: "accept", content });
});

Deno.test("server.fetch() gives the handler declined and cancelled forms and pages (M-ELIC-031)", async () => {
  for (const question of [FORM, URL_QUESTION]) {
    for (const action of ["decline", "cancel"]) {
      assert.deepEqual((await answered(question, { action })).structuredContent, { action });
    }
  }
  assert.deepEqual((await answered(URL_QUESTION, { action: "accept" })).structuredContent, { action: "accept" });
});

Deno.test("server.fetch() asks again when the client could not answer (M-ELIC-031)", async () => {
  for (const answer of [null, {}, { error: { code: -1, message: "no" } }, { action: "failed" }, { action: "accept" }]) {
    assert.equal((await answered(FORM, answer)).resultType, "input_required");
  }
});

Deno.test("server.fetch() asks models with messages and maxTokens (M-SAMP-012, M-SAMP-021, M-SAMP-022)", async () => {
  const question = ask.sampling({ messages: [MESSAGE, { role: "assistant", content: [MESSAGE.content] }], maxTokens: 9 });
  assert.deepEqual(await asked(question, { sampling: {} }), {
    method: "sampling/createMessage",
    params: { messages: [MESSAGE, { role: "assistant", content: [MESSAGE.content] }], maxTokens: 9 },
  });
});

Deno.test("server.fetch() takes no sampling answer without role, content and model", async () => {
  const question = ask.sampling({ messages: [MESSAGE], maxTokens: 9 });
  const full = { role: "assistant", content: MESSAGE.content, model: "m" };
  assert.deepEqual((await answered(question, full, { sampling: {} })).structuredContent, full);
  for (const name of ["role", "content", "model"]) {
    assert.equal((await answered(question, { ...full, [name]: undefined }, { sampling: {} })).resultType, "input_required");
  }
});
