/** Tests of `server/tools.ts`. */
import assert from "node:assert/strict";
import * as z from "zod";
import { ProtocolError, ToolError } from "../../protocol/errors.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { tool } from "../../server/components/tool.ts";
import { errorOf, httpRequest, request, resultOf, serverOf, textOf, toolCall } from "./calls.ts";

/** A server with one tool that shows what it gets, and counts. */
function echo(options: object) {
  const seen: unknown[] = [];
  const server = serverOf({
    tools: [tool({
      name: "t",
      ...options,
      handler: (args: unknown) => {
        seen.push(args);
        return "ran";
      },
    } as never)],
  });
  return { server, seen };
}

Deno.test("tools/call takes absent and empty arguments where none are needed (B061)", async () => {
  const schemas = [
    { input: { type: "object" } },
    { input: { type: "object", additionalProperties: false } },
    { args: { limit: { type: "integer" } } },
    {},
  ];
  for (const schema of schemas) {
    const { server, seen } = echo(schema);
    for (const args of [undefined, {}]) assert.equal(textOf(await resultOf(server, toolCall("t", args))), "ran");
    assert.deepEqual(seen, [{}, {}]);
  }
  const { server, seen } = echo({ args: { query: { type: "string", required: true } } });
  for (const args of [undefined, {}]) {
    const result = await resultOf(server, toolCall("t", args));
    assert.deepEqual([result.isError, /query/.test(textOf(result))], [true, true]);
  }
  assert.deepEqual(seen, []);
});

Deno.test("tools/call refuses arguments that are no object with -32602 (B061, M-TOOL-041)", async () => {
  const { server, seen } = echo({ input: { type: "object" } });
  for (const args of [null, [], "x", 5, false] as JsonValue[]) {
    assert.equal((await errorOf(server, request("tools/call", { name: "t", arguments: args }))).code, -32602);
  }
  assert.deepEqual(seen, []);
});

Deno.test("tools/call refuses names that are none or unknown with -32602 (M-TOOL-040, M-TOOL-041, B038)", async () => {
  const { server } = echo({});
  for (const name of [undefined, null, 7, {}, "T", "unknown", "constructor", "__proto__", ""] as JsonValue[]) {
    assert.equal((await errorOf(server, request("tools/call", { name }))).code, -32602, String(name));
  }
  const long = await errorOf(server, request("tools/call", { name: "x".repeat(10_000) }));
  assert.ok(long.message.length < 200);
});

Deno.test("tools/call enforces exactly the schema that tools/list publishes (B062, M-TOOL-042, M-TOOL-047)", async () => {
  const properties = {
    limit: { type: "integer" },
    o: { type: "object", properties: { k: { type: "string" } }, additionalProperties: false },
  };
  const closed = echo({ input: { type: "object", properties, additionalProperties: false } });
  const unfit: readonly (readonly [JsonObject, RegExp])[] = [
    [{ limt: 5 }, /limt/],
    [{ limit: "5" }, /limit.*integer/],
    [{ o: { kk: "x" } }, /kk/],
  ];
  for (const [args, expected] of unfit) {
    const result = await resultOf(closed.server, toolCall("t", args));
    assert.equal(result.isError, true);
    assert.match(textOf(result), expected);
  }
  assert.deepEqual(closed.seen, []);
  assert.equal(textOf(await resultOf(closed.server, toolCall("t", { limit: 1.0 }))), "ran");
  const open = echo({ input: { type: "object", properties } });
  await resultOf(open.server, toolCall("t", { limit: 1, extra: "kept" }));
  assert.deepEqual(open.seen, [{ limit: 1, extra: "kept" }]);
});

Deno.test("tools/call gives the handler what the schema's library made of the arguments", async () => {
  const { server, seen } = echo({ input: z.object({ n: z.string().transform(Number), d: z.string().default("x") }) });
  await resultOf(server, toolCall("t", { n: "7" }));
  assert.deepEqual(seen, [{ n: 7, d: "x" }]);
});

const ROWS = { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] } as const;

/** A server whose tool with an output returns, or throws, a value. */
function returning(value: unknown, options: { readonly throws?: boolean; readonly output?: unknown } = {}) {
  const errors: unknown[] = [];
  const handler = async () => {
    await Promise.resolve();
    if (options.throws === true) throw value;
    return value;
  };
  const server = serverOf({ tools: [tool({ name: "t", output: options.output ?? ROWS, handler } as never)] }, {
    onError: (error) => errors.push(error),
  });
  return { server, errors };
}

Deno.test("an error result passes by the output schema as it is (B063)", async () => {
  const text = { content: [{ type: "text", text: "no rows" }], isError: true };
  assert.deepEqual(omitFrame(await resultOf(returning(text).server, toolCall("t"))), text);
  const data = { structured: { why: "gone" }, isError: true };
  const result = await resultOf(returning(data).server, toolCall("t"));
  assert.deepEqual([result.isError, result.structuredContent], [true, { why: "gone" }]);
});

Deno.test("a result that does not fit the output is the server's fault: masked, reported, named (B063, M-TOOL-038)", async () => {
  for (const value of [undefined, { rows: "SECRET" }, {}, { structured: { rows: 1 } }, { content: [] }]) {
    const { server, errors } = returning(value);
    const error = await errorOf(server, toolCall("t"));
    assert.deepEqual([error.code, error.message], [-32603, "Internal error"]);
    assert.match(String(errors[0]), /^TypeError: tools\.t\.output: What the handler returned does not fit\./);
    assert.doesNotMatch(String(errors[0]), /SECRET/);
  }
});

Deno.test("a result written out with a block that is none is masked, and onError hears which one and why", async () => {
  const errors: unknown[] = [];
  const handler = () => ({ content: [{ type: "txt", text: "SECRET" }] });
  const server = serverOf({ tools: [tool({ name: "t", handler })] }, { onError: (error) => errors.push(error) });
  const error = await errorOf(server, toolCall("t"));
  assert.deepEqual([error.code, error.message], [-32603, "Internal error"]);
  assert.match(String(errors[0]), /^TypeError: content\[0\]\.type: Expected one of text, /);
  assert.doesNotMatch(String(errors[0]), /SECRET/);
});

Deno.test("a structured result without content gets its JSON text (B063, M-TOOL-037)", async () => {
  const result = await resultOf(returning({ rows: [1] }).server, toolCall("t"));
  assert.deepEqual(omitFrame(result), { content: [{ type: "text", text: '{"rows":[1]}' }], structuredContent: { rows: [1] } });
});

Deno.test("what the output's library makes of the value is sent, and its JSON text fits it", async () => {
  const output = z.object({ a: z.string().default("d") });
  const result = await resultOf(returning({ extra: 1 }, { output }).server, toolCall("t"));
  assert.deepEqual([result.structuredContent, textOf(result)], [{ a: "d" }, '{"a":"d"}']);
});

Deno.test("whatever a handler throws is masked with an id, and reported under it (B063, M-ERR-006)", async () => {
  for (const value of [new Error("boom SECRET"), "SECRET", null, undefined, { SECRET: 1 }]) {
    const reported: string[] = [];
    const server = returning(value, { throws: true }).server.with({
      onError: (_error, { id, method }) => reported.push(id, method),
    });
    const error = await errorOf(server, toolCall("t"));
    assert.deepEqual([error.code, error.message], [-32603, "Internal error"]);
    assert.deepEqual([error.data?.errorId, "tools/call"], reported);
    assert.doesNotMatch(JSON.stringify(error), /SECRET|boom/);
  }
});

Deno.test("a ToolError is told to the model, with its data (M-TOOL-043)", async () => {
  const told = await resultOf(
    returning(new ToolError("No such city", { data: { city: "X" } }), { throws: true }).server,
    toolCall("t"),
  );
  assert.deepEqual(omitFrame(told), {
    content: [{ type: "text", text: "No such city" }],
    structuredContent: { city: "X" },
    isError: true,
  });
  const odd = await resultOf(
    returning(new ToolError("No", { data: { at: new Date() } }), { throws: true }).server,
    toolCall("t"),
  );
  assert.deepEqual(omitFrame(odd), { content: [{ type: "text", text: "No" }], isError: true });
});

Deno.test("a ProtocolError goes as it is, unless the protocol keeps its code for itself (M-ERR-007, M-ERR-010, M-ERR-016)", async () => {
  const own = await errorOf(
    returning(new ProtocolError(4711, "Mine", { data: { a: 1 } }), { throws: true }).server,
    toolCall("t"),
  );
  assert.deepEqual(own, { code: 4711, message: "Mine", data: { a: 1 } });
  for (const code of [-32000, -32002, -32019, -32042, -32099, 1.5, NaN]) {
    assert.equal(
      (await errorOf(returning(new ProtocolError(code, "x"), { throws: true }).server, toolCall("t"))).code,
      -32603,
      String(code),
    );
  }
});

Deno.test("a result that JSON can not carry is the server's fault, named by its path", async () => {
  const errors: unknown[] = [];
  const server = serverOf({ tools: [tool({ name: "t", handler: () => ({ a: [new Date()] }) })] }, {
    onError: (error) => errors.push(error),
  });
  assert.equal((await errorOf(server, toolCall("t"))).code, -32603);
  assert.match(String(errors[0]), /structuredContent\.a\[0\]: A Date/);
});

Deno.test("handlers may be synchronous, asynchronous or give any thenable", async () => {
  const thenable = { then: (resolve: (value: string) => void) => resolve("then") };
  for (const handler of [() => "now", () => Promise.resolve("later"), () => thenable]) {
    assert.match(
      textOf(await resultOf(serverOf({ tools: [tool({ name: "t", handler } as never)] }), toolCall("t"))),
      /now|later|then/,
    );
  }
});

Deno.test("visible hides a tool per caller, and a hidden one is unknown (M-TOOL-010)", async () => {
  const server = serverOf({
    tools: [
      tool({ name: "open", handler: () => "ok" }),
      tool({ name: "hidden", visible: ({ auth }) => auth?.principal === "anna", handler: () => "ok" }),
    ],
  });
  const anna = { principal: { principal: "anna", scopes: [] } as never };
  const names = async (options = {}) =>
    ((await resultOf(server, request("tools/list"), options)).tools as JsonObject[]).map(({ name }) => name);
  assert.deepEqual([await names(), await names(anna)], [["open"], ["open", "hidden"]]);
  assert.equal((await errorOf(server, toolCall("hidden"))).code, -32602);
  assert.equal(textOf(await resultOf(server, toolCall("hidden"), anna)), "ok");
});

Deno.test("x-mcp-header arguments must be in their headers over HTTP, and are free elsewhere (B080, M-HDR-042, M-HDR-043, M-HDR-047, M-HDR-048, M-HDR-049)", async () => {
  const input = {
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region" }, count: { type: "integer", "x-mcp-header": "Count" } },
  };
  const { server } = echo({ input });
  const status = async (args: JsonObject, headers: { readonly [name: string]: string }) => {
    const response = await server.fetch(httpRequest(toolCall("t", args), headers));
    const body = await response.json();
    return [response.status, body.error?.code ?? "ran", body.id];
  };
  assert.deepEqual(await status({ region: "eu", count: 42 }, { "mcp-param-region": "eu", "mcp-param-count": "42" }), [
    200,
    "ran",
    1,
  ]);
  assert.deepEqual(await status({ count: 42 }, { "MCP-PARAM-COUNT": "42.0" }), [200, "ran", 1]);
  assert.deepEqual(await status({ region: "ツ" }, { "mcp-param-region": "=?base64?44OE?=" }), [200, "ran", 1]);
  assert.deepEqual(await status({}, {}), [200, "ran", 1]);
  for (
    const [args, headers] of [
      [{ region: "eu" }, {}],
      [{ region: "eu" }, { "mcp-param-region": "us" }],
      [{ region: "eu" }, { "mcp-param-region": "EU" }],
      [{ region: "ツ" }, { "mcp-param-region": "=?BASE64?44OE?=" }],
      [{ region: "ツ" }, { "mcp-param-region": "=?base64?44O!?=" }],
      [{}, { "mcp-param-region": "eu" }],
      [{ count: 42 }, { "mcp-param-count": "43" }],
    ] as const
  ) assert.deepEqual(await status(args, headers), [400, -32020, 1], JSON.stringify([args, headers]));
  assert.equal(textOf(await resultOf(server, toolCall("t", { region: "eu" }))), "ran");
});

Deno.test("a tool whose schema can not be compiled fails by itself, masked", async () => {
  const errors: unknown[] = [];
  const compile = (schema: JsonObject) => schema.title === "odd" ? assert.fail("cannot be compiled") : () => [];
  const server = serverOf({
    tools: [
      tool({ name: "odd", input: { type: "object", title: "odd" }, handler: () => "ran" }),
      tool({ name: "good", handler: () => "ran" }),
    ],
  }, { validator: { compile } as never, onError: (error) => errors.push(error) });
  assert.deepEqual((await errorOf(server, toolCall("odd", {}))).message, "Internal error");
  assert.match(String(errors[0]), /cannot be compiled/);
  assert.equal(textOf(await resultOf(server, toolCall("good"))), "ran");
});

/** A result without what the revision adds to all of them. */
function omitFrame({ resultType: _type, _meta, ...rest }: JsonObject): JsonObject {
  return rest;
}
