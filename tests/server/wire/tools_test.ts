/** Tests of the wire: tools and their schemas (areas TOOL and SCHEMA). */
import assert from "node:assert/strict";
import { audio, defineServer, embed, image, tool } from "../../../server/mod.ts";
import type { Server } from "../../../server/mod.ts";
import { call, callTool, metaWith, post, refused, request } from "../wire.ts";
import type { Json } from "../wire.ts";

function serverWith(...tools: Json[]): Server {
  return defineServer({ name: "tools", version: "1", tools }) as Server;
}

/** A tool that returns this value. */
const returning = (value: unknown, more: Json = {}): Json => tool({ name: "t", ...more, handler: () => value as Json });
const answer = async (value: unknown, more: Json = {}): Promise<Json> =>
  (await callTool(serverWith(returning(value, more)), "t")).result;
const taking = (schema: Json): Json => tool({ name: "t", input: schema, handler: () => "ran" });

Deno.test("server.fetch() lists the tools that are there now for the caller (M-TOOL-006)", async () => {
  const server = serverWith(
    tool({ name: "open", handler: () => "x" }),
    tool({ name: "hidden", visible: ({ meta }) => meta["com.example/admin"] === true, handler: () => "x" }),
  );
  const names = async (meta: Json): Promise<string[]> =>
    (await call(server, "tools/list", {}, meta)).result.tools.map(({ name }: Json) => name);
  assert.deepEqual(await names(metaWith()), ["open"]);
  assert.deepEqual(await names(metaWith({ "com.example/admin": true })), ["open", "hidden"]);
  refused(await callTool(server, "hidden"), -32602, 200);
});

Deno.test("server.fetch() lists an empty list for a server that declared tools and has none (M-TOOL-006)", async () => {
  assert.deepEqual((await call(serverWith(), "tools/list")).result.tools, []);
});

Deno.test("server.fetch() lists an object schema for a tool without parameters (M-TOOL-014, M-TOOL-015)", async () => {
  const { tools } = (await call(serverWith(returning("x")), "tools/list")).result;
  assert.deepEqual(tools[0].inputSchema, { type: "object", additionalProperties: false });
});

Deno.test("tool() refuses an input that is null or no schema (M-TOOL-014)", () => {
  for (const input of [null, [], "object", 7, true]) assert.throws(() => taking(input), /^TypeError: tools\.t\.input: /);
});

Deno.test("tool() refuses an input whose root is no object, and adds the type where every branch is one (M-TOOL-015)", () => {
  for (
    const schema of [{ type: "string" }, { type: ["object", "null"] }, { anyOf: [{ type: "object" }, { type: "array" }] }, {}]
  ) {
    assert.throws(() => taking(schema), /Expected type "object" at the root/);
  }
  assert.equal(taking({ anyOf: [{ type: "object" }, { properties: {} }] }).definition.inputSchema.type, "object");
});

Deno.test("server.fetch() gives every tool result a content array (M-TOOL-034)", async () => {
  assert.deepEqual((await answer(undefined)).content, []);
  assert.deepEqual((await answer("a")).content, [{ type: "text", text: "a" }]);
  for (const value of [{ a: 1 }, [1, 2], null, 7, true, { structured: { a: 1 } }]) {
    assert.equal((await answer(value)).content.length, 1);
  }
  assert.equal((await answer({ a: 1 }, { output: { type: "object" } })).content[0].text, '{"a":1}');
});

Deno.test("server.fetch() turns output that does not fit its schema into an error (M-TOOL-038)", async () => {
  const output = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
  for (const value of [{}, { a: "1" }, { a: 1.5 }, [], "a", null, undefined, { structured: { a: "1" } }]) {
    refused(await callTool(serverWith(returning(value, { output })), "t"), -32603, 200);
  }
  assert.deepEqual((await answer({ a: 1 }, { output })).structuredContent, { a: 1 });
});

Deno.test("server.fetch() answers an unknown tool with -32602, names of built-ins included (M-TOOL-040, B038)", async () => {
  for (const name of ["nope", "__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "T"]) {
    refused(await callTool(serverWith(returning("x")), name), -32602, 200);
  }
});

Deno.test("server.fetch() lists and calls tools with the names of built-ins (B038)", async () => {
  const names = ["__proto__", "constructor", "toString"];
  const server = serverWith(...names.map((name) => tool({ name, handler: () => name })));
  assert.deepEqual((await call(server, "tools/list")).result.tools.map(({ name }: Json) => name), names);
  for (const name of names) assert.equal((await callTool(server, name)).result.content[0].text, name);
});

Deno.test("server.fetch() refuses calls of the wrong shape with -32602 (M-TOOL-041)", async () => {
  const server = serverWith(returning("x"));
  for (const args of [[], "a", 1, true, null]) refused(await callTool(server, "t", args), -32602, 200);
  for (const name of [1, null, {}, undefined]) {
    refused(await post(server, request("tools/call", { name }), { "mcp-name": "1" }), -32020, 400);
  }
  const info = { connection: { transport: "stdio" }, onDisconnect: () => () => undefined } as const;
  for (const name of [1, null, {}, undefined]) {
    const reply = await server.handle(request("tools/call", { name }), info) as Json;
    assert.equal(reply.error.code, -32602);
  }
});

Deno.test("server.fetch() never runs a handler on arguments that do not fit (M-TOOL-047)", async () => {
  let ran = 0;
  const server = serverWith(tool({
    name: "t",
    args: { n: { type: "integer", minimum: 1, required: true }, s: { type: "string", maxLength: 2 } },
    additionalProperties: false,
    handler: () => String(++ran),
  }));
  for (const args of [{}, { n: "1" }, { n: 0 }, { n: 1.5 }, { n: 1, s: "abc" }, { n: 1, x: 1 }, { n: null }]) {
    const { result } = await callTool(server, "t", args);
    assert.equal(result.isError, true);
  }
  assert.equal(ran, 0);
  assert.equal((await callTool(server, "t", { n: 1, s: "ab" })).result.content[0].text, "1");
});

Deno.test("server.fetch() writes lone surrogates as escapes, and no bare NaN (B041)", async () => {
  const { text } = await callTool(serverWith(returning("x\ud83dy")), "t");
  assert.ok(text.includes("x\\ud83dy"));
  refused(await callTool(serverWith(returning({ v: -0, w: NaN })), "t"), -32603, 200);
});

Deno.test("server.fetch() encodes binary blocks as Base64 and says their type (M-PROMPT-009, M-PROMPT-011)", async () => {
  const bytes = new Uint8Array([0, 255, 16, 128]);
  const { content } = await answer([image(bytes, "image/png"), audio(bytes, "audio/wav"), embed("a:b", bytes)]);
  assert.deepEqual(content.map((block: Json) => [block.data ?? block.resource.blob, block.mimeType ?? block.resource.mimeType]), [
    ["AP8QgA==", "image/png"],
    ["AP8QgA==", "audio/wav"],
    ["AP8QgA==", "application/octet-stream"],
  ]);
});

Deno.test("server.fetch() reads a schema without $schema as JSON Schema 2020-12 (M-SCHEMA-001, M-SCHEMA-006)", async () => {
  const server = serverWith(taking({
    type: "object",
    properties: { pair: { type: "array", prefixItems: [{ type: "integer" }, { type: "string" }], items: false } },
  }));
  assert.equal((await callTool(server, "t", { pair: [1, "a"] })).result.content[0].text, "ran");
  for (const pair of [["a", 1], [1, "a", 2]]) assert.equal((await callTool(server, "t", { pair })).result.isError, true);
});

Deno.test("server.fetch() reads a schema of draft-07 by draft-07 (M-SCHEMA-006)", async () => {
  const server = serverWith(taking({
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { pair: { type: "array", items: [{ type: "integer" }, { type: "string" }] } },
  }));
  assert.equal((await callTool(server, "t", { pair: [1, "a"] })).result.content[0].text, "ran");
  assert.equal((await callTool(server, "t", { pair: ["a", 1] })).result.isError, true);
});

Deno.test("tool() names a dialect that it does not support (M-SCHEMA-007)", () => {
  for (const $schema of ["http://json-schema.org/draft-03/schema#", "https://example.com/mine", 7]) {
    assert.throws(() => taking({ $schema, type: "object" }), /\$schema: Expected JSON Schema 2020-12 or draft-07/);
  }
});

Deno.test("tool() refuses schemas that are not valid in their dialect (M-SCHEMA-008)", () => {
  for (
    const schema of [
      { properties: { a: { type: "strng" } } },
      { properties: { a: { minLength: "1" } } },
      { properties: [] },
      { required: "a" },
      { properties: { a: 7 } },
      { properties: { a: { pattern: "(" } } },
    ]
  ) assert.throws(() => taking({ type: "object", ...schema }), /^TypeError: tools\.t\.input/, JSON.stringify(schema));
});

Deno.test("tool() refuses references that leave the document, and fetches nothing (M-SCHEMA-009, M-SCHEMA-011)", async () => {
  const hits: string[] = [];
  const host = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, ({ url }) => {
    hits.push(url);
    return Response.json({ type: "string" });
  });
  const url = `http://127.0.0.1:${host.addr.port}/a.json`;
  for (const schema of [{ properties: { a: { $ref: url } } }, { properties: { a: { $dynamicRef: url } } }]) {
    assert.throws(() => taking({ type: "object", ...schema }), /^TypeError: tools\.t\.input/);
    assert.throws(() => returning("x", { output: { type: "object", ...schema } }), /^TypeError: tools\.t\.output/);
  }
  await host.shutdown();
  assert.deepEqual(hits, []);
});

Deno.test("server.fetch() does not fetch what $id and $schema name (M-SCHEMA-009)", async () => {
  const server = serverWith(taking({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "http://127.0.0.1:1/never.json",
    type: "object",
    properties: { a: { $ref: "#/$defs/a" } },
    $defs: { a: { type: "integer" } },
  }));
  assert.equal((await callTool(server, "t", { a: 1 })).result.content[0].text, "ran");
  assert.equal((await callTool(server, "t", { a: "1" })).result.isError, true);
});
