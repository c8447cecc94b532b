/** Tests of `server/rounds.ts`: tools, prompts and resources that ask. */
import assert from "node:assert/strict";
import type { Context } from "../../protocol/context.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { ask, inputRequired } from "../../server/ask.ts";
import { prompt } from "../../server/prompt.ts";
import { resource } from "../../server/resource.ts";
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/tool.ts";
import { errorOf, request, resultOf, serverOf, textOf } from "./calls.ts";

const QUESTIONS = { u: ask.form("Which city?", { city: { type: "string", required: true } }) };
const FORMS: JsonObject = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };

/** Asks for a city, counts rounds in its state, and tells both. */
function cityOf(ctx: Context) {
  const round = typeof ctx.state === "number" ? ctx.state : 0;
  const { u } = ctx.answers(QUESTIONS);
  if (u === undefined) return inputRequired(QUESTIONS, { state: round + 1 });
  return u.action === "accept" ? `${u.content.city} after ${round}` : u.action;
}

function askingServer(): Server {
  return serverOf({
    tools: [tool({ name: "city", args: { a: {} }, handler: (_args, ctx) => cityOf(ctx) })],
    prompts: [prompt({ name: "city", render: (_args, ctx) => cityOf(ctx) })],
    resources: [resource({ uri: "x://city", name: "city", read: (_variables, ctx) => cityOf(ctx) })],
  }, { stateKeys: [new Uint8Array(32)] });
}

const SERVER = askingServer();

/** Calls the tool once more, with answers and a state. */
function again(state: JsonValue | undefined, responses: JsonValue | undefined, params: JsonObject = {}) {
  return request("tools/call", {
    name: "city",
    ...(responses === undefined ? {} : { inputResponses: responses }),
    ...(state === undefined ? {} : { requestState: state }),
    ...params,
    _meta: FORMS,
  }, 2);
}

async function firstState(): Promise<string> {
  return (await resultOf(SERVER, again(undefined, undefined))).requestState as string;
}

Deno.test("tools, prompts and resources ask, and go on with the answer (M-MRTR-002, M-MRTR-003, M-MRTR-036, M-TOOL-012, M-RES-009, M-PROMPT-007)", async () => {
  const targets = [["tools/call", { name: "city" }], ["prompts/get", { name: "city" }], ["resources/read", {
    uri: "x://city",
  }]] as const;
  for (const [method, params] of targets) {
    const asked = await resultOf(SERVER, request(method, { ...params, _meta: FORMS }));
    assert.equal(asked.resultType, "input_required");
    assert.deepEqual(asked.inputRequests, { u: { method: "elicitation/create", params: { ...QUESTIONS.u.params } } });
    assert.deepEqual([asked.ttlMs, asked.cacheScope, typeof asked.requestState], [undefined, undefined, "string"]);
    const inputResponses = { u: { action: "accept", content: { city: "Bern" } } };
    const answered = await resultOf(
      SERVER,
      request(method, { ...params, inputResponses, requestState: asked.requestState, _meta: FORMS }),
    );
    assert.equal(answered.resultType, "complete");
    assert.match(JSON.stringify(answered), /Bern after 1/);
  }
});

Deno.test("decline and cancel reach the handler; what does not fit is asked again with the state (B065, M-MRTR-020, M-MRTR-034, M-MRTR-035)", async () => {
  const state = await firstState();
  for (const action of ["decline", "cancel"]) {
    assert.equal(textOf(await resultOf(SERVER, again(state, { u: { action }, zz: { action: "accept" } }))), action);
  }
  const unfit: JsonValue[] = [{}, { u: { action: "accept" } }, { u: { action: "accept", content: { city: 5 } } }, {
    u: { action: "maybe" },
  }, { zz: 1 }];
  for (const responses of unfit) {
    const asked = await resultOf(SERVER, again(state, responses));
    assert.equal(asked.resultType, "input_required", JSON.stringify(responses));
    assert.match(
      textOf(await resultOf(SERVER, again(asked.requestState, { u: { action: "accept", content: { city: "Bern" } } }))),
      /after 2/,
    );
  }
});

Deno.test("answers without a state are read as well", async () => {
  assert.equal(
    textOf(await resultOf(SERVER, again(undefined, { u: { action: "accept", content: { city: "Bern" } } }))),
    "Bern after 0",
  );
});

Deno.test("answers that are no object, and states that are no text, get -32602 (M-MRTR-031, M-MRTR-033)", async () => {
  for (const responses of [null, [], "x", 7] as JsonValue[]) {
    assert.equal((await errorOf(SERVER, again(undefined, responses))).code, -32602);
  }
  for (const state of [null, 7, {}, true] as JsonValue[]) assert.equal((await errorOf(SERVER, again(state, {}))).code, -32602);
});

Deno.test("a state opens only unaltered, for its own arguments, method and caller (M-MRTR-009, M-MRTR-010, M-MRTR-011, M-MRTR-013, M-MRTR-015)", async () => {
  const state = await firstState();
  const sentence = /requestState was altered, has expired, or belongs to another/;
  for (const altered of ["", "x", `A${state.slice(1)}`.replace(/^AA/, "BA"), `${state.slice(0, -8)}AAAAAAAA`]) {
    if (altered === state) continue;
    const error = await errorOf(SERVER, again(altered, {}));
    assert.equal(error.code, -32602);
    assert.match(error.message, sentence);
  }
  assert.match((await errorOf(SERVER, again(state, {}, { arguments: { a: 1 } }))).message, sentence);
  const elsewhere = request("prompts/get", { name: "city", requestState: state, _meta: FORMS });
  assert.match((await errorOf(SERVER, elsewhere)).message, sentence);
  const principal = { principal: "mallory", scopes: [] } as never;
  assert.match((await errorOf(SERVER, again(state, {}), { principal })).message, sentence);
  assert.equal(
    (await resultOf(askingServer(), again(state, {}))).resultType,
    "input_required",
    "another instance with the same key",
  );
});

Deno.test("arguments that are left out and empty ones are the same request", async () => {
  const state = await firstState();
  assert.equal((await resultOf(SERVER, again(state, {}, { arguments: {} }))).resultType, "input_required");
});

Deno.test("a state of one resource does not open for another that is read under the same surplus name (M-MRTR-011)", async () => {
  const server = serverOf({
    resources: [resource({ uri: "x://{city}", name: "city", read: (_variables, ctx) => cityOf(ctx) })],
  });
  const read = (uri: string, more: JsonObject = {}) => request("resources/read", { uri, name: "n", ...more, _meta: FORMS });
  const { requestState } = await resultOf(server, read("x://bern"));
  const back = { requestState, inputResponses: { u: { action: "decline" } } } as JsonObject;
  assert.equal((await errorOf(server, read("x://rome", back))).code, -32602);
  assert.equal((await resultOf(server, read("x://bern", back))).resultType, "complete");
});

Deno.test("a question that the client can not answer is -32021 with what is missing (M-MRTR-018)", async () => {
  const make = (questions: Parameters<typeof inputRequired>[0]) =>
    serverOf({ tools: [tool({ name: "t", handler: () => inputRequired(questions) })] });
  const all = make({
    f: QUESTIONS.u,
    w: ask.url("?", "https://a.example"),
    s: ask.sampling({ messages: [], maxTokens: 1 }),
    r: ask.roots(),
  });
  const call = (capabilities: JsonObject) =>
    request("tools/call", { name: "t", _meta: { "io.modelcontextprotocol/clientCapabilities": capabilities } });
  const error = await errorOf(all, call({}));
  assert.equal(error.code, -32021);
  assert.deepEqual(error.data, { requiredCapabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } });
  assert.deepEqual((await errorOf(all, call({ elicitation: {}, sampling: {} }))).data, {
    requiredCapabilities: { elicitation: { url: {} }, roots: {} },
  });
  const capable = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
  assert.equal((await resultOf(all, call(capable))).resultType, "input_required");
  assert.equal((await resultOf(make({ f: QUESTIONS.u }), call({ elicitation: {} }))).resultType, "input_required");
});

Deno.test("a result written out by hand is the same as inputRequired", async () => {
  const byHand = { resultType: "input_required", inputRequests: { r: { method: "roots/list" } }, requestState: "kept" };
  const seen: unknown[] = [];
  const server = serverOf({
    tools: [tool({
      name: "t",
      handler: (_args, ctx) => {
        seen.push(ctx.state);
        return ctx.state === undefined ? byHand : "done";
      },
    })],
  }, { stateKeys: [new Uint8Array(32)] });
  const meta = { "io.modelcontextprotocol/clientCapabilities": { roots: {} } };
  const asked = await resultOf(server, request("tools/call", { name: "t", _meta: meta }));
  assert.notEqual(asked.requestState, "kept");
  await resultOf(server, request("tools/call", { name: "t", inputResponses: {}, requestState: asked.requestState, _meta: meta }));
  assert.deepEqual(seen, [undefined, "kept"]);
});

Deno.test("questions and states that JSON can not carry are the server's fault", async () => {
  for (
    const result of [
      () => inputRequired({}, { state: { at: new Date() } }),
      () => ({ resultType: "input_required", inputRequests: { r: { method: "roots/list", params: { n: 1n } } } }),
    ]
  ) {
    const server = serverOf({ tools: [tool({ name: "t", handler: result } as never)] });
    const meta = { "io.modelcontextprotocol/clientCapabilities": { roots: {} } };
    assert.equal((await errorOf(server, request("tools/call", { name: "t", _meta: meta }))).message, "Internal error");
  }
});

Deno.test("a result written out by hand that asks nothing, or in another way than the protocol has it, is the server's fault (M-MRTR-007, M-MRTR-017)", async () => {
  const wrong = [
    { resultType: "input_required" },
    { resultType: "input_required", inputRequests: {} },
    { resultType: "input_required", inputRequests: { x: { method: "tools/call", params: {} } } },
    { resultType: "input_required", inputRequests: { x: null } },
    { resultType: "input_required", inputRequests: [] },
  ];
  for (const result of wrong) {
    const server = serverOf({ tools: [tool({ name: "t", handler: () => result })] });
    const error = await errorOf(server, request("tools/call", { name: "t", _meta: FORMS }));
    assert.deepEqual([error.code, error.message], [-32603, "Internal error"], JSON.stringify(result));
  }
});

Deno.test("a state of null, false or zero comes back as it was given", async () => {
  for (const state of [null, false, 0, ""]) {
    const seen: unknown[] = [];
    const asks = tool({
      name: "t",
      handler: (_args, ctx) => {
        seen.push(ctx.state);
        return seen.length > 1 ? "done" : inputRequired({}, { state });
      },
    });
    const server = serverOf({ tools: [asks] }, { stateKeys: [new Uint8Array(32)] });
    const { requestState } = await resultOf(server, request("tools/call", { name: "t" }));
    assert.equal(textOf(await resultOf(server, request("tools/call", { name: "t", requestState } as JsonObject))), "done");
    assert.deepEqual(seen, [undefined, state]);
  }
});
