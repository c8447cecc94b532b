/** Tests of reading the schemas of libraries. */
import assert from "node:assert/strict";
import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import * as mini from "zod/mini";
import { issuesOf, readSchema } from "../../protocol/standard_schema.ts";

Deno.test("readSchema reads zod: what is listed by direction, and its validate (M-TOOL-015, M-SCHEMA-005)", () => {
  const schema = z.object({ a: z.string().default("x"), n: z.coerce.number() });
  const input = readSchema(schema, "input", "p");
  assert.equal(input.json["type"], "object");
  assert.equal(input.json["$schema"], "https://json-schema.org/draft/2020-12/schema");
  assert.equal(input.vendor, "zod");
  assert.deepEqual(input.validate?.({ n: "5" }), { value: { a: "x", n: 5 } });
  assert.equal(readSchema(schema, "output", "p").json["additionalProperties"], false);
});

Deno.test("readSchema reads arktype, whose schemas are functions, and valibot with its converter", () => {
  const ark = readSchema(type({ a: "string" }), "input", "p");
  assert.equal(ark.json["type"], "object");
  assert.equal(ark.vendor, "arktype");
  assert.equal(issuesOf(ark.validate?.({ a: "x" }), ark.vendor), undefined);
  const vali = readSchema(toStandardJsonSchema(v.object({ a: v.string() })), "input", "p");
  assert.deepEqual(vali.json["required"], ["a"]);
  assert.deepEqual(issuesOf(vali.validate?.({}), vali.vendor), [{ path: "/a", message: "does not satisfy the schema" }]);
});

Deno.test("readSchema copies TypeBox and JSON Schema, without symbols and without ties to what was given", () => {
  const given = Type.Object({ a: Type.Optional(Type.String()), b: Type.Number() });
  const { json, validate } = readSchema(given, "input", "p");
  assert.deepEqual(Object.getOwnPropertySymbols(json), []);
  assert.deepEqual(json, { type: "object", required: ["b"], properties: { a: { type: "string" }, b: { type: "number" } } });
  assert.equal(validate, undefined);
  const plain = { type: "object", anyOf: [{ required: ["a"] }], $defs: { x: {} }, "x-own": 1, description: undefined };
  const copy = readSchema(plain, "input", "p").json;
  assert.deepEqual(copy, { type: "object", anyOf: [{ required: ["a"] }], $defs: { x: {} }, "x-own": 1 });
  plain.anyOf.length = 0;
  assert.equal((copy["anyOf"] as unknown[]).length, 1);
});

Deno.test("readSchema gives the root of an input its type when each branch is an object (M-TOOL-015)", () => {
  const union = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
  assert.equal(readSchema(union, "input", "p").json["type"], "object");
  const roots: object[] = [
    { properties: {} },
    { type: ["object"] },
    { oneOf: [{ type: "object" }, { $ref: "#/$defs/a" }], $defs: { a: { type: "object" } } },
    { allOf: [{ type: "object" }, {}] },
    { $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "object" } } },
  ];
  for (const root of roots) assert.equal(readSchema(root, "input", "p").json["type"], "object", JSON.stringify(root));
});

Deno.test("readSchema refuses an input whose root may be no object", () => {
  const roots: object[] = [
    {},
    { type: "string" },
    { type: ["object", "null"] },
    { anyOf: [{ type: "object" }, { type: "string" }] },
    { anyOf: [{ type: "object" }, true] },
    { anyOf: [] },
    { $ref: "#" },
    { $ref: "#/$defs/none" },
    z.union([z.object({}), z.string()]),
  ];
  for (const root of roots) {
    assert.throws(() => readSchema(root, "input", "tools.t.input"), /^TypeError: tools\.t\.input: Expected type "object"/);
  }
});

Deno.test("readSchema lists any JSON Schema for an output (M-TOOL-017)", () => {
  assert.deepEqual(readSchema({ type: "array" }, "output", "p").json, { type: "array" });
  assert.deepEqual(readSchema({}, "output", "p").json, {});
});

Deno.test("readSchema says what to do with a schema that prints no JSON Schema", () => {
  for (const schema of [mini.object({}), v.object({}), (): void => {}, new Map(), new Date()]) {
    assert.throws(
      () => readSchema(schema, "output", "tools.t.output"),
      /^TypeError: tools\.t\.output: The schema prints no JSON Schema: use zod 4\.2/,
    );
  }
  assert.throws(
    () => readSchema(z.object({ at: z.date() }), "input", "tools.t.input"),
    /^TypeError: tools\.t\.input: Printing .* failed: .*Date/,
  );
  assert.throws(() => readSchema(z.object({ at: z.string().transform(Number) }), "output", "p"), /^TypeError: p: Printing/);
});

Deno.test("readSchema refuses what is no schema, with its path (M-TOOL-014)", () => {
  for (const schema of [null, undefined, 1, "x", true, []]) {
    assert.throws(() => readSchema(schema, "input", "tools.t.input"), /^TypeError: tools\.t\.input: Expected a schema, received/);
  }
  const cyclic: { [name: string]: unknown } = { type: "object" };
  cyclic["properties"] = { cyclic };
  assert.throws(() => readSchema(cyclic, "input", "p"), /^TypeError: p: Copying/);
  assert.throws(() => readSchema({ type: "object", x: 1n }, "input", "p"), /^TypeError: p: Copying/);
});

Deno.test("issuesOf tells no value of any library", () => {
  const secret = "SECRET";
  const schemas: readonly (readonly [
    string,
    { readonly "~standard": { readonly vendor: string; readonly validate: (value: unknown) => unknown } },
  ])[] = [
    ["arktype", type({ a: "'x'", b: "number" }) as never],
    ["valibot", v.object({ a: v.literal("x"), b: v.number() })],
    ["zod", z.object({ a: z.literal("x"), b: z.number() })],
  ];
  for (const [vendor, schema] of schemas) {
    const standard = schema["~standard"];
    assert.equal(standard.vendor, vendor);
    const issues = issuesOf(standard.validate({ a: secret, b: secret }), standard.vendor);
    assert.deepEqual(issues?.map(({ path }) => path).sort(), ["/a", "/b"]);
    assert.ok(!JSON.stringify(issues).includes(secret), JSON.stringify(issues));
    assert.equal(issuesOf(standard.validate({ a: "x", b: 1 }), standard.vendor), undefined);
  }
});

Deno.test("issuesOf passes the messages of zod alone", () => {
  const issues = [{ message: "At least 3", path: ["a/b", { key: 0 }, Symbol("s")] }];
  assert.deepEqual(issuesOf({ issues }, "zod"), [{ path: "/a~1b/0/s", message: "At least 3" }]);
  for (const vendor of ["valibot", undefined, "Zod"]) {
    assert.deepEqual(issuesOf({ issues }, vendor), [{ path: "/a~1b/0/s", message: "does not satisfy the schema" }]);
  }
});

Deno.test("issuesOf takes no odd result for a valid value", () => {
  const root = [{ path: "", message: "does not satisfy the schema" }];
  for (
    const result of [undefined, null, 1, {}, { issues: [] }, { issues: null }, { issues: [null] }, { issues: "x", value: 1 }]
  ) {
    assert.deepEqual(issuesOf(result, "zod"), root, JSON.stringify(result));
  }
  assert.equal(issuesOf({ value: undefined }, "zod"), undefined);
  assert.throws(() => issuesOf(Promise.resolve({ value: 1 }), "zod"), TypeError);
  assert.equal(issuesOf({ issues: Array.from({ length: 500 }, () => ({ message: "m" })) }, "zod")?.length, 20);
});
