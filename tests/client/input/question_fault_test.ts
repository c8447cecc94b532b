import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { InputRequiredError, JsonObject, TransportError } from "../../../client/mod.ts";
import { questionFault } from "../../../client/input/question_fault.ts";
import type { InputRequest } from "../../../protocol/types.ts";
import { ask, FORM, rounds } from "../asking.ts";

const METHOD = "elicitation/create";
const schema = { type: "object", properties: {} };
const messages = [{ role: "user", content: { type: "text", text: "x" } }];

Deno.test("questionFault takes whole questions, and names what half of one lacks", () => {
  const rows: readonly (readonly [JsonObject, string | undefined])[] = [
    [FORM, undefined],
    [{ method: METHOD, params: { message: "m", requestedSchema: schema } }, undefined],
    [{ method: METHOD, params: { mode: "url", message: "m", url: "https://example.com" } }, undefined],
    [{ method: "sampling/createMessage", params: { messages, maxTokens: 1 } }, undefined],
    [{ method: "roots/list" }, undefined],
    [{ method: METHOD, params: { requestedSchema: schema } }, "message is not a string"],
    [{ method: METHOD, params: { message: "m" } }, "requestedSchema is not an object"],
    [{ method: METHOD, params: { message: "m", requestedSchema: [] } }, "requestedSchema is not an object"],
    [{ method: METHOD, params: { mode: "url", message: "m", url: 5 } }, "url is not a string"],
    [{ method: "sampling/createMessage", params: { messages: {} } }, "messages is not a list"],
  ];
  for (const [question, fault] of rows) assert.equal(questionFault(question as unknown as InputRequest), fault);
});

Deno.test("a handler is not called with half a question, and the call says so", async () => {
  const server = rounds(ask({ a: { method: METHOD, params: { message: "m" } } }));
  let called = false;
  await using client = await connect(server, {
    inputs: {
      form: () => {
        called = true;
        return { action: "decline" };
      },
    },
  });
  await assert.rejects(client.callTool("x"), (error: InputRequiredError) => {
    assert.equal(error.reason, "handler_failed");
    assert.equal((error.cause as TransportError).reason, "not_mcp");
    return true;
  });
  assert.equal(called, false);
});
