/** Tests of `server/components/tool.ts`. */
import assert from "node:assert/strict";
import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { tool, toolParts } from "../../../server/components/tool.ts";
import type { Fields, JsonSchema } from "../../../protocol/schema.ts";

const HANDLER = () => "";

/** What a definition is refused with. */
function fault(options: object): string {
  try {
    tool({ name: "t", handler: HANDLER, ...options } as never);
  } catch (error) {
    assert.ok(error instanceof TypeError, String(error));
    return error.message;
  }
  throw new Error(`Expected a refusal of ${JSON.stringify(options)}`);
}

Deno.test("tool lists its name, texts, schemas, annotations and _meta (M-TOOL-014, M-TOOL-015)", () => {
  const { definition, kind, name } = tool({
    name: "search",
    title: "Search",
    description: "Searches",
    icons: [{ src: "https://example.com/i.png", sizes: ["48x48", "any"], theme: "dark" }],
    annotations: { readOnlyHint: true },
    meta: { "example.com/own": 1 },
    args: { query: { type: "string", required: true }, limit: { type: "integer" } },
    output: { type: "object", properties: { rows: { type: "array" } } },
    handler: () => ({ rows: [] }),
  });
  assert.deepEqual([kind, name], ["tool", "search"]);
  assert.deepEqual(JSON.parse(JSON.stringify(definition)), {
    name: "search",
    title: "Search",
    description: "Searches",
    icons: [{ src: "https://example.com/i.png", sizes: ["48x48", "any"], theme: "dark" }],
    inputSchema: {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer" } },
      required: ["query"],
    },
    outputSchema: { type: "object", properties: { rows: { type: "array" } } },
    annotations: { readOnlyHint: true },
    _meta: { "example.com/own": 1 },
  });
});

Deno.test("tool without arguments publishes an object schema that forbids them (M-TOOL-018)", () => {
  assert.deepEqual(tool({ name: "t", handler: HANDLER }).definition.inputSchema, { type: "object", additionalProperties: false });
});

Deno.test("tool gives a value that nobody can change, with parts that nobody sees", () => {
  const value = tool({ name: "t", handler: HANDLER });
  assert.ok(Object.isFrozen(value));
  assert.deepEqual(Object.keys(value), ["kind", "name", "definition"]);
  assert.ok(toolParts(value));
  assert.deepEqual([toolParts({ ...value }), toolParts(null), toolParts("t")], [undefined, undefined, undefined]);
});

Deno.test("tool refuses names outside the alphabet or the length (M-TOOL-023, M-TOOL-025, M-TOOL-026)", () => {
  for (const name of ["", "a b", "a,b", "a/b", "ä", "\ud83d", "a".repeat(129), 7, undefined, null]) {
    assert.match(fault({ name }), /^tools?\..*: Expected /s, String(name));
  }
  for (const name of ["a", "a".repeat(128), "A-z_0.9", "__proto__", "constructor"]) {
    assert.equal(tool({ name, handler: HANDLER }).name, name);
  }
});

Deno.test("tool names the path and the rule of a faulty option", () => {
  assert.equal(fault({ handle: 1 }), "tools.t.handle: Unknown option, perhaps handler");
  assert.equal(fault({ handler: 1 }), "tools.t.handler: Expected a function");
  assert.equal(fault({ title: 1 }), "tools.t.title: Expected a string");
  for (const timeout of [0, -1, 1.5, "1"]) assert.match(fault({ timeout }), /^tools\.t\.timeout: Expected a positive integer/);
  assert.equal(fault({ input: { type: "object" }, args: {} }), "tools.t: Expected either input or args, received both");
  assert.equal(fault({ additionalProperties: false }), "tools.t.additionalProperties: Expected only beside args");
  assert.match(fault({ task: "always" as never }), /^tools\.t\.task: Expected "optional" or "required"/);
});

Deno.test("tool refuses schemas that are no object schemas, naming the path (M-TOOL-014, M-TOOL-015)", () => {
  for (const input of [null, 7, "object", [], { type: "string" }, { type: ["object", "null"] }, z.string()]) {
    assert.match(fault({ input }), /^tools\.t\.input/, JSON.stringify(input));
  }
  assert.match(fault({ input: { type: "object", properties: { a: { type: "strin" } } } }), /^tools\.t\.input/);
  assert.match(fault({ input: z.object({ at: z.date() }) }), /^tools\.t\.input/);
});

Deno.test("tool tells that an object of schemas belongs in one schema", () => {
  const told = "Expected a schema, received an object of schemas: wrap it, such as in z.object()";
  assert.equal(fault({ input: { id: z.string() } }), `tools.t.input: ${told}`);
  assert.equal(fault({ output: { id: z.string() } }), `tools.t.output: ${told}`);
  assert.equal(fault({ input: { id: type("string") } }), `tools.t.input: ${told}`);
  const properties = { id: { type: "string", description: "~standard" } };
  assert.deepEqual(
    tool({ name: "t", input: { type: "object", properties }, handler: HANDLER }).definition.inputSchema.properties,
    properties,
  );
});

Deno.test("tool refuses an output that names what tells kinds of results apart (API § 2.1)", () => {
  for (const name of ["structured", "resultType"]) {
    assert.match(
      fault({ output: { type: "object", properties: { [name]: {} } } }),
      new RegExp(`^tools\\.t\\.output\\.properties\\.${name}: Expected another name`),
    );
  }
});

Deno.test("tool takes an output schema of any type (M-TOOL-017)", () => {
  assert.deepEqual(
    tool({ name: "t", output: { type: "array", items: { type: "string" } }, handler: () => ["a"] }).definition.outputSchema,
    {
      type: "array",
      items: { type: "string" },
    },
  );
});

Deno.test("tool adds type object to a union of objects, and keeps other keywords (M-TOOL-016)", () => {
  const union = tool({
    name: "t",
    input: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
    handler: HANDLER,
  });
  assert.equal(union.definition.inputSchema.type, "object");
  const kept: JsonSchema = {
    type: "object",
    $defs: { a: { type: "string" } },
    properties: { a: { $ref: "#/$defs/a" } },
    anyOf: [{ required: ["a"] }],
  };
  assert.deepEqual(tool({ name: "t", input: kept, handler: HANDLER }).definition.inputSchema, kept);
});

Deno.test("tool reads zod, valibot, arktype and TypeBox", () => {
  const schemas: readonly unknown[] = [
    z.object({ a: z.string(), b: z.number().optional() }),
    toStandardJsonSchema(v.object({ a: v.string(), b: v.optional(v.number()) })),
    type({ a: "string", "b?": "number" }),
    Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()) }),
  ];
  for (const input of schemas) {
    const { inputSchema } = tool({ name: "t", input: input as JsonSchema, handler: HANDLER }).definition;
    assert.equal(inputSchema.type, "object");
    assert.deepEqual(inputSchema.required, ["a"]);
    assert.deepEqual(Object.keys(inputSchema.properties as object).sort(), ["a", "b"]);
  }
});

Deno.test("tool names what is wrong with an x-mcp-header (B081, M-HDR-014, M-HDR-015, M-HDR-016, M-HDR-017, M-HDR-018, M-HDR-020)", () => {
  const header = (value: unknown, type = "string") => ({ type, "x-mcp-header": value });
  const faults: readonly [object, RegExp][] = [
    [{ a: header("Foo Bar") }, /^tools\.t\.input.*a/],
    [{ a: header("") }, /^tools\.t\.input.*a/],
    [{ a: header("X\r\nEvil: 1") }, /^tools\.t\.input.*a/],
    [{ a: header(7) }, /^tools\.t\.input.*a/],
    [{ a: header("Region"), b: header("REGION") }, /^tools\.t\.input.*b/],
    [{ a: header("Region", "number") }, /^tools\.t\.input.*a/],
    [{ a: header("Region", "object") }, /^tools\.t\.input.*a/],
    [{ a: { type: "array", items: header("Region") } }, /^tools\.t\.input.*items/],
    [{ a: { anyOf: [header("Region")] } }, /^tools\.t\.input.*anyOf/],
  ];
  for (const [properties, expected] of faults) {
    assert.match(fault({ input: { type: "object", properties } }), expected, JSON.stringify(properties));
  }
  assert.match(
    fault({ input: { type: "object", $defs: { r: header("Region") }, properties: { a: { $ref: "#/$defs/r" } } } }),
    /^tools\.t\.input.*\$defs/,
  );
});

Deno.test("tool takes an x-mcp-header on strings, integers and booleans, nested in properties (M-HDR-011)", () => {
  const input = {
    type: "object",
    properties: {
      a: { type: "string", "x-mcp-header": "Region" },
      b: { type: "object", properties: { c: { type: "integer", "x-mcp-header": "Count" } } },
      d: { type: "boolean", "x-mcp-header": "Dry-Run" },
    },
  } as const;
  const parts = toolParts(tool({ name: "t", input, handler: HANDLER }));
  assert.deepEqual(parts?.mirrored.map(({ header, path }) => [header, path]), [
    ["mcp-param-region", ["a"]],
    ["mcp-param-count", ["b", "c"]],
    ["mcp-param-dry-run", ["d"]],
  ]);
  const zod = tool({ name: "t", input: z.object({ a: z.string().meta({ "x-mcp-header": "Region" }) }), handler: HANDLER });
  assert.equal(toolParts(zod)?.mirrored.length, 1);
});

Deno.test("tool refuses unknown keywords in args, which says how it is written", () => {
  assert.match(
    fault({ args: { lines: { type: "array", items: { sku: { type: "string" } } } as never } as Fields }),
    /^tools\.t\.args.*lines.*sku/,
  );
  assert.match(fault({ args: { a: { typ: "string" } } }), /^tools\.t\.args.*a.*typ/);
});

Deno.test("tool names faults of args as they are written there, without the properties of the schema made from them", () => {
  const kinds = "Expected one or several of string, number, integer, boolean, null, object, array";
  const wrong = { type: "strin" };
  assert.equal(fault({ args: { x: wrong } }), `tools.t.args.x.type: ${kinds}`);
  assert.equal(fault({ args: { x: { properties: { y: wrong } } } }), `tools.t.args.x.properties.y.type: ${kinds}`);
  assert.equal(fault({ args: { properties: wrong } }), `tools.t.args.properties.type: ${kinds}`);
  assert.match(fault({ args: { x: { type: "string", "x-mcp-header": "a b" } } }), /^tools\.t\.args\.x: x-mcp-header/);
  assert.equal(fault({ input: { type: "object", properties: { x: wrong } } }), `tools.t.input.properties.x.type: ${kinds}`);
});

Deno.test("tool refuses patterns that may take exponential time on arguments and on outputs that hold them, wherever they stand", () => {
  const rule = "A pattern repeats a part that can match one text in several ways, " +
    "which may take exponential time on the text of a caller";
  const bad = { type: "string", pattern: "^(a+)+$" };
  const input = (schema: object) => ({ type: "object", ...schema });
  const places: readonly (readonly [options: object, path: string])[] = [
    [{ args: { word: { type: "string", pattern: "(x|x)*y" } } }, "tools.t.args.word.pattern"],
    [{ input: input({ properties: { a: { type: "array", items: bad } } }) }, "tools.t.input.properties.a.items.pattern"],
    [{ input: input({ patternProperties: { "^(\\w+\\s?)*$": {} } }) }, "tools.t.input.patternProperties"],
    [
      { input: input({ $ref: "#/parts/a", parts: { a: { properties: { b: bad } } } }) },
      "tools.t.input.$ref.properties.b.pattern",
    ],
    [{ input: z.object({ a: z.string().regex(/^(a+)+$/) }) }, "tools.t.input.properties.a.pattern"],
    [{ output: input({ properties: { a: { type: "array", items: bad } } }) }, "tools.t.output.properties.a.items.pattern"],
    [{ output: z.object({ a: z.string().regex(/^(a+)+$/) }) }, "tools.t.output.properties.a.pattern"],
  ];
  for (const [options, path] of places) assert.equal(fault(options), `${path}: ${rule}`);
  for (const pattern of ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "^(\\d{1,3}\\.){3}\\d{1,3}$", "\\s+$"]) {
    tool({ name: "t", args: { a: { type: "string", pattern } }, handler: HANDLER });
  }
  tool({ name: "t", input: z.object({ mail: z.email(), at: z.iso.datetime(), id: z.uuid() }), handler: HANDLER });
});
