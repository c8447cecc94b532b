/** Tests of `server/input/rounds.ts`: tools, prompts and resources that ask. */
import assert from "node:assert/strict";
import type { Context } from "../../../protocol/context.ts";
import type { JsonObject, JsonValue } from "../../../protocol/types.ts";
import { ask, inputRequired } from "../../../server/input/ask.ts";
import { prompt } from "../../../server/components/prompt.ts";
import { resource } from "../../../server/components/resource.ts";
import { defineServer } from "../../../server/server.ts";
import type { Server } from "../../../server/server_types.ts";
import { tool } from "../../../server/components/tool.ts";
import { ABLE, everywhere, messageOf, play, TARGETS } from "../asking.ts";
import { errorOf, request, resultOf, serverOf, textOf } from "../calls.ts";

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

const echo = (question: JsonObject) => ({ action: "accept", content: { city: messageOf(question) } });

Deno.test("a straight-line state opens only unaltered, and for its own caller (M-MRTR-009, M-MRTR-011, M-MRTR-013)", async () => {
  const server = everywhere((ctx) => ctx.elicit("Which city?", { city: { type: "string" } }).then(({ action }) => action));
  for (const [method, params] of TARGETS) {
    const _meta = { "io.modelcontextprotocol/clientCapabilities": ABLE };
    const anna = { principal: { principal: "anna", scopes: [] } as never };
    const asked = await resultOf(server, request(method, { ...params, _meta }), anna);
    const [key] = Object.keys(asked.inputRequests as JsonObject) as [string];
    const state = asked.requestState as string;
    const retry = (requestState: string) =>
      request(method, { ...params, _meta, requestState, inputResponses: { [key]: { action: "decline" } } });
    const altered = `${state.slice(0, 30)}${state[30] === "A" ? "B" : "A"}${state.slice(31)}`;
    assert.equal((await errorOf(server, retry(altered), anna)).code, -32602);
    assert.equal((await errorOf(server, retry(state))).code, -32602, "an anonymous caller");
    assert.equal((await errorOf(server, retry(state), { principal: { principal: "ben", scopes: [] } as never })).code, -32602);
    assert.match(JSON.stringify(await resultOf(server, retry(state), anna)), /decline/);
  }
});

Deno.test("an answer to a question that the state does not name is ignored (M-MRTR-034)", async () => {
  const server = everywhere((ctx) => ctx.elicit("Sure?", {}, { key: "sure" }).then(({ action }) => action));
  const inputResponses = { sure: { action: "accept", content: {} } };
  const _meta = { "io.modelcontextprotocol/clientCapabilities": ABLE };
  const asked = await resultOf(server, request("tools/call", { name: "x", inputResponses, _meta }));
  assert.equal(asked.resultType, "input_required");
});

Deno.test("keys of the state may be changed between rounds", async () => {
  const [old, fresh] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  let ran = 0;
  const make = (stateKeys: readonly Uint8Array[]) =>
    everywhere(async (ctx) => {
      const order = await ctx.once("order", () => ++ran);
      const cities: unknown[] = [order];
      for (const name of ["a", "b", "c"]) cities.push(await ctx.elicit(name, { city: { type: "string" } }));
      return JSON.stringify(cities);
    }, { stateKeys });
  const servers = [make([old]), make([fresh, old]), make([fresh, old]), make([fresh])];
  for (const target of TARGETS) {
    ran = 0;
    const next = (round: number) => servers[round] as Server;
    const { result, rounds } = await play(servers[0] as Server, echo, { target, next });
    assert.deepEqual([rounds.length, ran], [3, 1]);
    assert.match(JSON.stringify(result), /\[1,.*a.*b.*c/);
  }
  const { error } = await play(servers[0] as Server, echo, { next: (round) => make([round === 0 ? old : fresh]) });
  assert.equal(error?.code, -32602);
});

Deno.test("keys of the state are changed while many calls are under way", async () => {
  let keys: readonly Uint8Array[] = [new Uint8Array(32)];
  let server = everywhere(() => "never");
  const rotate = (at: number) => {
    keys = [new Uint8Array(32).fill(at), ...keys].slice(0, 6);
    server = everywhere(async (ctx) => {
      const [a, b] = await Promise.all([ctx.elicit("a", {}), ctx.elicit("b", {})]);
      return [a.action, b.action, (await ctx.elicit("c", {})).action].join();
    }, { stateKeys: keys });
  };
  rotate(1);
  const calls = Array.from({ length: 60 }, (_, at) =>
    play(server, () => ({ action: "cancel" }), {
      next: () => {
        if (at % 20 === 0) rotate(at + 2);
        return server;
      },
    }));
  for (const { result } of await Promise.all(calls)) assert.equal(textOf(result ?? {}), "cancel,cancel,cancel");
});

Deno.test("a state that grows over its limit is an error that names it, and the next call is served (limit requestState)", async () => {
  const errors: unknown[] = [];
  const server = everywhere(async (ctx) => {
    await ctx.elicit("a", { city: { type: "string" } });
    return await ctx.elicit("b", { city: { type: "string" } });
  }, { limits: { requestState: 600 }, onError: (error) => errors.push(error) });
  const answering = (length: number) => () => ({ action: "accept", content: { city: "x".repeat(length) } });
  const { rounds, error } = await play(server, answering(600));
  assert.deepEqual([rounds.length, error?.code], [1, -32603]);
  assert.match(String(error?.message), /more than 600 bytes \(limit requestState\)$/);
  assert.deepEqual(error?.data, { reason: "request_state", limit: 600 });
  assert.match(String(errors[0]), /Expected at most 600 bytes when sealed \(limit requestState\)/);
  assert.equal((await play(server, answering(10))).error, undefined);
});

Deno.test("consumeState lets each state be used once (M-MRTR-016)", async () => {
  const used = new Map<string, number>();
  const consumeState = (id: string, until: number) => !used.has(id) && used.set(id, until).size > 0;
  const server = everywhere(async (ctx) => {
    const answers = [await ctx.elicit("a", {}), await ctx.elicit("b", {})];
    return answers.map(({ action }) => action).join();
  }, { consumeState });
  const { states, result } = await play(server, () => ({ action: "cancel" }));
  assert.equal(textOf(result ?? {}), "cancel,cancel");
  assert.equal(used.size, 2);
  assert.ok([...used.values()].every((until) => until > Date.now()));
  for (const requestState of states as string[]) {
    const error = await errorOf(server, request("tools/call", { name: "x", requestState, inputResponses: {} }));
    assert.deepEqual([error.code, error.message], [-32602, "Invalid params: requestState was used before"]);
  }
  assert.throws(() => everywhere(() => "x", { consumeState: 1 as never }), /^TypeError: consumeState: Expected a function$/);
});

Deno.test("a request state opens on servers of the same name alone, though others have the same keys", async () => {
  const stateKeys = [new Uint8Array(32)];
  const named = (name: string): Server =>
    defineServer({ name, version: "1", stateKeys, tools: [tool({ name: "x", handler: (_args, ctx) => ctx.elicit("a", {}) })] });
  const meta = { _meta: FORMS };
  const { requestState } = await resultOf(named("mail"), request("tools/call", { name: "x", ...meta }));
  const again = request("tools/call", { name: "x", requestState: requestState as string, inputResponses: {}, ...meta });
  assert.ok(await resultOf(named("mail"), again));
  assert.equal((await errorOf(named("bank"), again)).code, -32602);
});

Deno.test("questions by hand and in a straight line go together in one handler", async () => {
  const server = everywhere(async (ctx) => {
    const before = await ctx.elicit("before", { city: { type: "string" } });
    const { u } = ctx.answers(QUESTIONS);
    if (u === undefined) return inputRequired(QUESTIONS, { state: { step: 1 } });
    const after = await ctx.elicit("after", { city: { type: "string" } });
    await ctx.elicit("end", {});
    return JSON.stringify([before, u, after, ctx.state]);
  });
  for (const target of TARGETS) {
    const { rounds, result } = await play(server, echo, { target });
    assert.deepEqual(rounds.map((round) => Object.values(round).map(messageOf)), [["before"], ["Which city?"], ["after"], [
      "end",
    ]]);
    const all = ["before", "Which city?", "after"].map((city) => ({ action: "accept", content: { city } }));
    assert.ok(JSON.stringify(result).includes(JSON.stringify(JSON.stringify([...all, { step: 1 }])).slice(1, -1)));
  }
});
