/** Tests of both validators, on one table of cases. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../../protocol/json.ts";
import type { SchemaIssue, Validator } from "../../../protocol/json_schema.ts";
import { loadAjv } from "../../../protocol/validators/ajv.ts";
import { defaultValidator } from "../../../protocol/validators/choose.ts";
import { loadInterpreter } from "../../../protocol/validators/interpreter.ts";
import { BROKEN_SCHEMAS, DOCUMENT_CASES, RULE_CASES, type ValidatorCase } from "./cases.ts";

const LOADERS: readonly (readonly [string, () => Promise<Validator>])[] = [
  ["loadAjv", loadAjv],
  ["loadInterpreter", () => loadInterpreter()],
];

function lines(issues: readonly SchemaIssue[]): string[] {
  return issues.map(({ path, message }) => `${path} ${message}`);
}

async function run(load: () => Promise<Validator>, cases: readonly ValidatorCase[]): Promise<void> {
  const validator = await load();
  for (const [schema, value, issues] of cases) {
    const before = JSON.stringify([schema, value]);
    const label = JSON.stringify([schema, value]);
    const found = validator.compile(schema)(value);
    assert.deepEqual(lines(found), issues, label);
    assert.equal(JSON.stringify([schema, value]), before, "neither schema nor value may change");
    assert.ok(!JSON.stringify(found).includes("SECRET"), `the value must not be told: ${label}`);
  }
}

for (const [name, load] of LOADERS) {
  Deno.test(`${name} judges single rules, in the same words, and tells no value (B059)`, async () => {
    await run(load, RULE_CASES);
  });

  Deno.test(`${name} judges references, dialects and names of every object (M-SCHEMA-001, M-SCHEMA-002, M-SCHEMA-006, B057)`, async () => {
    await run(load, DOCUMENT_CASES);
  });

  Deno.test(`${name} refuses schemas that are broken, of another dialect, or point elsewhere (M-SCHEMA-007, M-SCHEMA-008, M-SCHEMA-009, M-SCHEMA-016, B057, B060)`, async () => {
    const validator = await load();
    for (const [schema, reason] of BROKEN_SCHEMAS) {
      const throws = (error: Error): boolean => error instanceof TypeError && reason.test(error.message);
      assert.throws(() => validator.compile(schema as JsonObject), throws, JSON.stringify(schema));
    }
  });

  Deno.test(`${name} compiles a schema object once, and keeps schemas of one $id apart (B055)`, async () => {
    const validator = await load();
    const schema = { $id: "https://x.example/s", type: "string" };
    assert.equal(validator.compile(schema), validator.compile(schema));
    const nested = (type: string): JsonObject => ({
      $defs: { a: { $id: "https://x.example/n", type } },
      $ref: "https://x.example/n",
    });
    const number = validator.compile({ $id: "https://x.example/s", type: "number" });
    assert.deepEqual(lines(validator.compile(schema)(1)), [" must be a string"]);
    assert.deepEqual(lines(number("a")), [" must be a number"]);
    assert.deepEqual(lines(validator.compile(nested("string"))(1)), [" must be a string"]);
    assert.deepEqual(lines(validator.compile(nested("number"))("a")), [" must be a number"]);
  });

  Deno.test(`${name} reports a bounded number of issues`, async () => {
    const check = (await load()).compile({ items: { type: "string" } });
    assert.equal(check(Array.from({ length: 5000 }, () => 1)).length, 20);
  });

  Deno.test(`${name} finds equal items of long lists without comparing each with each`, async () => {
    const check = (await load()).compile({ type: "array", items: { type: "object" }, uniqueItems: true });
    const items = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    assert.deepEqual(check(items), []);
    assert.notDeepEqual(check([...items, { index: 7 }]), []);
  });

  Deno.test(`${name} writes nothing to the console (B059)`, async () => {
    const written: unknown[] = [];
    const saved = { ...console };
    const take = (...values: unknown[]): void => void written.push(values);
    Object.assign(console, { log: take, warn: take, error: take, info: take, debug: take });
    try {
      const validator = await load();
      for (const [schema] of BROKEN_SCHEMAS) assert.throws(() => validator.compile(schema as JsonObject));
      validator.compile({ type: "string", format: "uint64", "x-a": 1, required: ["a"], nullable: true, $comment: "c" })(1);
    } finally {
      Object.assign(console, saved);
    }
    assert.deepEqual(written, []);
  });

  Deno.test(`${name} ends on schemas whose references multiply (M-SCHEMA-017)`, async () => {
    const validator = await load();
    const $defs: { [name: string]: JsonObject } = { a40: { type: "string" } };
    for (let index = 0; index < 40; index++) {
      $defs[`a${index}`] = { anyOf: [{ $ref: `#/$defs/a${index + 1}` }, { $ref: `#/$defs/a${index + 1}` }] };
    }
    assert.throws(() => validator.compile({ $defs, $ref: "#/$defs/a0" }), /multiply to more than/);
  });
}

Deno.test("loadInterpreter bounds what a schema with long lists makes of a long value (M-SCHEMA-017)", async () => {
  const { compile } = await loadInterpreter();
  const names = Array.from({ length: 10_000 }, (_, at) => `name ${at}`);
  const value = Array.from({ length: 10_000 }, () => ({ x: 1 }));
  const table: readonly JsonObject[] = [
    { enum: names },
    { const: "x".repeat(100_000) },
    { required: names },
    { dependentRequired: { x: names } },
  ];
  for (const items of table) assert.deepEqual(lines(compile({ items })(value)), [" is too complex to be checked"]);
  assert.deepEqual(lines(compile({ items: { enum: names.slice(0, 200) } })(names.map(() => names[199]!))), []);
});

Deno.test("loadInterpreter bounds the time of one check where it has a clock (M-SCHEMA-017)", async () => {
  let time = 0;
  let step = 0;
  const { compile } = await loadInterpreter({ now: () => time += step });
  const check = compile({ items: { type: "string" } });
  const value = Array.from({ length: 1_000 }, () => "x");
  assert.deepEqual(check(value), []);
  step = 100;
  assert.deepEqual(lines(check(value)), [" is too complex to be checked"]);
  step = 1;
  assert.deepEqual(check(value), [], "a check that took long costs the next one nothing");
});

Deno.test("loadInterpreter tries no more patterns on names than it compares items (M-SCHEMA-017)", async () => {
  const { compile } = await loadInterpreter();
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`y${at}`, 1]));
  const check = compile({
    properties: { a: { patternProperties: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`^x${at}`, {}])) } },
  });
  assert.deepEqual(check({ a: members(100) }), []);
  assert.deepEqual(lines(check({ a: members(6_000) })), [" is too complex to be checked"]);
});

Deno.test("loadInterpreter bounds the evaluations of a schema that calls itself twice for each member (M-SCHEMA-017)", async () => {
  const self = { properties: { a: { $ref: "#" } } };
  const check = (await loadInterpreter()).compile({ ...self, allOf: [self, self] });
  let value: JsonObject = {};
  for (let depth = 0; depth < 4; depth++) value = { a: value };
  assert.deepEqual(check(value), []);
  for (let depth = 0; depth < 50; depth++) value = { a: value };
  assert.deepEqual(lines(check(value)), [" is too complex to be checked"]);
});

Deno.test("loadInterpreter does not run a stranger's pattern with nested quantifiers, and says so", async () => {
  const warnings: string[] = [];
  const schema = {
    properties: { a: { pattern: "^(a+)+$" } },
    patternProperties: { "^(b|b)*$": { type: "string" } },
    additionalProperties: false,
  };
  const check = (await loadInterpreter({ onWarning: (warning) => warnings.push(warning) })).compile(schema);
  assert.deepEqual(check({ a: `${"a".repeat(60)}!`, bbb: 1 }), []);
  assert.ok(warnings.length >= 2);
  const trusted = (await loadInterpreter({ trusted: true })).compile(schema);
  assert.deepEqual(lines(trusted({ a: "b", bbb: 1 })), ["/a must match the pattern ^(a+)+$", "/bbb must be a string"]);
});

Deno.test("loadInterpreter refuses a schema with a name that is no well-formed text, with a sentence", async () => {
  const validator = await loadInterpreter();
  for (const name of ["\ud800", "a\udc00b"]) {
    const schema = { type: "object", properties: { [name]: { type: "string" } } } as const;
    assert.throws(() => validator.compile(schema), { name: "TypeError", message: /^Compiling a JSON Schema: .*lone surrogate$/ });
  }
});

Deno.test("loadInterpreter calls a value invalid that it can't check", async () => {
  const check = (await loadInterpreter()).compile({ additionalProperties: { type: "string" } });
  assert.deepEqual(lines(check({ "\ud800": 1 })), [" is too complex to be checked"]);
  assert.deepEqual(lines(check(undefined)), [" is too complex to be checked"]);
});

Deno.test("defaultValidator judges like the others, with and without code generation", async () => {
  const check = (await defaultValidator()).compile({ type: "string" });
  assert.deepEqual(lines(check(1)), [" must be a string"]);
  const script = `import { defaultValidator } from ${
    JSON.stringify(new URL("../../../protocol/validators/choose.ts", import.meta.url).href)
  };
    const check = (await defaultValidator()).compile({ type: "string", pattern: "^(a+)+$" });
    console.log(JSON.stringify([check(1), check("b"), check("aa")]));`;
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", "--config", config, "--v8-flags=--disallow-code-generation-from-strings", script],
    stdout: "piped",
    stderr: "piped",
  });
  const { stdout, stderr } = await child.output();
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout) || "null"), [
    [{ path: "", message: "must be a string" }],
    [{ path: "", message: "must match the pattern ^(a+)+$" }],
    [],
  ], new TextDecoder().decode(stderr));
});
