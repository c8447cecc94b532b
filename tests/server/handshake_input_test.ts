/** Tests of questions on connections that began with a handshake: the same handlers, asked by requests. */
import assert from "node:assert/strict";
import type { Context } from "../../protocol/context.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { ask, inputRequired } from "../../server/input/ask.ts";
import { tool } from "../../server/components/tool.ts";
import { ToolError } from "../../protocol/errors.ts";
import { accepting, everywhere, messageOf, TARGETS } from "./asking.ts";
import type { Answering } from "./asking.ts";
import { serverOf, textOf } from "./calls.ts";
import { HANDSHAKE_VERSIONS, shakeHands } from "./handshake_client.ts";
import type { HandshakeClient, Json } from "./handshake_client.ts";

const NAME = { name: { type: "string", required: true } } as const;

/** Answers whatever a server asks, and keeps what it was. */
function answerAll(client: HandshakeClient, answering: Answering): JsonObject[] {
  const asked: JsonObject[] = [];
  for (const method of ["elicitation/create", "sampling/createMessage", "roots/list"]) {
    (async () => {
      for (let n = 0;; n++) {
        const question = await client.incoming(method, n);
        asked.push(question);
        await client.answer(question, answering(question, question.id));
      }
    })();
  }
  return asked;
}

/** Uses a server in each handshake revision. */
async function inEach(
  use: (client: HandshakeClient, version: string) => Promise<void>,
  server: ReturnType<typeof serverOf>,
  capabilities?: Json,
): Promise<void> {
  for (const version of HANDSHAKE_VERSIONS) {
    const client = await shakeHands(server, version, capabilities);
    await use(client, version);
    await client.close();
  }
}

Deno.test("the line that is a round elsewhere is a request in tools, prompts and resources, and the handler runs once (L-BASE-003)", async () => {
  let ran = 0;
  let ended = 0;
  const errors: unknown[] = [];
  const server = everywhere(async (ctx) => {
    ran++;
    try {
      const made = await ctx.once("made", () => "made");
      const names = await Promise.all(["a", "b"].map((message) => ctx.elicit(message, NAME)));
      for (let at = 0; at < 2; at++) names.push(await ctx.elicit("again", NAME));
      const { model } = await ctx.sample("Say");
      const said = names.map((answer) => answer.action === "accept" ? answer.content.name : answer.action);
      return [made, ...said, model, (await ctx.roots()).length].join(" ");
    } finally {
      ended++;
    }
  }, { onError: (error) => errors.push(error) });
  await inEach(async (client) => {
    const asked = answerAll(client, accepting({ name: "Ada" }));
    for (const [method, params] of TARGETS) {
      ran = ended = 0;
      asked.length = 0;
      assert.match(JSON.stringify((await client.call(method, params)).result), /made Ada Ada Ada Ada m 1/);
      assert.deepEqual([ran, ended, asked.length], [1, 1, 6]);
    }
  }, server);
  assert.deepEqual(errors, []);
});

Deno.test("decline and cancel are typed alike, and a catch is the handler's own affair", async () => {
  const server = everywhere(async (ctx) => {
    const { action } = await ctx.elicit("a", NAME);
    const roots = await ctx.roots().catch(() => "none");
    return `${action} ${roots}`;
  });
  await inEach(
    async (client) => {
      let action = "decline";
      answerAll(client, () => ({ action }));
      for (action of ["decline", "cancel"]) {
        assert.equal(textOf((await client.tool("x")).result), `${action} none`);
      }
    },
    server,
    { elicitation: {} },
  );
});

Deno.test("a handler that asks by hand is run again with the answers and its state, and what it asked in a line is not asked again", async () => {
  const questions = { who: ask.form("who", NAME), roots: ask.roots() };
  const states: unknown[] = [];
  let made = 0;
  const server = everywhere(async (ctx) => {
    states.push(ctx.state);
    await ctx.once("made", () => ++made);
    const first = await ctx.elicit("first", NAME);
    const { who, roots } = ctx.answers(questions);
    if (who === undefined || roots === undefined) return inputRequired(questions, { state: { step: 1 } });
    return JSON.stringify([first, who, roots, made]);
  });
  const accepted = { action: "accept", content: { name: "Ada" } };
  await inEach(async (client) => {
    const asked = answerAll(client, accepting({ name: "Ada" }));
    for (const [method, params] of TARGETS) {
      states.length = asked.length = made = 0;
      const { result } = await client.call(method, params);
      const text = JSON.stringify(JSON.stringify([accepted, accepted, [{ uri: "file:///home" }], 1]));
      assert.ok(JSON.stringify(result).includes(text.slice(1, -1)), JSON.stringify(result));
      assert.deepEqual(states, [undefined, { step: 1 }]);
      assert.deepEqual(asked.map((one) => one.method === "roots/list" ? "roots" : messageOf(one)), ["first", "who", "roots"]);
    }
  }, server);
});

Deno.test("a handler that asks by hand for ever ends at the limit inputRounds, by name", async () => {
  let ran = 0;
  const server = everywhere(() => inputRequired({}, { state: ++ran }), { limits: { inputRounds: 3 } });
  await inEach(async (client) => {
    for (const [method, params] of TARGETS) {
      ran = 0;
      const { error } = await client.call(method, params);
      assert.deepEqual([error.code, error.data, ran], [-32603, { reason: "rounds", limit: 3 }, 4]);
      assert.match(error.message, /more than 3 rounds \(limit inputRounds\)/);
    }
    assert.equal((await client.call("ping")).error, undefined);
  }, server);
});

Deno.test("answers and states of rounds mean nothing where there are no rounds", async () => {
  const server = everywhere((ctx: Context) => JSON.stringify([ctx.state ?? null, ctx.answers({ r: ask.roots() })]));
  await inEach(async (client) => {
    for (const [method, params] of TARGETS) {
      const { result } = await client.call(method, { ...params, requestState: "x", inputResponses: { r: { roots: [] } } });
      assert.match(JSON.stringify(result), /\[null,\{\}\]/);
    }
  }, server);
});

Deno.test("a question that the client can not answer is a tool's own failure, by hand too", async () => {
  for (const handler of [(ctx: Context) => ctx.roots().then(String), () => inputRequired({ r: ask.roots() })]) {
    await inEach(
      async (client) => {
        const { result } = await client.tool("x");
        assert.deepEqual([result.isError, textOf(result)], [true, "Missing client capability: roots"]);
        assert.equal((await client.call("prompts/get", { name: "x" })).error.code, -32603);
      },
      everywhere(handler),
      { elicitation: {} },
    );
  }
});

Deno.test("arguments that do not fit are reported as each revision has it, in the same sentence", async () => {
  const server = serverOf({ tools: [tool({ name: "t", args: { a: { type: "integer", required: true } }, handler: () => "x" })] });
  await inEach(async (client, version) => {
    for (let turn = 0; turn < 2; turn++) {
      const { result, error } = await client.tool("t", { a: "x" });
      if (version === "2025-06-18") assert.equal(error.code, -32602);
      else assert.equal(result.isError, true);
      assert.match(error?.message ?? textOf(result), /^Invalid arguments: \/a must be an integer$/);
    }
  }, server);
});

Deno.test("structured content is an object in the handshake revisions, wrapped where it is none", async () => {
  const server = serverOf({
    tools: [
      tool({ name: "list", handler: () => [1, 2] }),
      tool({ name: "object", handler: () => ({ a: 1 }) }),
      tool({ name: "typed", output: { type: "array", items: { type: "integer" } }, handler: () => [3] }),
      tool({
        name: "fails",
        handler: () => {
          throw new ToolError("no", { data: [4] });
        },
      }),
    ],
  });
  await inEach(async (client) => {
    const structured = async (name: string) => (await client.tool(name)).result.structuredContent;
    assert.deepEqual(await structured("list"), { result: [1, 2] });
    assert.deepEqual(await structured("object"), { a: 1 });
    assert.deepEqual(await structured("typed"), { result: [3] });
    assert.deepEqual(await structured("fails"), { result: [4] });
  }, server);
});
