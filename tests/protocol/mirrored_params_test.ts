/** Tests of `mirroredParams`: the rules for `x-mcp-header` in the schema of a tool. */
import assert from "node:assert/strict";
import { mirroredParams } from "../../protocol/headers.ts";
import type { MirroredParam } from "../../protocol/headers.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";

const MARKED: JsonObject = { type: "string", "x-mcp-header": "Region" };

function found(schema: JsonObject): readonly MirroredParam[] {
  const read = mirroredParams(schema);
  assert.ok(read.ok, read.ok ? "" : `${read.path}: ${read.fault}`);
  return read.params;
}

function refused(schema: JsonObject, fault: RegExp): string {
  const read = mirroredParams(schema);
  assert.ok(!read.ok, `accepted ${JSON.stringify(schema)}`);
  assert.match(read.fault, fault);
  return read.path;
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const named = (name: JsonValue): JsonObject => object({ a: { type: "string", "x-mcp-header": name } });

Deno.test("mirroredParams finds nothing in a schema without annotations", () => {
  assert.deepEqual(found(object({ a: { type: "string" } })), []);
  assert.deepEqual(found({}), []);
});

Deno.test("mirroredParams gives the header in lower case, as it is spelled, and its path", () => {
  assert.deepEqual(found(object({ region: MARKED })), [{ header: "mcp-param-region", spelled: "Region", path: ["region"] }]);
});

Deno.test("mirroredParams accepts nested properties (M-HDR-020, B081)", () => {
  const [param] = found(object({ a: object({ b: object({ c: MARKED }) }) }));
  assert.deepEqual(param?.path, ["a", "b", "c"]);
});

Deno.test("mirroredParams refuses names that are no text or empty (M-HDR-014, B081)", () => {
  for (const name of ["", null, 1, true, {}, []]) refused(named(name), /non-empty string/);
});

Deno.test("mirroredParams refuses names that are no HTTP token (M-HDR-015, B081)", () => {
  for (
    const name of [
      "Foo Bar",
      "a:b",
      "ä",
      "a/b",
      "a,b",
      "(a)",
      "[a]",
      "a=b",
      "a;b",
      '"a"',
      "a@b",
      "a\\b",
      "{a}",
      "a?b",
      "a<b>",
      " a",
    ]
  ) {
    refused(named(name), /HTTP token/);
  }
});

Deno.test("mirroredParams refuses names with control characters (M-HDR-016, B081)", () => {
  for (const name of ["X\r\nEvil: 1", "a\n", "a\t", "a\u0000", "a\u007f"]) refused(named(name), /HTTP token/);
});

Deno.test("mirroredParams accepts each character of an HTTP token (M-HDR-015)", () => {
  for (const name of ["A", "0", "!#$%&'*+-.^_`|~09azAZ", "x-y_z.1"]) assert.equal(found(named(name)).length, 1);
});

Deno.test("mirroredParams refuses names that differ in letter case only, at any two places (M-HDR-017, B081)", () => {
  const upper = { type: "string", "x-mcp-header": "REGION" };
  refused(object({ a: MARKED, b: upper }), /without regard to case/);
  refused(object({ a: MARKED, b: object({ c: upper }) }), /without regard to case/);
  refused(object({ a: MARKED, b: MARKED }), /without regard to case/);
});

Deno.test("mirroredParams accepts the types string, integer and boolean (M-HDR-018)", () => {
  for (const type of ["string", "integer", "boolean"]) {
    assert.equal(found(object({ a: { type, "x-mcp-header": "A" } })).length, 1);
  }
});

Deno.test("mirroredParams refuses every other type, unions and an absent type (M-HDR-018, B081)", () => {
  for (const type of ["number", "object", "array", "null", ["integer", "null"], ["string"], null]) {
    refused(object({ a: { type, "x-mcp-header": "A" } }), /type string, integer or boolean/);
  }
  refused(object({ a: { "x-mcp-header": "A" } }), /type string, integer or boolean/);
  refused(object({ a: { enum: ["x"], "x-mcp-header": "A" } }), /type string, integer or boolean/);
});

Deno.test("mirroredParams refuses an annotation at the root (M-HDR-020)", () => {
  refused({ type: "string", "x-mcp-header": "A" }, /reached through properties alone/);
});

Deno.test("mirroredParams refuses annotations under keywords that hold one schema (M-HDR-021, B081)", () => {
  for (
    const keyword of [
      "items",
      "contains",
      "additionalProperties",
      "unevaluatedProperties",
      "unevaluatedItems",
      "propertyNames",
      "not",
      "if",
      "then",
      "else",
      "contentSchema",
    ]
  ) {
    refused(object({ a: { [keyword]: MARKED } }), /reached through properties alone/);
    refused(object({}, { [keyword]: object({ a: MARKED }) }), /reached through properties alone/);
  }
});

Deno.test("mirroredParams refuses annotations under keywords that hold a list of schemas (M-HDR-021, B081)", () => {
  for (const keyword of ["anyOf", "oneOf", "allOf", "prefixItems", "items"]) {
    refused(object({ a: { [keyword]: [{}, MARKED] } }), /reached through properties alone/);
    refused(object({}, { [keyword]: [object({ a: MARKED })] }), /reached through properties alone/);
  }
});

Deno.test("mirroredParams refuses annotations under keywords that map names to schemas (M-HDR-021, B081)", () => {
  for (const keyword of ["patternProperties", "dependentSchemas", "$defs", "definitions"]) {
    refused(object({}, { [keyword]: { a: MARKED } }), /reached through properties alone/);
    refused(object({}, { [keyword]: { a: object({ b: MARKED }) } }), /reached through properties alone/);
  }
});

Deno.test("mirroredParams refuses the annotation on what a $ref points at (M-HDR-021, B081)", () => {
  refused(object({ a: { $ref: "#/$defs/region" } }, { $defs: { region: MARKED } }), /reached through properties alone/);
});

Deno.test("mirroredParams says where the faulty annotation is", () => {
  assert.equal(refused(object({ a: { items: MARKED } }), /./), ".properties.a.items");
  assert.equal(refused(object({ a: { anyOf: [{}, MARKED] } }), /./), ".properties.a.anyOf[1]");
});

Deno.test("mirroredParams takes data for data, not for annotations", () => {
  for (const keyword of ["const", "default", "enum", "examples"]) {
    const data = keyword === "enum" || keyword === "examples" ? [MARKED] : MARKED;
    assert.deepEqual(found(object({ a: { type: "object", [keyword]: data } })), []);
  }
});

Deno.test("mirroredParams takes properties that are named like keywords for properties", () => {
  const params = found(object({ "x-mcp-header": MARKED, items: { type: "string", "x-mcp-header": "Items" } }));
  assert.deepEqual(params.map(({ path }) => path), [["x-mcp-header"], ["items"]]);
  assert.deepEqual(found(object({ properties: object({ a: MARKED }) }))[0]?.path, ["properties", "a"]);
});

Deno.test("mirroredParams takes properties with the names of built-ins (B038)", () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string","x-mcp-header":"A"},"constructor":{"type":"string"}}}');
  assert.deepEqual(found(schema)[0]?.path, ["__proto__"]);
});

Deno.test("mirroredParams passes boolean schemas and odd values by", () => {
  assert.deepEqual(found(object({ a: true, b: false, c: null, d: 1, e: "x" }, { additionalProperties: false })), []);
});
