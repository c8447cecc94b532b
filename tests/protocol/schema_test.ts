/** Tests of the shorthand and of JSON Schema given to a library's schema. */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { fieldsToSchema } from "../../protocol/fields_schema.ts";
import { checkSchemaBounds } from "../../protocol/json_schema.ts";
import { type Fields, fields, type FromJsonSchema, type SchemaOutput, withJsonSchema } from "../../protocol/schema.ts";
import { readSchema } from "../../protocol/standard_schema.ts";

type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

Deno.test("fieldsToSchema turns the shorthand into plain JSON Schema, at any depth", () => {
  const schema = fieldsToSchema(
    {
      query: { type: "string", required: true, minLength: 1 },
      page: { type: "integer", minimum: 1, description: undefined },
      customer: {
        required: true,
        properties: { id: { type: "string", required: true }, email: { type: "string", required: false } },
      },
      lines: { type: "array", items: { additionalProperties: false, properties: { sku: { type: "string", required: true } } } },
      either: { anyOf: [{ type: "string" }, { type: "object", properties: { id: { type: "integer", required: true } } }] },
      bag: { type: "object", additionalProperties: { type: "number" }, "x-note": { a: 1 } },
      free: {},
    },
    "tools.order.args",
    { additionalProperties: false },
  );
  assert.deepEqual(schema, {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1 },
      page: { type: "integer", minimum: 1 },
      customer: { type: "object", properties: { id: { type: "string" }, email: { type: "string" } }, required: ["id"] },
      lines: {
        type: "array",
        items: { type: "object", additionalProperties: false, properties: { sku: { type: "string" } }, required: ["sku"] },
      },
      either: { anyOf: [{ type: "string" }, { type: "object", properties: { id: { type: "integer" } }, required: ["id"] }] },
      bag: { type: "object", additionalProperties: { type: "number" }, "x-note": { a: 1 } },
      free: {},
    },
    required: ["query", "customer"],
    additionalProperties: false,
  });
  assert.equal(checkSchemaBounds(schema, "p"), undefined);
});

Deno.test("fieldsToSchema names the path and the fix", () => {
  const fails = (given: unknown, reason: RegExp): void => {
    assert.throws(
      () => fieldsToSchema(given, "tools.order.args"),
      (error: Error) => error instanceof TypeError && reason.test(error.message),
    );
  };
  fails(
    { lines: { type: "array", items: { sku: { type: "string" } } } },
    /^tools\.order\.args\.lines\.items\.sku: .*under "properties"/,
  );
  fails({ a: { type: "string", minLenght: 1 } }, /^tools\.order\.args\.a\.minLenght: Unknown keyword/);
  fails({ a: "string" }, /^tools\.order\.args\.a: Expected a JSON Schema object, received a string/);
  fails({ a: null }, /^tools\.order\.args\.a: .*received null/);
  fails({ a: { type: "array", items: { type: "string", required: true } } }, /^tools\.order\.args\.a\.items\.required: /);
  fails({ a: { type: "string", required: "yes" } }, /^tools\.order\.args\.a\.required: /);
  fails({ a: { anyOf: {} } }, /^tools\.order\.args\.a\.anyOf: Expected a list of schemas, received an object$/);
  fails({ a: { const: 1n } }, /^tools\.order\.args\.a\.const: Copying/);
  fails(
    { a: { type: "integer", default: 1.5 } },
    /^tools\.order\.args\.a\.default: Expected a value of type integer, received number$/,
  );
  fails({ a: { type: ["string", "null"], default: [] } }, /^tools\.order\.args\.a\.default: .*string or null, received array$/);
  fails({ a: { enum: ["x", "y"], default: "z" } }, /^tools\.order\.args\.a\.default: Expected one of the values under enum$/);
  fails({ a: { properties: { b: { type: "string", default: 1 } } } }, /^tools\.order\.args\.a\.properties\.b\.default: /);
  fails({ a: z.string() }, /^tools\.order\.args\.a: .*schema of a library/);
  fails(z.object({}), /^tools\.order\.args: .*belongs in "input"/);
  fails([], /^tools\.order\.args: Expected an object/);
  const cyclic: { [name: string]: unknown } = { type: "array" };
  cyclic["items"] = cyclic;
  fails({ a: cyclic }, /Nesting exceeds/);
});

Deno.test("fieldsToSchema takes defaults that fit", () => {
  const fields = {
    a: { type: "integer", default: 2 },
    b: { type: "number", default: 2.5 },
    c: { type: ["string", "null"], default: null },
    d: { enum: ["x", { y: [1] }], default: { y: [1] } },
    e: { default: "anything" },
    f: { properties: { g: { type: "string" } }, default: { g: "" } },
  };
  const { properties } = fieldsToSchema(fields, "tools.order.args");
  assert.deepEqual(Object.keys(properties as object), Object.keys(fields));
});

Deno.test("fieldsToSchema keeps names that every object has", () => {
  const given = JSON.parse('{"__proto__":{"type":"string","required":true},"constructor":{"type":"string","required":true}}');
  const schema = fieldsToSchema(given, "p");
  assert.deepEqual(schema["required"], ["__proto__", "constructor"]);
  assert.deepEqual(Object.keys(schema["properties"] as object), ["__proto__", "constructor"]);
});

Deno.test("fields makes an object schema whose type is known", () => {
  const schema = fields({ id: { type: "string", required: true }, n: { type: "number" } }, {
    additionalProperties: false,
    description: "d",
  });
  const same: Same<FromJsonSchema<typeof schema>, { id: string; n?: number }> = true;
  assert.equal(same, true);
  assert.deepEqual(schema, {
    type: "object",
    properties: { id: { type: "string" }, n: { type: "number" } },
    required: ["id"],
    additionalProperties: false,
    description: "d",
  });
});

Deno.test("fields names the path and the fix for a nested object without properties", () => {
  const wrong = { lines: { type: "array", items: { sku: { type: "string" } } } } as unknown as Fields;
  assert.throws(() => fields(wrong), /^TypeError: fields\.lines\.items\.sku: Unknown keyword; .*"properties"/);
});

Deno.test("withJsonSchema gives a schema of a library its JSON Schema and keeps its judgement", () => {
  const schema = withJsonSchema(z.object({ a: z.string() }), { type: "object", properties: { a: { type: "string" } } });
  const same: Same<SchemaOutput<typeof schema>, { a: string }> = true;
  assert.equal(same, true);
  const compiled = readSchema(schema, "input", "p");
  assert.deepEqual(compiled.json, { type: "object", properties: { a: { type: "string" } } });
  assert.equal(compiled.vendor, "zod");
  assert.deepEqual(compiled.validate?.({ a: "x" }), { value: { a: "x" } });
});

Deno.test("withJsonSchema refuses what is no Standard Schema and what is no object", () => {
  assert.throws(() => withJsonSchema({} as never, {}), TypeError);
  assert.throws(() => withJsonSchema(z.string(), [] as never), TypeError);
});
