import assert from "node:assert/strict";
import { connect, TransportError } from "../../../client/mod.ts";
import type { JsonObject, JsonValue, Tool } from "../../../client/mod.ts";
import { complete, scripted, text } from "../scripted.ts";
import type { ScriptedServer } from "../scripted.ts";

const ROWS: JsonObject = { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] };

function tool(name: string, outputSchema?: JsonObject): JsonObject {
  return { name, inputSchema: { type: "object" }, ...(outputSchema === undefined ? {} : { outputSchema }) };
}

function offering(tools: readonly JsonValue[], answer: () => JsonObject): ScriptedServer {
  return scripted(({ method }) =>
    method === "tools/list" ? complete({ tools: structuredClone(tools) }) : method === "tools/call" ? answer() : undefined
  );
}

Deno.test("callTool sends name and arguments, and leaves absent arguments out (B061)", async () => {
  const server = offering([], () => text(""));
  await using client = await connect(server);
  await client.callTool("a");
  await client.callTool("a", {});
  await client.callTool("a", { n: 1, deep: { x: [null] } });
  assert.deepEqual(server.requests().map(({ params }) => params && { ...params, _meta: undefined }), [
    { name: "a", _meta: undefined },
    { name: "a", arguments: {}, _meta: undefined },
    { name: "a", arguments: { n: 1, deep: { x: [null] } }, _meta: undefined },
  ]);
  for (const odd of [null, [], 5]) await assert.rejects(client.callTool("a", odd as never), /^TypeError: client\.callTool/);
  await assert.rejects(client.callTool(5 as never), /^TypeError: client\.callTool/);
  await assert.rejects(client.callTool(null as never), /^TypeError: client\.callTool/);
});

Deno.test("callTool resolves with an error of the tool, checked against nothing (M-TOOL-035, B063)", async () => {
  for (const more of [{}, { structuredContent: { why: "gone" } }]) {
    const failed = complete({ content: [{ type: "text", text: "gone" }], isError: true, ...more });
    await using client = await connect(offering([tool("a", ROWS)], () => failed));
    await client.listTools();
    assert.deepEqual(await client.callTool("a"), failed);
  }
});

Deno.test("callTool checks structured content once the tool is known (M-TOOL-039, M-TOOL-052, B063)", async () => {
  const answers = [
    complete({ content: [] }),
    complete({ content: [], structuredContent: { rows: "secret-value" } }),
    complete({ content: [], structuredContent: null }),
  ];
  for (const answer of answers) {
    await using client = await connect(offering([tool("a", ROWS)], () => answer));
    assert.deepEqual(await client.callTool("a"), answer);
    const [listed] = await client.listTools();
    for (const call of [client.callTool("a"), client.callTool(listed as Tool, undefined)]) {
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof TransportError);
        assert.equal(error.reason, "not_mcp");
        assert.match(error.message, /"a"/);
        assert.doesNotMatch(error.message, /secret-value/);
        return true;
      });
    }
  }
  await using fine = await connect(offering([tool("a", ROWS)], () => ({ structuredContent: { rows: [] } })));
  await fine.listTools();
  assert.deepEqual(await fine.callTool("a"), { resultType: "complete", content: [], structuredContent: { rows: [] } });
});

Deno.test("callTool checks any JSON value", async () => {
  await using client = await connect(
    offering([tool("a", { type: ["null", "array"] })], () => complete({ content: [], structuredContent: null })),
  );
  await client.listTools();
  assert.equal(await client.tools.a?.({}), null);
});

Deno.test("callTool confines a schema that can't be compiled to its tool (B056, M-TOOL-053)", async () => {
  const broken: JsonObject[] = [
    { type: "object", properties: { x: { $ref: "#/$defs/Missing" } } },
    { type: "object", properties: { x: { $ref: "http://127.0.0.1:1/s.json" } } },
    { $schema: "https://x.example/my-dialect", type: "object" },
  ];
  const tools = [tool("good"), ...broken.map((schema, index) => tool(`b${index}`, schema))];
  const server = offering(tools, () => complete({ content: [], structuredContent: { x: 1 } }));
  await using client = await connect(server);
  assert.equal((await client.listTools()).length, 4);
  assert.deepEqual(await client.tools.good?.({}), { x: 1 });
  for (const name of ["b0", "b1", "b2"]) await assert.rejects(client.callTool(name), { reason: "not_mcp" }, name);
  assert.deepEqual(await client.tools.good?.({}), { x: 1 });
});

Deno.test("callTool takes an output schema that is none for a broken one, and null for no schema (B056, B060)", async () => {
  const odd: JsonValue[] = [false, true, 5, "x", []];
  const tools = [...odd.map((outputSchema, index) => ({ ...tool(`b${index}`), outputSchema })), {
    ...tool("null"),
    outputSchema: null,
  }];
  const server = offering(tools, () => complete({ content: [], structuredContent: { x: 1 } }));
  await using client = await connect(server);
  assert.equal((await client.listTools()).length, odd.length + 1);
  for (const index of odd.keys()) {
    await assert.rejects(client.callTool(`b${index}`), {
      reason: "not_mcp",
      message: `Reading the structured content of "b${index}": its schema cannot be compiled: ` +
        "Compiling a JSON Schema: schema: Expected a JSON Schema object",
    });
  }
  assert.deepEqual(await client.tools.null?.({}), { x: 1 });
});

Deno.test("callTool says of which tool a pattern is not run, and which one", async () => {
  const reported: unknown[] = [];
  const slow: JsonObject = { type: "object", properties: { x: { type: "string", pattern: "^(a+)+$" } } };
  const server = offering([tool("slow", slow)], () => complete({ content: [], structuredContent: { x: "b" } }));
  await using client = await connect(server, { onError: (error) => reported.push(String(error)) });
  await client.listTools();
  await client.callTool("slow");
  assert.deepEqual(reported, [
    'TransportError: Reading the structured content of "slow": ' +
    'the pattern "^(a+)+$" of its schema can take more than linear time and is not run',
  ]);
});

Deno.test("callTool judges by the schema of the last listing (B055)", async () => {
  let schema: JsonObject = { $id: "https://x.example/s", type: "object", required: ["a"] };
  const server = scripted(({ method }) =>
    method === "tools/list"
      ? complete({ tools: [tool("t", structuredClone(schema)), tool("u", { ...schema, required: ["u"] })] })
      : method === "tools/call"
      ? complete({ content: [], structuredContent: { a: 1 } })
      : undefined
  );
  await using client = await connect(server);
  for (let i = 0; i < 3; i++) {
    await client.listTools();
    await client.callTool("t");
    await assert.rejects(client.callTool("u"), { reason: "not_mcp" });
  }
  schema = { ...schema, required: ["b"] };
  await client.listTools();
  await assert.rejects(client.callTool("t"), { reason: "not_mcp" });
});

Deno.test("callTool forgets tools that are listed no more", async () => {
  let tools = [tool("a", ROWS)];
  await using client = await connect(
    scripted(({ method }) => method === "tools/list" ? complete({ tools }) : method === "tools/call" ? text("") : undefined),
  );
  await client.listTools();
  await assert.rejects(client.callTool("a"));
  tools = [];
  await client.listTools();
  await client.callTool("a");
});

Deno.test("callTool refuses content that is no list", async () => {
  await using client = await connect(offering([], () => complete({ content: "text" })));
  await assert.rejects(client.callTool("a"), { reason: "not_mcp" });
});

Deno.test("toolFunctions give structured content or text, and throw errors of tools", async () => {
  const answers: { readonly [name: string]: JsonObject } = {
    structured: complete({ content: [{ type: "text", text: "{}" }], structuredContent: { a: 1 } }),
    plain: complete({
      content: [{ type: "text", text: "one" }, { type: "image", data: "", mimeType: "image/png" }, { type: "text", text: "two" }],
    }),
    failing: complete({ content: [{ type: "text", text: "Not today" }], structuredContent: { code: 7 }, isError: true }),
    silent: complete({ content: [], isError: true }),
  };
  const server = scripted(({ method, params }) => method === "tools/call" ? answers[params?.name as string] : undefined);
  await using client = await connect(server);
  const { tools } = client;
  assert.deepEqual(await tools.structured?.({}), { a: 1 });
  assert.equal(await tools.plain?.({}), "one\ntwo");
  await assert.rejects(async () => await tools.failing?.({}), { kind: "tool", message: "Not today", data: { code: 7 } });
  await assert.rejects(async () => await tools.silent?.({}), { kind: "tool", message: 'The tool "silent" reports an error' });
  assert.equal(await tools, tools);
  assert.equal((tools as unknown as { then: unknown }).then, undefined);
});

Deno.test("client methods for the rest read what is there (M-COMP-002, M-COMP-003, M-COMP-014)", async () => {
  let completion: JsonObject = { values: ["a", 5, "b"], total: 9, hasMore: true };
  const server = scripted(({ method }) => method === "completion/complete" ? complete({ completion }) : undefined);
  await using client = await connect(server);
  const argument = { name: "n", value: "v" };
  assert.deepEqual(await client.complete({ prompt: "p" }, argument, { context: { x: "y" } }), {
    values: ["a", "b"],
    total: 9,
    hasMore: true,
  });
  completion = {};
  assert.deepEqual(await client.complete({ template: "a:{b}" }, argument), { values: [] });
  const [first, second] = server.requests();
  assert.deepEqual(first?.params?.ref, { type: "ref/prompt", name: "p" });
  assert.deepEqual(first?.params?.context, { arguments: { x: "y" } });
  assert.deepEqual(second?.params?.ref, { type: "ref/resource", uri: "a:{b}" });
  assert.deepEqual((await client.discover()).supportedVersions, ["2026-07-28"]);
});

Deno.test("client methods refuse what the revision or the API does not have", async () => {
  const server = scripted(() => undefined);
  await using client = await connect(server);
  for (const call of [client.ping(), client.request("ping"), client.request("resources/subscribe", { uri: "a:b" })]) {
    await assert.rejects(call, {
      kind: "protocol",
      code: -32601,
      message: /Sending (ping|resources\/subscribe): revision 2026-07-28/,
    });
  }
  await assert.rejects(client.request("initialize"), /^TypeError: client\.request/);
  await assert.rejects(client.request("subscriptions/listen" as never), /^TypeError: client\.request/);
  await assert.rejects(client.request("" as never), TypeError);
  await assert.rejects(client.request("own/x", [] as never), TypeError);
  await assert.rejects(client.notify("", {}), TypeError);
  assert.deepEqual(server.requests(), []);
});

Deno.test("client methods refuse answers without what they must hold", async () => {
  await using client = await connect(scripted(({ method }) => method === "server/discover" ? undefined : complete()));
  await assert.rejects(client.getPrompt("p"), { reason: "not_mcp" });
  await assert.rejects(client.readResource("a:b"), { reason: "not_mcp" });
});

Deno.test("client.tools and the client itself can be printed, compared and awaited without calling a tool", async () => {
  const server = scripted(({ method }) => method === "tools/call" ? complete({ content: [] }) : undefined);
  await using client = await connect(server);
  const { tools } = client as unknown as { readonly tools: object };
  assert.equal(await (tools as PromiseLike<unknown>), tools);
  assert.equal(typeof JSON.stringify(client), "string");
  assert.equal(typeof JSON.stringify({ tools }), "string");
  assert.throws(() => `${tools}`, TypeError);
  assert.equal(server.requests("tools/call").length, 0);
});
