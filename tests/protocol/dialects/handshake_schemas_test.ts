/** Tests of the schemas of tools, and of their values, in the revisions that know objects only. */
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { dialect20250618, dialect20251125 } from "../../loaded_dialects.ts";
import type { JsonObject, JsonValue } from "../../../protocol/json.ts";

const BOTH = [dialect20251125, dialect20250618];
const DRAFT = "https://json-schema.org/draft/2020-12/schema";

const written = (outputSchema: JsonObject, dialect = dialect20251125): JsonObject =>
  dialect.writeDefinition("tool", { name: "t", inputSchema: { type: "object" }, outputSchema }).outputSchema as JsonObject;

function accepts(schema: JsonObject, value: JsonValue): boolean {
  return new Ajv2020({ strict: false }).compile(schema)(value);
}

/** Schemas with another root than the type "object": values that fit them, and values that do not. */
const SCHEMAS: readonly (readonly [name: string, schema: JsonObject, fits: readonly JsonValue[], fails: readonly JsonValue[]])[] =
  [
    ["a list", { type: "array", items: { type: "integer" } }, [[], [1]], [["a"], null, {}]],
    ["a text", { type: "string" }, ["", "a"], [1, { result: "a" }]],
    ["anything", {}, [null, 1, {}, { result: 1 }], []],
    ["an object or null", { type: ["object", "null"], properties: { a: { type: "string" } } }, [null, { a: "x" }], [{ a: 1 }, 1]],
    [
      "a pointer to the root",
      { type: ["object", "null"], properties: { next: { $ref: "#" } }, additionalProperties: false },
      [null, { next: { next: null } }],
      [{ next: { other: 1 } }, { next: 1 }],
    ],
    [
      "pointers to definitions",
      {
        $ref: "#/$defs/a~1b",
        $defs: { "a/b": { anyOf: [{ type: "integer" }, { $ref: "#/$defs/list" }] }, list: { type: "array" } },
      },
      [1, []],
      ["a", {}],
    ],
    [
      "pointers below every keyword",
      {
        $defs: { n: { type: "integer" } },
        allOf: [{ type: "array" }],
        prefixItems: [{ $ref: "#/$defs/n" }],
        items: { not: { $ref: "#/$defs/n" } },
        if: { minItems: 2 },
        then: { contains: { $ref: "#/$defs/n" } },
      },
      [[], [1], [1, "a"]],
      [["a"], [1, 2], {}],
    ],
    [
      "anchors",
      { $ref: "#n", $defs: { n: { $anchor: "n", type: "integer" } } },
      [1],
      ["a"],
    ],
    [
      "a document of its own at the root",
      { $id: "https://example.com/tree", type: ["array", "null"], items: { $ref: "#" } },
      [null, [[], null]],
      [[1], 1],
    ],
    [
      "a document of its own below the root",
      {
        $ref: "https://example.com/inner",
        $defs: {
          inner: { $id: "https://example.com/inner", allOf: [{ $ref: "#/$defs/n" }], $defs: { n: { type: "integer" } } },
          n: { type: "string" },
        },
      },
      [1],
      ["a"],
    ],
    [
      "names and literals that look like pointers",
      {
        anyOf: [
          { type: "object", required: ["$ref"], properties: { $ref: { type: "string" }, const: { $ref: "#/$defs/n" } } },
          { const: { $ref: "#/$defs/n" } },
          { enum: [{ items: { $ref: "#" } }] },
        ],
        $defs: { n: { type: "integer" } },
      },
      [{ $ref: "x", const: 1 }, { $ref: "#/$defs/n" }, { items: { $ref: "#" } }],
      [{ $ref: "x", const: "a" }, { items: { $ref: "#/properties/result" } }],
    ],
  ];

for (const [name, schema, fits, fails] of SCHEMAS) {
  Deno.test(`writeDefinition wraps an output schema with ${name}, and the same values fit it (L-TOOL-002)`, () => {
    for (const dialect of BOTH) {
      const wrapped = written(schema, dialect);
      assert.equal(wrapped.type, "object");
      assert.deepEqual(Object.keys(wrapped.properties as JsonObject), ["result"]);
      for (const value of fits) {
        assert.ok(accepts(schema, value), `${name}: the test is wrong about ${JSON.stringify(value)}`);
        assert.ok(accepts(wrapped, dialect.writeStructured(value, schema).value), `${name}: ${JSON.stringify(value)}`);
      }
      for (const value of fails) {
        assert.ok(!accepts(schema, value), `${name}: the test is wrong about ${JSON.stringify(value)}`);
        assert.ok(!accepts(wrapped, dialect.writeStructured(value, schema).value), `${name}: ${JSON.stringify(value)}`);
      }
    }
  });
}

Deno.test("writeStructured leaves the objects of object schemas as they are, and makes objects of all else (L-TOOL-001)", () => {
  for (const dialect of BOTH) {
    const value = { result: 1 };
    assert.equal(dialect.writeStructured(value, { type: "object" }).value, value);
    assert.equal(dialect.writeStructured(value, undefined).value, value);
    for (const other of [null, 1, "a", false, [], [value]]) {
      assert.deepEqual(dialect.writeStructured(other, undefined).value, { result: other });
      assert.deepEqual(dialect.writeStructured(other, { type: "object" }).value, { result: other });
    }
  }
});

Deno.test("writeDefinition keeps an output schema whose root is an object", () => {
  const schema = { type: "object", properties: { next: { $ref: "#" } } };
  for (const dialect of BOTH) assert.deepEqual(written(schema, dialect), schema);
});

Deno.test("writeDefinition names the dialect of a schema at its root in 2025-11-25, and nowhere in 2025-06-18 (L-TOOL-007)", () => {
  const list = { $schema: DRAFT, type: "array" };
  const object = { $schema: DRAFT, type: "object" };
  assert.deepEqual(Object.entries(written(list))[0], ["$schema", DRAFT]);
  assert.deepEqual((written(list).properties as JsonObject).result, { type: "array" });
  assert.deepEqual(written(object), object);
  assert.deepEqual(written(object, dialect20250618), { type: "object" });
  assert.equal(JSON.stringify(written(list, dialect20250618)).includes("$schema"), false);
  const tool = { name: "t", inputSchema: { $schema: DRAFT, type: "object" } };
  assert.deepEqual(dialect20251125.writeDefinition("tool", tool).inputSchema, tool.inputSchema);
  assert.deepEqual(dialect20250618.writeDefinition("tool", tool).inputSchema, { type: "object" });
});

Deno.test("writeDefinition writes boolean schemas of properties as objects (L-TOOL-003)", () => {
  const properties = JSON.parse('{"a":true,"b":false,"__proto__":true,"constructor":{"type":"string"}}');
  const schema = { type: "object", properties, additionalProperties: false };
  const expected = JSON.parse('{"a":{},"b":{"not":{}},"__proto__":{},"constructor":{"type":"string"}}');
  for (const dialect of BOTH) {
    const tool = dialect.writeDefinition("tool", { name: "t", inputSchema: schema, outputSchema: schema });
    for (const one of [tool.inputSchema, tool.outputSchema] as JsonObject[]) {
      assert.equal(JSON.stringify(one.properties), JSON.stringify(expected));
      assert.equal(one.additionalProperties, false);
    }
  }
});

Deno.test("writeDefinition leaves out how a tool is executed, and icons where they are not known (L-TOOL-005, L-TOOL-006)", () => {
  const tool = { name: "t", inputSchema: { type: "object" }, icons: [], execution: { taskSupport: "optional" }, title: "T" };
  const bare = { name: "t", inputSchema: { type: "object" }, title: "T" };
  assert.deepEqual(dialect20250618.writeDefinition("tool", tool), bare);
  assert.deepEqual(dialect20251125.writeDefinition("tool", tool), { ...bare, icons: [] });
  for (const kind of ["resource", "template", "prompt"] as const) {
    assert.deepEqual(dialect20250618.writeDefinition(kind, { name: "r", icons: [], title: "R" }), { name: "r", title: "R" });
    assert.deepEqual(dialect20251125.writeDefinition(kind, { name: "r", icons: [] }), { name: "r", icons: [] });
  }
});

Deno.test("writeDefinition changes nothing in the definition that it is given", () => {
  const tool = {
    name: "t",
    icons: [],
    inputSchema: { $schema: DRAFT, type: "object", properties: { a: true } },
    outputSchema: { $schema: DRAFT, items: { $ref: "#" } },
  };
  const before = structuredClone(tool);
  for (const dialect of BOTH) dialect.writeDefinition("tool", tool);
  assert.deepEqual(tool, before);
});

Deno.test("readStructured takes out what writeStructured has wrapped, and nothing else", () => {
  for (const dialect of BOTH) {
    for (const value of [null, 1, "a", [1], { result: 1 }, { a: { result: 2 } }]) {
      for (const schema of [undefined, { type: "object" }, { anyOf: [{ type: "object" }, { type: "string" }] }]) {
        const written = dialect.writeStructured(value, schema);
        const _meta = written.meta;
        const result = { content: [], structuredContent: written.value, ...(_meta === undefined ? {} : { _meta }) };
        assert.deepEqual(dialect.readStructured(result), value);
      }
    }
    // A server of somebody else gave an object with a member of that name.
    assert.deepEqual(dialect.readStructured({ content: [], structuredContent: { result: 1 } }), { result: 1 });
    assert.equal(dialect.readStructured({ content: [] }), undefined);
  }
});
