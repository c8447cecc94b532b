/** Tests of the wire: questions to the client and the state between rounds (area MRTR). */
import assert from "node:assert/strict";
import { ask, defineServer, inputRequired, prompt, resource, tool } from "../../../server/mod.ts";
import type { Server } from "../../../server/mod.ts";
import { ALL_CAPABILITIES, call, callTool, metaOfClient, post, refused, request } from "../wire.ts";
import type { Json, Reply } from "../wire.ts";

const META = metaOfClient(ALL_CAPABILITIES);
const KEYS = ["0123456789abcdef0123456789abcdef"];
const questions = {
  who: ask.form("Who?", { name: { type: "string", required: true } }),
  page: ask.url("Visit", "https://example.com/login"),
  model: ask.sampling({ messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 9 }),
  roots: ask.roots(),
};

/** A tool that asks once, then says what it got; `ran` holds the state of each run. */
function createServer(options: Json = {}) {
  const ran: Json[] = [];
  const server = defineServer({
    name: "input",
    version: "1",
    stateKeys: KEYS,
    ...options,
    tools: [
      tool({
        name: "ask",
        args: { a: { type: "string" } },
        handler: (_args, ctx): Json => {
          ran.push(ctx.state);
          const { who } = ctx.answers(questions);
          return who === undefined ? inputRequired(questions, { state: { step: 1 } }) : { structured: { who, state: ctx.state } };
        },
      }),
      tool({ name: "other", handler: (_args, ctx): Json => ({ structured: { state: ctx.state ?? null } }) }),
      tool({ name: "state", handler: () => inputRequired({}, { state: [1, "x"] }) }),
      tool({ name: "question", handler: () => inputRequired({ roots: ask.roots() }) }),
    ],
    resources: [
      resource({ uri: "a:b", name: "b", read: () => inputRequired({ roots: ask.roots() }) }),
      resource({ uri: "x://{id}", name: "x", list: (): Json => inputRequired({ roots: ask.roots() }), read: () => "x" }),
    ],
    prompts: [
      prompt({
        name: "p",
        arguments: { a: {} },
        complete: { a: (): Json => inputRequired({ roots: ask.roots() }) },
        render: () => inputRequired({ roots: ask.roots() }),
      }),
    ],
  }) as Server;
  return { server, ran };
}

const again = (server: Server, requestState: unknown, more: Json = {}, name = "ask"): Promise<Reply> =>
  callTool(server, name, {}, META, { requestState, ...more });
const accepted = { who: { action: "accept", content: { name: "Ada" } } };

Deno.test("server.fetch() asks inside of a result with resultType input_required (M-MRTR-002, M-BASE-021)", async () => {
  const { messages, result } = await callTool(createServer().server, "ask", {}, META);
  assert.equal(messages.length, 1);
  assert.equal(result.resultType, "input_required");
  assert.deepEqual(Object.keys(result.inputRequests), ["who", "page", "model", "roots"]);
});

Deno.test("server.fetch() writes questions as bare method and params (M-MRTR-001)", async () => {
  const { inputRequests } = (await callTool(createServer().server, "ask", {}, META)).result;
  for (const question of Object.values<Json>(inputRequests)) {
    for (const member of ["jsonrpc", "id", "_meta"]) assert.equal(member in question, false);
    assert.equal("_meta" in (question.params ?? {}), false);
  }
  assert.deepEqual(inputRequests.roots, { method: "roots/list" });
});

Deno.test("server.fetch() writes each key that the handler chose once (M-MRTR-006)", async () => {
  const { text } = await callTool(createServer().server, "ask", {}, META);
  for (const key of Object.keys(questions)) assert.equal(text.split(`"${key}":{"method"`).length, 2, key);
});

Deno.test("server.fetch() asks elicitation, sampling and roots requests (M-MRTR-007)", async () => {
  const { inputRequests } = (await callTool(createServer().server, "ask", {}, META)).result;
  assert.deepEqual(Object.values<Json>(inputRequests).map(({ method }) => method), [
    "elicitation/create",
    "elicitation/create",
    "sampling/createMessage",
    "roots/list",
  ]);
});

Deno.test("server.fetch() asks in answer to calls, prompts and reads (M-MRTR-002)", async () => {
  const { server } = createServer();
  for (
    const [method, params] of [["tools/call", { name: "question" }], ["prompts/get", { name: "p" }], ["resources/read", {
      uri: "a:b",
    }]] as const
  ) {
    assert.equal((await call(server, method, params, META)).result.resultType, "input_required", method);
  }
});

Deno.test("server.fetch() never asks in answer to lists and completion (M-MRTR-004)", async () => {
  const { server } = createServer();
  const completion = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
  refused(await call(server, "completion/complete", completion, META), -32603, 200);
  refused(await call(server, "resources/list", {}, META), -32603, 200);
  for (const method of ["server/discover", "tools/list", "prompts/list", "resources/templates/list"]) {
    assert.equal((await call(server, method, {}, META)).result.resultType, "complete");
  }
});

Deno.test("inputRequired() refuses to ask nothing (M-MRTR-017)", () => {
  assert.throws(() => inputRequired({}), /^TypeError: inputRequired: Expected a question or a state/);
});

Deno.test("server.fetch() sends questions, a state or both (M-MRTR-017)", async () => {
  const { server } = createServer();
  const members = async (name: string): Promise<boolean[]> => {
    const { result } = await callTool(server, name, {}, META);
    return ["inputRequests" in result, "requestState" in result];
  };
  assert.deepEqual([await members("ask"), await members("state"), await members("question")], [[true, true], [false, true], [
    true,
    false,
  ]]);
});

Deno.test("server.fetch() gives what asks for input no caching hint (M-MRTR-036)", async () => {
  const { server } = createServer({ cache: { read: { ttlMs: 5000, cacheScope: "public" } } });
  const { result } = await call(server, "resources/read", { uri: "a:b" }, META);
  assert.equal(result.resultType, "input_required");
  assert.deepEqual(["ttlMs" in result, "cacheScope" in result], [false, false]);
});

Deno.test("server.fetch() asks nothing of a kind that this request's client did not declare (M-MRTR-018, M-META-013, M-BASE-025)", async () => {
  const { server } = createServer();
  assert.equal((await callTool(server, "question", {}, META)).result.resultType, "input_required");
  for (const capabilities of [{}, { elicitation: {} }, { sampling: {} }]) {
    const reply = await callTool(server, "question", {}, metaOfClient(capabilities));
    refused(reply, -32021, 400);
    assert.equal(reply.text.includes("inputRequests"), false);
  }
});

Deno.test("server.fetch() gives the handler the answers and the state of the round before", async () => {
  const { server } = createServer();
  const { requestState } = (await callTool(server, "ask", {}, META)).result;
  const { structuredContent } = (await again(server, requestState, { inputResponses: accepted })).result;
  assert.deepEqual(structuredContent, { who: { action: "accept", content: { name: "Ada" } }, state: { step: 1 } });
});

Deno.test("server.fetch() knows the state of a round only by what the client sends back (M-BASE-029)", async () => {
  const { server, ran } = createServer();
  await callTool(server, "ask", {}, META);
  const { structuredContent } = (await callTool(server, "ask", {}, META, { inputResponses: accepted })).result;
  assert.equal(structuredContent.state, undefined);
  assert.deepEqual(ran, [undefined, undefined]);
});

Deno.test("server.fetch() opens the state in another instance with the same keys, and in none with others (M-MRTR-010)", async () => {
  const { requestState } = (await callTool(createServer().server, "ask", {}, META)).result;
  const same = await again(createServer().server, requestState, { inputResponses: accepted });
  assert.deepEqual(same.result.structuredContent.state, { step: 1 });
  const { server, ran } = createServer({ stateKeys: ["another key of 16 or more"] });
  refused(await again(server, requestState, { inputResponses: accepted }), -32602, 200);
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() shows nothing of the state to the client (M-MRTR-010)", async () => {
  const { requestState } = (await callTool(createServer().server, "ask", {}, META)).result;
  assert.equal(atob(requestState).includes("step"), false);
});

Deno.test("server.fetch() detects a flip of any bit of the state, and does not run the handler (M-MRTR-010, M-MRTR-011)", async () => {
  const { server, ran } = createServer();
  const { requestState } = (await callTool(server, "ask", {}, META)).result;
  ran.length = 0;
  const bytes = Uint8Array.from(atob(requestState), (char) => char.charCodeAt(0));
  for (let at = 0; at < bytes.length; at++) {
    const altered = bytes.slice();
    altered[at] = (altered[at] as number) ^ (1 << (at % 8));
    refused(await again(server, btoa(String.fromCharCode(...altered)), { inputResponses: accepted }), -32602, 200);
  }
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() answers garbage, cut and oversized states with -32602 and does not run the handler (M-MRTR-009, M-MRTR-011)", async () => {
  const { server, ran } = createServer();
  const { requestState } = (await callTool(server, "ask", {}, META)).result;
  ran.length = 0;
  for (
    const state of ["", "x", "AAAA", requestState.slice(0, -4), `${requestState}AAAA`, "A".repeat(100_000), "\ud83d", "__proto__"]
  ) {
    refused(await again(server, state), -32602, 200);
  }
  for (const state of [1, null, {}, [requestState], true]) refused(await again(server, state), -32602, 200);
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() opens a state for the same tool and arguments only (M-MRTR-011)", async () => {
  const { server } = createServer();
  const { requestState } = (await callTool(server, "ask", {}, META)).result;
  refused(await again(server, requestState, {}, "other"), -32602, 200);
  refused(await callTool(server, "ask", { a: "x" }, META, { requestState }), -32602, 200);
});

Deno.test("server.respond() opens a state for the same caller only (M-MRTR-011)", async () => {
  const { server } = createServer();
  const as = (principal: string, message: Json): Promise<Reply> =>
    post({ fetch: (http) => server.respond(http, { auth: { principal, scopes: [], claims: {} } }) }, message);
  const { requestState } = (await as("ada", request("tools/call", { name: "ask", arguments: {} }, META))).result;
  const next = request("tools/call", { name: "ask", arguments: {}, requestState, inputResponses: accepted }, META);
  refused(await as("eve", next), -32602, 200);
  refused(await post(server, next), -32602, 200);
  assert.equal((await as("ada", next)).status, 200);
});

Deno.test("server.fetch() leaves nothing behind when the client never answers (M-MRTR-019)", async () => {
  const { server } = createServer();
  for (let round = 0; round < 50; round++) await callTool(server, "ask", {}, META);
  const before = performance.now();
  await server.close({ drain: 60_000 });
  assert.ok(performance.now() - before < 30_000, "nothing is waited for");
});

Deno.test("server.fetch() asks again for answers that are absent or do not fit, and takes no answer to another question", async () => {
  const { server } = createServer();
  for (
    const responses of [
      {},
      { other: accepted.who },
      { who: { action: "accept", content: {} } },
      { who: { action: "accept", content: { name: 7 } } },
      { who: { action: "maybe" } },
      { who: "Ada" },
      JSON.parse('{"__proto__":{"who":{"action":"decline"}}}'),
    ]
  ) assert.equal((await callTool(server, "ask", {}, META, { inputResponses: responses })).result.resultType, "input_required");
  for (const responses of [[], "x", 1, null]) {
    refused(await callTool(server, "ask", {}, META, { inputResponses: responses }), -32602, 200);
  }
});
