/** Tests of `server/argument_checker.ts`: which schema decides, and that no value is repeated. */
import assert from "node:assert/strict";
import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { withJsonSchema } from "../../protocol/schema.ts";
import type { Schema } from "../../protocol/schema.ts";
import { readSchema } from "../../protocol/standard_schema.ts";
import { defaultValidator } from "../../protocol/validators/choose.ts";
import { argumentChecker } from "../../server/argument_checker.ts";
import type { Checked } from "../../server/argument_checker.ts";
import { tool } from "../../server/components/tool.ts";
import { resultOf, serverOf, textOf, toolCall } from "./calls.ts";

/** Something that must not be found in a sentence. */
const SECRET = "s3cr3t-value";

/** The same object in four libraries: `a` of at most three characters, `n` an integer, `k` one of two words. */
const SCHEMAS: readonly (readonly [string, unknown])[] = [
  ["zod", z.object({ a: z.string().max(3), n: z.number().int().optional(), k: z.enum(["x", "y"]).optional() })],
  [
    "valibot",
    toStandardJsonSchema(v.object({
      a: v.pipe(v.string(), v.maxLength(3)),
      n: v.optional(v.pipe(v.number(), v.integer())),
      k: v.optional(v.picklist(["x", "y"])),
    })),
  ],
  ["arktype", type({ a: "string <= 3", "n?": "number.integer", "k?": "'x' | 'y'" })],
  [
    "TypeBox",
    Type.Object({
      a: Type.String({ maxLength: 3 }),
      n: Type.Optional(Type.Integer()),
      k: Type.Optional(Type.Union([Type.Literal("x"), Type.Literal("y")])),
    }),
  ],
  [
    "JSON Schema",
    {
      type: "object",
      properties: { a: { type: "string", maxLength: 3 }, n: { type: "integer" }, k: { enum: ["x", "y"] } },
      required: ["a"],
    },
  ],
];

async function check(schema: unknown, value: unknown): Promise<Checked> {
  const checker = argumentChecker(readSchema(schema, "input", "input"), defaultValidator);
  await checker.load();
  return await checker.check(value);
}

for (const [library, schema] of SCHEMAS) {
  Deno.test(`${library}: what fits passes, what does not names the place and the rule, and never the value (M-TOOL-042, M-TOOL-047)`, async () => {
    assert.deepEqual(await check(schema, { a: "abc", n: 1, k: "x" }), { ok: true, value: { a: "abc", n: 1, k: "x" } });
    const unfit: readonly (readonly [object, string])[] = [
      [{ a: SECRET }, "/a"],
      [{ a: "a", n: SECRET }, "/n"],
      [{ a: "a", n: 1.5 }, "/n"],
      [{ a: "a", k: SECRET }, "/k"],
      [{ a: { [SECRET]: SECRET } }, "/a"],
    ];
    for (const [value, place] of unfit) {
      const checked = await check(schema, value);
      assert.ok(!checked.ok, JSON.stringify(value));
      assert.ok(checked.sentence.startsWith("Invalid arguments: "), checked.sentence);
      assert.ok(checked.sentence.includes(place), checked.sentence);
      assert.ok(!checked.sentence.includes(SECRET), checked.sentence);
    }
    const missing = await check(schema, {});
    assert.ok(!missing.ok && /\ba\b/.test(missing.sentence), JSON.stringify(missing));
  });

  Deno.test(`${library}: the sentence reaches the model as an error result without the value (M-TOOL-042)`, async () => {
    const server = serverOf({
      tools: [tool({ name: "t", input: schema as Schema, handler: () => assert.fail("must not run") })],
    });
    const result = await resultOf(server, toolCall("t", { a: SECRET }));
    assert.equal(result.isError, true);
    assert.match(textOf(result), /^Invalid arguments: .*\/a/);
    assert.ok(!JSON.stringify(result).includes(SECRET));
  });
}

Deno.test("the library alone decides when it can, and gives the value: defaults and transforms (API § 2.3)", async () => {
  const schema = z.object({ a: z.string().default("d"), n: z.string().transform(Number) });
  assert.deepEqual(await check(schema, { n: "7" }), { ok: true, value: { a: "d", n: 7 } });
  const loose = withJsonSchema(v.object({ a: v.string() }), { type: "object", properties: { a: { type: "number" } } });
  assert.deepEqual(await check(loose, { a: "text" }), { ok: true, value: { a: "text" } });
});

Deno.test("a refinement that the JSON Schema does not know is told by its path alone (API § 2.3)", async () => {
  const refined = type({ a: "string" }).narrow((value, ctx) => value.a === "ok" || ctx.mustBe(`not ${SECRET}`));
  const checked = v.object({ a: v.pipe(v.string(), v.check(() => false, SECRET)) });
  for (const schema of [refined, withJsonSchema(checked, { type: "object", properties: { a: { type: "string" } } })]) {
    const told = await check(schema, { a: SECRET });
    assert.ok(!told.ok && !told.sentence.includes(SECRET), JSON.stringify(told));
  }
});

Deno.test("a library that checks asynchronously is waited for", async () => {
  const schema = z.object({ a: z.string().refine(async (value) => await Promise.resolve(value === "ok")) });
  assert.deepEqual(await check(schema, { a: "ok" }), { ok: true, value: { a: "ok" } });
  assert.equal((await check(schema, { a: "no" })).ok, false);
});

Deno.test("a schema is compiled on first use, and once", async () => {
  let compiled = 0;
  const checker = argumentChecker({ json: { type: "object" } }, () =>
    Promise.resolve({
      name: "own",
      compile: () => {
        compiled++;
        return () => [];
      },
    } as never));
  assert.equal(checker.ready, false);
  await checker.load();
  await checker.load();
  assert.deepEqual([compiled, checker.ready], [1, true]);
});

Deno.test("what can not be compiled stays a fault of that schema", async () => {
  const checker = argumentChecker({ json: {} }, () => Promise.resolve({ compile: () => assert.fail("no such draft") } as never));
  await assert.rejects(checker.load(), /no such draft/);
  assert.equal(checker.ready, false);
});

Deno.test("what is checked is named: the arguments of a call, or its structured content", async () => {
  const schema = { json: { type: "object", required: ["a"] } };
  for (
    const [part, sentence] of [["arguments", "Invalid arguments: "], [
      "structured content",
      "Invalid structured content: ",
    ]] as const
  ) {
    const checker = argumentChecker(schema, defaultValidator, part);
    await checker.load();
    assert.deepEqual(await checker.check({}), { ok: false, sentence: `${sentence}/a is required` });
    assert.deepEqual(await checker.check(5), { ok: false, sentence: `${sentence}the ${part} must be an object` });
  }
});
