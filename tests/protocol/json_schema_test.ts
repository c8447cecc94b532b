/** Tests of the bounds of JSON Schemas. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../protocol/json.ts";
import { checkSchemaBounds, hasNestedQuantifiers } from "../../protocol/json_schema.ts";
import { pointerSegment } from "../../protocol/pointer_segment.ts";
import { SCHEMA_LIMITS } from "../../protocol/limits.ts";
import { createRandom } from "./random.ts";

Deno.test("checkSchemaBounds accepts what JSON Schema allows (M-TOOL-016)", () => {
  const schemas: JsonObject[] = [
    {},
    {
      type: "object",
      properties: { a: true, b: { $ref: "#/$defs/n" } },
      $defs: { n: { anyOf: [{ $ref: "#" }, { type: "null" }] } },
    },
    { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }], if: {}, then: false, unknown: { type: 5 }, "x-a": [] },
    { $schema: "http://json-schema.org/draft-07/schema#", items: [{}], definitions: {}, dependencies: { a: ["b"] } },
    { $schema: "https://json-schema.org/draft/2020-12/schema", prefixItems: [{}], contentSchema: {}, format: "x" },
    { $id: "https://x.example/root", $defs: { a: { $id: "a", $defs: { b: {} } } }, $ref: "a#/$defs/b" },
    { enum: [], const: null, examples: [{ type: "nonsense" }], default: { $ref: "http://x.example" } },
  ];
  for (const schema of schemas) assert.equal(checkSchemaBounds(schema, "tools.t.input"), undefined, JSON.stringify(schema));
});

Deno.test("checkSchemaBounds begins with the path of the fault", () => {
  const schema = { properties: { lines: { items: { properties: { sku: { type: "strng" } } } } } };
  assert.match(
    checkSchemaBounds(schema, "tools.order.input") ?? "",
    /^tools\.order\.input\.properties\.lines\.items\.properties\.sku\.type: /,
  );
  for (const schema of [undefined, null, true, "x", []]) {
    assert.match(checkSchemaBounds(schema, "p") ?? "", /^p: Expected a JSON Schema object$/);
  }
});

Deno.test("checkSchemaBounds bounds nesting, number of subschemas and length of patterns (M-SCHEMA-017)", () => {
  const nest = (levels: number): JsonObject => {
    let schema: JsonObject = {};
    for (let level = 0; level < levels; level++) schema = { not: schema };
    return schema;
  };
  assert.equal(checkSchemaBounds(nest(SCHEMA_LIMITS.depth), "p"), undefined);
  assert.match(checkSchemaBounds(nest(SCHEMA_LIMITS.depth + 1), "p") ?? "", /Nesting exceeds 64 levels/);
  const wide = (count: number): JsonObject => ({
    properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}])),
  });
  assert.equal(checkSchemaBounds(wide(SCHEMA_LIMITS.subschemas - 1), "p"), undefined);
  assert.match(checkSchemaBounds(wide(SCHEMA_LIMITS.subschemas), "p") ?? "", /number of subschemas exceeds 10000/);
  const { patternLength } = SCHEMA_LIMITS;
  assert.equal(checkSchemaBounds({ pattern: "a".repeat(patternLength) }, "p"), undefined);
  assert.match(checkSchemaBounds({ pattern: "a".repeat(patternLength + 1) }, "p") ?? "", /1025 characters, the limit is 1024/);
  const cyclic: { not?: unknown } = {};
  cyclic.not = cyclic;
  assert.doesNotThrow(() => checkSchemaBounds(cyclic, "p"));
});

Deno.test("checkSchemaBounds follows a long chain of references", () => {
  const $defs: { [name: string]: JsonObject } = {};
  const length = SCHEMA_LIMITS.subschemas - 2;
  for (let index = 0; index < length; index++) $defs[`a${index}`] = index + 1 < length ? { $ref: `#/$defs/a${index + 1}` } : {};
  assert.equal(checkSchemaBounds({ $defs, $ref: "#/$defs/a0" }, "p"), undefined);
  $defs[`a${length - 1}`] = { $ref: "#/$defs/a5" };
  assert.match(checkSchemaBounds({ $defs, $ref: "#/$defs/a0" }, "p") ?? "", /back to itself/);
});

Deno.test("checkSchemaBounds tells a reference to another document from a missing part (M-SCHEMA-009, M-SCHEMA-016)", () => {
  const fault = (schema: JsonObject): string => checkSchemaBounds(schema, "p") ?? "";
  for (const $ref of ["http://127.0.0.1:1/s.json", "s.json", "//x", "file:///etc/passwd", "urn:x:y", "#/$defs/a/../../http"]) {
    assert.match(
      fault({ $ref }),
      /^p\.\$ref: (References to other documents are not followed|Expected a reference to a part)/,
      $ref,
    );
  }
  assert.match(fault({ $ref: "#/required", required: [] }), /part of this schema/);
  assert.match(fault({ $ref: "#/constructor" }), /part of this schema/);
  assert.match(fault({ $ref: "#nowhere" }), /part of this schema/);
  assert.match(fault({ $dynamicRef: "http://x.example/#a" }), /other documents/);
  assert.match(fault({ default: { type: "strng" }, $ref: "#/default" }), /^p\.\$ref\.type/);
});

Deno.test("checkSchemaBounds never throws, whatever it is given", () => {
  const random = createRandom(17);
  const keywords = [
    "type",
    "properties",
    "items",
    "$ref",
    "$id",
    "$anchor",
    "anyOf",
    "pattern",
    "enum",
    "required",
    "$schema",
    "$defs",
    "not",
  ];
  const values = (depth: number): unknown => {
    switch (random.below(depth > 4 ? 6 : 9)) {
      case 0:
        return random.text(6);
      case 1:
        return random.below(5) - 2;
      case 2:
        return null;
      case 3:
        return random.below(2) === 0;
      case 4:
        return random.pick(["#", "#/$defs/a", "#a", "a", "http://x/", "object", "%"]);
      case 5:
        return undefined;
      case 6:
        return Array.from({ length: random.below(4) }, () => values(depth + 1));
      default:
        return Object.fromEntries(
          Array.from({ length: random.below(5) }, () => [random.pick([...keywords, "a", "__proto__"]), values(depth + 1)]),
        );
    }
  };
  for (let round = 0; round < 5000; round++) {
    const schema = values(0);
    assert.doesNotThrow(() => checkSchemaBounds(schema, "p"), JSON.stringify(schema));
  }
});

Deno.test("hasNestedQuantifiers finds repetitions of what repeats or overlaps", () => {
  const dangerous = [
    "(a+)+",
    "^(a*)*$",
    "(?:a+b?){2,}",
    "((a|b)+c*)*",
    "(a|a)*",
    "(a|aa)+",
    "(\\w|\\d)+",
    "(a{1,5})+",
    "(a?a)+",
    "(?<n>x+)*",
    "([^\\]]+)*",
    "(a+){5}",
    "^([\\w.]+)*@",
    "(.*)+?",
    "(|a)+",
  ];
  for (const pattern of dangerous) assert.equal(hasNestedQuantifiers(pattern), true, pattern);
});

Deno.test("hasNestedQuantifiers lets plain patterns pass", () => {
  const plain = [
    "",
    "^[a-z]+$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^(\\d{1,3}\\.){3}\\d{1,3}$",
    "^(foo|bar)+$",
    "^(?:ab)*$",
    "a*b*c*",
    "(a+)?",
    "\\(a+\\)+",
    "[(a+)]+",
    "^(?=a+)b+$",
    "a{",
    "a{,3}+",
    "((((",
    "))))+",
    "(?<",
    "[",
    "\\",
  ];
  for (const pattern of plain) assert.equal(hasNestedQuantifiers(pattern), false, pattern);
});

Deno.test("pointerSegment escapes as RFC 6901 says", () => {
  assert.equal(pointerSegment("a/~b"), "/a~1~0b");
  assert.equal(pointerSegment(""), "/");
});
