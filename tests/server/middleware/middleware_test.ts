/** Tests of the option `use`: the onion around every method. */
import assert from "node:assert/strict";
import { ERROR_CODES, ProtocolError, ToolError } from "../../../protocol/errors.ts";
import type { JsonObject, JsonRpcMessage } from "../../../protocol/types.ts";
import { around } from "../../../server/middleware/around.ts";
import { ask, inputRequired } from "../../../server/input/ask.ts";
import type { Middleware } from "../../../server/middleware/middleware_types.ts";
import { prompt } from "../../../server/components/prompt.ts";
import { resource } from "../../../server/components/resource.ts";
import { tool } from "../../../server/components/tool.ts";
import { answerOf, errorOf, gate, httpRequest, infoOf, request, resultOf, serverOf, textOf, toolCall } from "../calls.ts";
import { onEveryWay, WAYS } from "../eras.ts";
import type { Json } from "../handshake_client.ts";

const COMPONENTS = {
  tools: [
    tool({ name: "echo", args: { text: { type: "string", required: true } }, handler: ({ text }) => text }),
    tool({ name: "data", output: { type: "array", items: { type: "number" } }, handler: () => [1, 2] }),
    tool({ name: "shape", handler: () => ({ a: 1 }) }),
    tool({
      name: "sorry",
      handler: () => {
        throw new ToolError("Not today", { data: [3] });
      },
    }),
    tool({
      name: "broken",
      handler: () => {
        throw new RangeError("secret");
      },
    }),
  ],
  resources: [
    resource({ uri: "x:a", name: "a", ttlMs: 5, cacheScope: "public" as const, read: () => "text of a" }),
    resource({ uri: "x:t/{v}", name: "t", complete: { v: () => ["one"] }, read: ({ v }) => v }),
  ],
  prompts: [prompt({ name: "greet", arguments: { who: { required: true } }, render: ({ who }) => `Hi ${who}` })],
};

/** Requests to every method that gives something, and one that fails. */
const REQUESTS: readonly (readonly [string, JsonObject])[] = [
  ["tools/list", {}],
  ["tools/call", { name: "echo", arguments: { text: "hi" } }],
  ["tools/call", { name: "data" }],
  ["tools/call", { name: "shape" }],
  ["tools/call", { name: "sorry" }],
  ["tools/call", { name: "echo", arguments: { text: 1 } }],
  ["tools/call", { name: "nobody" }],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "x:a" }],
  ["resources/read", { uri: "x:nothing" }],
  ["prompts/list", {}],
  ["prompts/get", { name: "greet", arguments: { who: "Ada" } }],
  ["completion/complete", { ref: { type: "ref/resource", uri: "x:t/{v}" }, argument: { name: "v", value: "" } }],
];

const hint = { ttlMs: 7, cacheScope: "public" } as const;
const CACHE = { discover: hint, tools: hint, prompts: hint, resources: hint, templates: hint };

for (const { name, open } of WAYS) {
  Deno.test(`a middleware that only goes on changes nothing that is sent, ${name}`, async () => {
    const seen: string[] = [];
    const pass: Middleware = (call, next) => {
      seen.push(call.method);
      return next();
    };
    const bare = serverOf(COMPONENTS, { cache: CACHE, pageSize: 1 });
    const layered = bare.with({ use: [pass, (_call, next) => next()] });
    const ways = [await open(bare), await open(layered)] as const;
    for (const [method, params] of REQUESTS) {
      const [expected, found] = [await ways[0].call(method, params), await ways[1].call(method, params)];
      assert.deepEqual(found, expected, `${method} ${JSON.stringify(params)}`);
      assert.equal(seen.at(-1), method);
    }
    const { result } = await ways[1].call("tools/list");
    const second = await ways[1].call("tools/list", { cursor: result.nextCursor });
    assert.deepEqual(second.result, (await ways[0].call("tools/list", { cursor: result.nextCursor })).result);
    for (const way of ways) await way.close();
  });

  Deno.test(`a middleware that gives copies changes only for whom they are, ${name}`, async () => {
    const bare = serverOf(COMPONENTS, { cache: CACHE });
    const layered = bare.with({ use: [async (_call, next) => ({ ...await next() })] });
    const ways = [await open(bare), await open(layered)] as const;
    for (const [method, params] of REQUESTS) {
      const [expected, found] = [await ways[0].call(method, params), await ways[1].call(method, params)];
      if (expected.result?.cacheScope !== undefined) expected.result.cacheScope = "private";
      assert.deepEqual(found, expected, `${method} ${JSON.stringify(params)}`);
    }
    for (const way of ways) await way.close();
  });
}

Deno.test("use: a server without middleware, and methods that no middleware is for, give the same objects", async () => {
  const server = serverOf(COMPONENTS, { use: [around("tools/call", (_call, next) => next())] });
  const lists = [await resultOf(server, request("tools/list")), await resultOf(server, request("tools/list"))];
  assert.equal(lists[0], lists[1], "a prepared page");
  const none = server.with({ use: [] });
  assert.equal(await resultOf(none, request("tools/list")), await resultOf(none, request("tools/list")));
});

Deno.test("use: the first layer is the outermost one, and each runs once per request", async () => {
  const steps: string[] = [];
  const layer = (name: string): Middleware => async (_call, next) => {
    steps.push(`${name} in`);
    const result = await next();
    steps.push(`${name} out`);
    return result;
  };
  const server = serverOf(COMPONENTS, { use: [layer("a"), layer("b")] });
  await resultOf(server, toolCall("shape"));
  assert.deepEqual(steps, ["a in", "b in", "b out", "a out"]);
});

onEveryWay(
  "use: results have the form of the newest revision inside, and that of the client outside",
  () =>
    serverOf(COMPONENTS, {
      use: [around("tools/call", async (_call, next) => {
        const result = await next() as { readonly resultType: string; readonly structuredContent: unknown };
        assert.equal(result.resultType, "complete");
        assert.deepEqual(result.structuredContent, [1, 2]);
        return { resultType: "complete", content: [], structuredContent: [3] };
      })],
    }),
  async (way) => {
    const { result } = await way.call("tools/call", { name: "data" });
    assert.deepEqual(result.structuredContent, way.handshake ? { result: [3] } : [3]);
    assert.equal(result.resultType, way.handshake ? undefined : "complete");
    assert.deepEqual(result.content, []);
  },
);

onEveryWay(
  "use: changed params are checked as the client's would be, and the handler sees them",
  () =>
    serverOf(COMPONENTS, {
      use: [around("tools/call", (call, next) => {
        const { text } = call.params.arguments as { readonly text: string };
        const changed = text === "bad" ? 5 : `${text}!`;
        return next({ ...call, params: { name: "echo", arguments: { text: changed } } });
      })],
    }),
  async (way) => {
    assert.equal(textOf((await way.call("tools/call", { name: "other", arguments: { text: "a" } })).result), "a!");
    const answer = await way.call("tools/call", { name: "echo", arguments: { text: "bad" } });
    const sentence = answer.error?.message ?? textOf(answer.result);
    assert.match(sentence, /^Invalid arguments: \/text /);
  },
);

onEveryWay(
  "use: a layer refuses with a ProtocolError, or tells the model with a ToolError (M-TOOL-049)",
  () =>
    serverOf(COMPONENTS, {
      use: [around("tools/call", (call, next) => {
        if (call.params.name === "echo") throw new ProtocolError(7, "Not for you", { data: { why: "policy" } });
        if (call.params.name === "data") throw new ToolError("Ask somebody else", { data: [9] });
        return next();
      })],
    }),
  async (way) => {
    const { error } = await way.call("tools/call", { name: "echo", arguments: { text: "a" } });
    assert.deepEqual([error.code, error.message, error.data], [7, "Not for you", { why: "policy" }]);
    const { result } = await way.call("tools/call", { name: "data" });
    assert.deepEqual([result.isError, textOf(result)], [true, "Ask somebody else"]);
    assert.deepEqual(result.structuredContent, way.handshake ? { result: [9] } : [9]);
    assert.deepEqual((await way.call("tools/call", { name: "shape" })).result.structuredContent, { a: 1 });
  },
);

Deno.test("use: what a handler threw arrives as it was thrown, and can be turned into another error", async () => {
  const told: unknown[] = [];
  const map: Middleware = async (_call, next) => {
    try {
      return await next();
    } catch (error) {
      if (error instanceof RangeError) throw new ProtocolError(ERROR_CODES.invalid_params, "Out of range");
      throw error;
    }
  };
  const server = serverOf(COMPONENTS, { use: [map], onError: (error) => told.push(error) });
  assert.equal((await errorOf(server, toolCall("broken"))).message, "Out of range");
  assert.deepEqual(told, []);
});

Deno.test("use: what a layer throws otherwise is masked and reported", async () => {
  const told: unknown[] = [];
  const fault = new Error("password 123");
  const use: Middleware[] = [() => {
    throw fault;
  }];
  const server = serverOf(COMPONENTS, { use, onError: (error) => told.push(error) });
  const error = await errorOf(server, request("tools/list"));
  assert.deepEqual([error.code, error.message], [-32603, "Internal error"]);
  assert.deepEqual(told, [fault]);
});

onEveryWay(
  "use: a layer that does not go on answers by itself",
  () =>
    serverOf(COMPONENTS, {
      use: [(call, next) => {
        if (call.method === "resources/read") return { contents: [{ uri: String(call.params.uri), text: "made up" }] };
        if (call.method === "tools/list") return { tools: [{ name: "made_up", inputSchema: { type: "object" }, icons: [] }] };
        return next();
      }],
    }),
  async (way) => {
    const read = (await way.call("resources/read", { uri: "y:1" })).result;
    assert.deepEqual(read.contents, [{ uri: "y:1", text: "made up" }]);
    const { tools, cacheScope } = (await way.call("tools/list")).result;
    assert.equal(tools[0].name, "made_up");
    assert.equal(cacheScope, way.handshake ? undefined : "private");
  },
);

/** A server whose only layer is the given one, with its errors. */
function broken(layer: Middleware): { readonly server: ReturnType<typeof serverOf>; readonly told: string[] } {
  const told: string[] = [];
  const server = serverOf(COMPONENTS, { use: [layer], onError: (error) => told.push(String(error)) });
  return { server, told };
}

Deno.test("use: next called twice is rejected, and the handler runs once", async () => {
  let runs = 0;
  const told: string[] = [];
  const counted = tool({ name: "counted", handler: () => `${++runs}` });
  const second: unknown[] = [];
  const twice: Middleware = async (_call, next) => {
    const first = next();
    await next().catch((error) => second.push(error));
    return await first;
  };
  const server = serverOf({ tools: [counted] }, { use: [twice], onError: (error) => told.push(String(error)) });
  assert.equal(textOf(await resultOf(server, toolCall("counted"))), "1");
  assert.match(String(second[0]), /^TypeError: use: A middleware around tools\/call broke a rule: next was called before/);
  assert.deepEqual([runs, told], [1, []]);
});

Deno.test("use: next called after the layer has settled is rejected, and ends no process when nobody waits", async () => {
  let late: (() => Promise<JsonObject>) | undefined;
  const { server } = broken((_call, next) => {
    late = next;
    return { tools: [] };
  });
  await resultOf(server, request("tools/list"));
  await assert.rejects(() => (late as () => Promise<JsonObject>)(), /next was called after the middleware had settled/);
  (late as () => Promise<JsonObject>)();
  await new Promise((resolve) => setTimeout(resolve, 1));
});

Deno.test("use: next does not go on once the request was given up", async () => {
  let runs = 0;
  const [released, entered] = [gate(), gate()];
  const slow: Middleware = async (_call, next) => {
    entered.open();
    await released.passed;
    return await next();
  };
  const server = serverOf({ tools: [tool({ name: "a", handler: () => `${++runs}` })] }, { use: [slow] });
  const connection = { transport: "memory" as const };
  const answer = server.handle(toolCall("a", {}, 5), infoOf({ connection }));
  await entered.passed;
  await server.handle(
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } } as JsonRpcMessage,
    infoOf({ connection }),
  );
  assert.equal(await answer, undefined);
  released.open();
  await new Promise((resolve) => setTimeout(resolve, 1));
  assert.equal(runs, 0);
});

Deno.test("use: another method, another info or no params for next are refused", async () => {
  const wrong: Middleware[] = [
    (call, next) => next({ ...call, method: "tools/call" }),
    (call, next) => next({ ...call, info: { ...call.info } as never }),
    (call, next) => next({ ...call, params: null as never }),
    (_call, next) => next(7 as never),
  ];
  for (const layer of wrong) {
    const { server, told } = broken(layer);
    assert.equal((await errorOf(server, request("tools/list"))).code, -32603);
    assert.match(told[0] as string, /^TypeError: use: A middleware around tools\/list broke a rule: next was given/);
  }
});

Deno.test("use: what no client could read is refused and reported", async () => {
  const wrong: readonly (readonly [string, JsonObject, unknown, RegExp])[] = [
    ["tools/call", { name: "shape" }, undefined, /Expected a result object/],
    ["tools/call", { name: "shape" }, [], /Expected a result object/],
    ["tools/call", { name: "shape" }, {}, /Expected content to be a list/],
    ["tools/call", { name: "shape" }, { content: [{ type: "text" }] }, /content\[0\]/],
    ["tools/call", { name: "shape" }, { content: [], structuredContent: { at: new Date(0) } }, /structuredContent\.at: A Date/],
    ["tools/call", { name: "shape" }, { content: [], _meta: 1 }, /Expected _meta to be an object/],
    ["tools/list", {}, { tools: {} }, /Expected tools to be a list/],
    ["tools/list", {}, { tools: [{}] }, /Expected tools to be a list of definitions, each with name/],
    ["tools/list", {}, { tools: [], ttlMs: -1 }, /ttlMs/],
    ["resources/read", { uri: "x:a" }, { contents: 1 }, /Expected contents to be a list/],
    ["resources/read", { uri: "x:a" }, { contents: [3] }, /contents\[0\]/],
    ["prompts/get", { name: "greet", arguments: { who: "a" } }, { messages: 1 }, /Expected messages to be a list/],
    ["tools/call", { name: "shape" }, inputRequired({ a: ask.roots() }), /Only a handler can ask for input/],
  ];
  for (const [method, params, result, sentence] of wrong) {
    const { server, told } = broken(() => result as JsonObject);
    assert.equal((await errorOf(server, request(method, params))).message, "Internal error", method);
    assert.match(told[0] as string, sentence);
  }
});

Deno.test("use: definitions in hand can not be changed for others", async () => {
  const faults: unknown[] = [];
  const vandal = around("tools/list", async (_call, next) => {
    const result = await next() as { tools: { name: string; inputSchema: { type: string } }[] };
    for (
      const change of [
        () => result.tools.push(result.tools[0] as never),
        () => (result.tools[0] as { name: string }).name = "evil",
        () => (result.tools[0] as { inputSchema: { type: string } }).inputSchema.type = "evil",
      ]
    ) {
      try {
        change();
      } catch (error) {
        faults.push(error);
      }
    }
    return result as never;
  });
  const server = serverOf(COMPONENTS, { use: [vandal] });
  const bare = await resultOf(server.with({ use: [] }), request("tools/list"));
  assert.deepEqual(await resultOf(server, request("tools/list")), bare);
  assert.equal(faults.length, 3);
});

Deno.test("use: a changed result is public only when the layer says so", async () => {
  const scopeOf = async (use: Middleware) =>
    (await resultOf(serverOf(COMPONENTS, { cache: CACHE, use: [use] }), request("tools/list"))).cacheScope;
  assert.equal(await scopeOf((_call, next) => next()), "public");
  assert.equal(await scopeOf(async (_call, next) => ({ ...await next() })), "private");
  assert.equal(await scopeOf(async (_call, next) => ({ ...await next(), cacheScope: "public" })), "public");
});

Deno.test("use: layers see who asks, how, and a signal; params are without what the protocol reads", async () => {
  const seen: Json[] = [];
  const look: Middleware = (call, next) => {
    const { method, auth, transport, protocolVersion, meta, headers, signal } = call.info;
    seen.push([method, auth?.principal, transport, protocolVersion, meta.trace, headers.get("mcp-name"), signal.aborted]);
    seen.push(call.params);
    return next();
  };
  const server = serverOf(COMPONENTS, { use: [look] });
  const params = { name: "shape", _meta: { trace: "t" } };
  await server.respond(httpRequest(request("tools/call", params)), { auth: { principal: "ada", scopes: [], claims: {} } });
  assert.deepEqual(seen, [["tools/call", "ada", "http", "2026-07-28", "t", "shape", false], { name: "shape" }]);
});

Deno.test("use: a layer runs once per round, the round passes through it, and changed params stay with the rounds", async () => {
  const outcomes: unknown[] = [];
  const deploy = tool({
    name: "deploy",
    args: { region: { type: "string", required: true } },
    handler: async ({ region }, ctx) => {
      const answer = await ctx.elicit("Sure?", { sure: { type: "boolean", required: true } }, { key: "sure" });
      return `${region} ${answer.action}`;
    },
  });
  const layer = around("tools/call", async (call, next) => {
    assert.deepEqual(call.params, { name: "deploy", arguments: { region: "eu" } });
    const result = await next({ ...call, params: { name: "deploy", arguments: { region: "EU" } } });
    outcomes.push(result.resultType);
    return { ...result };
  });
  const server = serverOf({ tools: [deploy] }, { use: [layer] });
  const own = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
  const params = { name: "deploy", arguments: { region: "eu" }, _meta: own };
  const first = await resultOf(server, request("tools/call", params));
  assert.equal(first.resultType, "input_required");
  const inputResponses = { sure: { action: "accept", content: { sure: true } } };
  const again = { ...params, inputResponses, ...(first.requestState === undefined ? {} : { requestState: first.requestState }) };
  assert.equal(textOf(await resultOf(server, request("tools/call", again))), "EU accept");
  assert.deepEqual(outcomes, ["input_required", "complete"]);
});

Deno.test("use: headers are compared with what the client sent, whatever a layer makes of it", async () => {
  const input = {
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region" } },
    required: ["region"],
  } as const;
  const deploy = tool({ name: "deploy", input, handler: ({ region }) => region });
  const upper = around("tools/call", (call, next) => next({ ...call, params: { name: "deploy", arguments: { region: "EU" } } }));
  const quick: Middleware = () => ({ content: [] });
  const message = toolCall("deploy", { region: "eu" });
  const good = await (await serverOf({ tools: [deploy] }, { use: [upper] }).fetch(
    httpRequest(message, { "mcp-param-region": "eu" }),
  )).json();
  assert.equal(textOf(good.result), "EU");
  for (const use of [upper, quick]) {
    const bad = await serverOf({ tools: [deploy] }, { use: [use] }).fetch(httpRequest(message, { "mcp-param-region": "us" }));
    assert.equal((await bad.json()).error.code, ERROR_CODES.header_mismatch);
  }
});

Deno.test("use: a layer counts against the deadline and holds a slot", async () => {
  const never: Middleware = () => new Promise(() => undefined);
  const server = serverOf(COMPONENTS, { use: [never], limits: { handlerDeadline: 60, handlers: 1, handlerQueue: 0 } });
  const first = errorOf(server, request("tools/list"));
  assert.match((await errorOf(server, request("tools/list"))).message, /Capacity reached/);
  assert.equal((await first).data?.reason, "timeout");
});

Deno.test("use: a layer goes around a change stream from its beginning to its end, without holding a slot", async () => {
  const steps: string[] = [];
  const layer: Middleware = async (call, next) => {
    steps.push(`in ${call.method}`);
    const result = await next();
    steps.push(`out ${call.method}`);
    return result;
  };
  const server = serverOf(COMPONENTS, { use: [layer], limits: { handlers: 1, handlerQueue: 0, handlerDeadline: 60 } });
  const stream = answerOf(server, request("subscriptions/listen", { notifications: { toolsListChanged: true } }));
  await new Promise((resolve) => setTimeout(resolve, 150));
  await resultOf(server, toolCall("shape"));
  await server.notify.toolsChanged();
  await server.close({ drain: 1000 });
  const { notifications, response } = await stream;
  assert.equal(notifications.length, 2);
  assert.ok(response !== undefined && "result" in response);
  assert.deepEqual(steps, ["in subscriptions/listen", "in tools/call", "out tools/call", "out subscriptions/listen"]);
});

Deno.test("use: initialize, levels, subscriptions and discovery pass through layers; ping and notifications do not", async () => {
  const seen: string[] = [];
  const layer: Middleware = (call, next) => {
    seen.push(call.method);
    return next();
  };
  const { shakeHands } = await import("../handshake_client.ts");
  const server = serverOf(COMPONENTS, { use: [layer] });
  const client = await shakeHands(server);
  await client.call("ping");
  await client.call("logging/setLevel", { level: "error" });
  await client.call("resources/subscribe", { uri: "x:a" });
  await client.close();
  await resultOf(server, request("server/discover"));
  assert.deepEqual(seen, ["initialize", "logging/setLevel", "resources/subscribe", "server/discover"]);
});

Deno.test("use: a layer changes what discovery says", async () => {
  const use: Middleware[] = [async (_call, next) => ({ ...await next(), instructions: "Ask nicely" })];
  const server = serverOf(COMPONENTS, { use, cache: CACHE });
  const result = await resultOf(server, request("server/discover"));
  assert.deepEqual([result.instructions, result.cacheScope, result.ttlMs], ["Ask nicely", "private", 7]);
});

Deno.test("use: what is no list of functions is an error at definition", () => {
  assert.throws(() => serverOf(COMPONENTS, { use: 1 as never }), /^TypeError: use: Expected a list/);
  assert.throws(() => serverOf(COMPONENTS, { use: [() => ({}), {} as never] }), /^TypeError: use\[1\]: Expected a function/);
});
