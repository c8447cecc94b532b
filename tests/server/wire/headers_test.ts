/** Tests of the wire: headers that repeat the body (area HDR). */
import assert from "node:assert/strict";
import { defineServer, prompt, resource, tool } from "../../../server/mod.ts";
import { call, metaWith, post, refused, request } from "../wire.ts";
import type { HeaderChanges, Json, Reply } from "../wire.ts";

const encoded = (text: string): string => `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`;

/** A server that says which calls reached a handler. */
function createServer() {
  const ran: Json[] = [];
  const server = defineServer({
    name: "headers",
    version: "1",
    tools: [
      tool({
        name: "place",
        input: {
          type: "object",
          properties: {
            region: { type: "string", "x-mcp-header": "Region" },
            count: { type: "integer", "x-mcp-header": "Count" },
            dry: { type: "boolean", "x-mcp-header": "Dry-Run" },
            deep: { type: "object", properties: { inner: { type: "string", "x-mcp-header": "Inner" } } },
          },
        },
        handler: (args) => {
          ran.push(args);
          return "placed";
        },
      }),
    ],
    resources: [
      resource({ uri: "a:b", name: "b", read: () => "x" }),
      resource({ uri: "note:///{name}", name: "note", read: ({ name }) => name }),
    ],
    prompts: [prompt({ name: "ä ö", render: () => "x" })],
  });
  const place = (args: Json, headers: HeaderChanges = {}): Promise<Reply> =>
    post(server, request("tools/call", { name: "place", arguments: args }, metaWith(), "id"), headers);
  return { server, ran, place };
}

function mismatch(reply: Reply, sentence: RegExp): void {
  assert.match(refused(reply, -32020, 400, "id").message, sentence);
}

Deno.test("server.fetch() refuses a version header that differs from the body (M-HDR-003, M-HDR-052, M-HDR-054, M-HDR-055)", async () => {
  const { ran, place } = createServer();
  for (const version of ["2025-11-25", "2026-07-28, 2026-07-28", encoded("2026-07-28"), ""]) {
    mismatch(await place({}, { "mcp-protocol-version": version }), /MCP-Protocol-Version differs/);
  }
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() refuses a request that lacks the version header (M-HDR-005, M-HDR-054, M-HDR-055, M-HDR-056)", async () => {
  mismatch(await createServer().place({}, { "mcp-protocol-version": undefined }), /MCP-Protocol-Version is missing/);
});

Deno.test("server.fetch() refuses a request that lacks Mcp-Method (M-HDR-054, M-HDR-055, M-HDR-056)", async () => {
  mismatch(await createServer().place({}, { "mcp-method": undefined }), /Mcp-Method is missing/);
});

Deno.test("server.fetch() refuses calls, prompts and reads that lack Mcp-Name (M-HDR-054, M-HDR-055, M-HDR-056)", async () => {
  const { server, place } = createServer();
  mismatch(await place({}, { "mcp-name": undefined }), /Mcp-Name is missing/);
  for (const message of [request("prompts/get", { name: "ä ö" }), request("resources/read", { uri: "a:b" })]) {
    refused(await post(server, message, { "mcp-name": undefined }), -32020, 400);
  }
});

Deno.test("server.fetch() refuses a request whose Mcp-Method differs from the body, and never runs it (M-HDR-051, M-HDR-052, M-HDR-054, M-HDR-055, M-BASE-044, B080)", async () => {
  const { ran, place } = createServer();
  for (const method of ["tools/list", "Tools/Call", "tools/call, tools/call", encoded("tools/call")]) {
    mismatch(await place({}, { "mcp-method": method }), /Mcp-Method differs/);
  }
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() refuses a request whose Mcp-Name differs from the body, and never runs it (M-HDR-051, M-HDR-052, M-BASE-044, B080)", async () => {
  const { ran, place } = createServer();
  for (const name of ["other", "Place", "place, place", "=?BASE64?cGxhY2U=?=", "=?base64?cGxhY2U?=", "pla", ""]) {
    mismatch(await place({}, { "mcp-name": name }), /Mcp-Name differs/);
  }
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() compares the name of a read with its uri alone (M-HDR-052, B080)", async () => {
  const { server } = createServer();
  const message = request("resources/read", { uri: "a:b", name: "x" });
  refused(await post(server, message, { "mcp-name": "x" }), -32020, 400);
  assert.equal((await post(server, message, { "mcp-name": "a:b" })).status, 200);
});

Deno.test("server.fetch() accepts header names in any letter case (M-HDR-050, B080)", async () => {
  const { server } = createServer();
  const headers = {
    "mcp-method": undefined,
    "mcp-protocol-version": undefined,
    "mcp-METHOD": "tools/list",
    "MCP-PROTOCOL-VERSION": "2026-07-28",
  };
  assert.equal((await post(server, request("tools/list"), headers)).status, 200);
});

Deno.test("server.fetch() decodes an encoded Mcp-Name before it compares (M-HDR-033, M-HDR-034, B080)", async () => {
  const { server } = createServer();
  const get = request("prompts/get", { name: "ä ö" });
  assert.equal((await post(server, get, { "mcp-name": encoded("ä ö") })).status, 200);
  refused(await post(server, get, { "mcp-name": encoded("ä o") }), -32020, 400);
  const read = request("resources/read", { uri: "a:b" });
  assert.equal((await post(server, read, { "mcp-name": encoded("a:b") })).status, 200);
});

Deno.test("server.fetch() compares the sentinel's markers exactly (M-HDR-032, B080)", async () => {
  const { server } = createServer();
  const get = request("prompts/get", { name: "ä ö" });
  for (const name of [encoded("ä ö").replace("base64", "BASE64"), encoded("ä ö").slice(0, -1), encoded("ä ö").slice(1)]) {
    refused(await post(server, get, { "mcp-name": name }), -32020, 400);
  }
});

Deno.test("server.fetch() refuses invalid characters in Mcp-Name (M-HDR-057)", async () => {
  const { place } = createServer();
  for (const name of ["pl\u0001ace", "place\u007f", "pl\u00e4ce", "=?base64?/w==?="]) {
    mismatch(await place({}, { "mcp-name": name }), /Mcp-Name/);
  }
});

Deno.test("server.fetch() runs a call whose Mcp-Param headers equal its arguments, encoded or not (M-HDR-034, M-HDR-042)", async () => {
  const { ran, place } = createServer();
  const args = { region: "us-west1", count: 42, dry: false, deep: { inner: "世界" } };
  const headers = {
    "mcp-param-region": encoded("us-west1"),
    "MCP-PARAM-COUNT": "42",
    "mcp-param-dry-run": "false",
    "mcp-param-inner": encoded("世界"),
  };
  assert.equal((await place(args, headers)).status, 200);
  assert.deepEqual(ran, [args]);
});

Deno.test("server.fetch() refuses a call whose Mcp-Param header differs from the argument, and never runs it (M-HDR-042, M-HDR-043, M-HDR-054, M-HDR-055, M-BASE-044)", async () => {
  const { ran, place } = createServer();
  mismatch(await place({ region: "us-east1" }, { "mcp-param-region": "us-west1" }), /Mcp-Param-Region differs/);
  mismatch(await place({ count: 42 }, { "mcp-param-count": "43" }), /Mcp-Param-Count differs/);
  mismatch(await place({ dry: true }, { "mcp-param-dry-run": "True" }), /Mcp-Param-Dry-Run differs/);
  mismatch(await place({ deep: { inner: "a" } }, { "mcp-param-inner": "b" }), /Mcp-Param-Inner differs/);
  mismatch(await place({ region: "a" }, { "mcp-param-region": "a, a" }), /Mcp-Param-Region differs/);
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() compares integers as numbers (M-HDR-053, B080)", async () => {
  assert.equal((await createServer().place({ count: 42 }, { "mcp-param-count": "42.0" })).status, 200);
});

Deno.test("server.fetch() refuses invalid characters in an Mcp-Param header (M-HDR-041, M-HDR-043)", async () => {
  const { ran, place } = createServer();
  for (const value of ["a\u0080", "=?base64?YQ?=", "=?base64?/w==?=", "=?base64?a b=?="]) {
    mismatch(await place({ region: "a" }, { "mcp-param-region": value }), /holds an invalid value/);
  }
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() wants no header for a null argument (M-HDR-047)", async () => {
  const nullable = defineServer({
    name: "n",
    version: "1",
    tools: [
      tool({
        name: "n",
        input: { type: "object", properties: { a: { type: "string", "x-mcp-header": "A" } } },
        handler: () => "x",
      }),
    ],
  });
  const reply = await post(nullable, request("tools/call", { name: "n", arguments: { a: null } }));
  assert.equal(reply.status, 200);
  assert.ok("result" in reply.last, "what the schema says of null comes after the headers");
});

Deno.test("server.fetch() wants no header for an absent argument (M-HDR-048)", async () => {
  const { ran, place } = createServer();
  for (const args of [{}, { deep: {} }, undefined]) assert.equal((await place(args)).status, 200);
  assert.equal(ran.length, 3);
});

Deno.test("server.fetch() refuses a call whose argument lacks its header (M-HDR-049)", async () => {
  const { ran, place } = createServer();
  for (const args of [{ region: "a" }, { region: "" }, { count: 0 }, { dry: false }, { deep: { inner: "x" } }]) {
    mismatch(await place(args), /is missing/);
  }
  assert.deepEqual(ran, []);
});

Deno.test("server.fetch() ignores Mcp-Param headers that no annotation names", async () => {
  assert.equal((await createServer().place({}, { "mcp-param-other": "x" })).status, 200);
});

Deno.test("server.fetch() lists annotations as they were given, and calls such tools (M-HDR-020)", async () => {
  const { tools } = (await call(createServer().server, "tools/list")).result;
  assert.equal(tools[0].inputSchema.properties.deep.properties.inner["x-mcp-header"], "Inner");
});

const annotated = (schema: Json) => () => tool({ name: "t", input: { type: "object", ...schema }, handler: () => "x" });
const property = (value: Json) => annotated({ properties: { a: value } });

Deno.test("tool() refuses annotations that are empty, no HTTP token, or hold control characters (M-HDR-014, M-HDR-015, M-HDR-016, B081)", () => {
  for (const name of ["", "a b", "a:b", "ä", "a\r\nX: y", "X\u0000", 7, null]) {
    assert.throws(
      property({ type: "string", "x-mcp-header": name }),
      /^TypeError: tools\.t\.input\.properties\.a: x-mcp-header must be/,
    );
  }
});

Deno.test("tool() refuses annotations that differ in letter case only (M-HDR-017, B081)", () => {
  const both = { a: { type: "string", "x-mcp-header": "Region" }, b: { type: "string", "x-mcp-header": "region" } };
  assert.throws(annotated({ properties: both }), /without regard to case/);
});

Deno.test("tool() refuses annotations on numbers, objects, arrays and unions (M-HDR-018, B081)", () => {
  for (const type of ["number", "object", "array", "null", ["integer", "null"]]) {
    assert.throws(property({ type, "x-mcp-header": "A" }), /type string, integer or boolean/);
  }
});

Deno.test("tool() refuses annotations behind arrays, compositions, conditions and references (M-HDR-021, B081)", () => {
  const marked = { type: "string", "x-mcp-header": "A" };
  for (
    const schema of [
      { properties: { a: { type: "array", items: marked } } },
      { properties: { a: { anyOf: [marked] } } },
      { oneOf: [{ properties: { a: marked } }] },
      { allOf: [{ properties: { a: marked } }] },
      { if: { properties: { a: marked } } },
      { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: marked } },
      { additionalProperties: marked },
      { patternProperties: { "^a": marked } },
    ]
  ) assert.throws(annotated(schema), /reached through properties alone/);
});
