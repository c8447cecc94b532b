import assert from "node:assert/strict";
import { CompiledSchemas } from "../../../client/tools/compiled_schemas.ts";
import { KnownTools } from "../../../client/tools/known_tools.ts";
import { checkOutput } from "../../../client/tools/output_check.ts";
import { COMPILED_LENGTH, SCHEMA_LIMITS } from "../../../protocol/limits.ts";
import type { JsonObject, Tool } from "../../../protocol/types.ts";

/** A schema of one value. Its pattern is not run, which each compilation says once. */
function schemaOf(value: number, more: JsonObject = {}): JsonObject {
  const properties = { x: { const: value }, s: { type: "string", pattern: "^(a+)+$" } };
  return JSON.parse(JSON.stringify({ type: "object", properties, ...more }));
}

/** Schemas with a count of what was compiled. */
function counted(): { readonly schemas: CompiledSchemas; readonly warn: () => void; compiled: number } {
  const all = { schemas: new CompiledSchemas(), warn: () => void all.compiled++, compiled: 0 };
  return all;
}

Deno.test("CompiledSchemas compiles equal texts once, and tells schemas of one $id apart (B055)", async () => {
  const all = counted();
  const $id = "https://x.example/same";
  for (let round = 0; round < 100; round++) {
    const value = round % 4;
    const check = await all.schemas.get(schemaOf(value, { $id }), all.warn);
    assert.deepEqual([check({ x: value }).length, check({ x: value + 1 }).length], [0, 1]);
  }
  assert.equal(all.compiled, 4);
});

Deno.test("CompiledSchemas keeps so many schemas and no more, and forgets first what was not used for the longest (B055)", async () => {
  const all = counted();
  const get = (value: number) => all.schemas.get(schemaOf(value), all.warn);
  for (let value = 0; value < SCHEMA_LIMITS.compiled; value++) await get(value);
  await get(0);
  assert.equal(all.compiled, SCHEMA_LIMITS.compiled);
  await get(SCHEMA_LIMITS.compiled);
  await get(0);
  assert.equal(all.compiled, SCHEMA_LIMITS.compiled + 1);
  await get(1);
  assert.equal(all.compiled, SCHEMA_LIMITS.compiled + 2);
});

Deno.test("CompiledSchemas keeps so many characters, and what has more is compiled and not kept (B055)", async () => {
  const all = counted();
  const half = { description: "a".repeat(COMPILED_LENGTH / 2) };
  const get = (value: number, more: JsonObject) => all.schemas.get(schemaOf(value, more), all.warn);
  await get(0, {});
  await get(1, { description: "a".repeat(COMPILED_LENGTH) });
  await get(1, { description: "a".repeat(COMPILED_LENGTH) });
  assert.equal(all.compiled, 3);
  await get(0, {});
  await get(2, half);
  await get(2, half);
  assert.equal(all.compiled, 4);
  // Two halves, and what the schemas have besides, are too much: the other one goes, the first of all with it.
  await get(3, half);
  await get(3, half);
  assert.equal(all.compiled, 5);
  await get(2, half);
  await get(0, {});
  assert.equal(all.compiled, 7);
});

Deno.test("CompiledSchemas rejects for what can not be compiled, each time, and nothing else is the worse for it", async () => {
  const all = counted();
  const broken = (): JsonObject => ({ type: "object", $ref: "https://x.example/elsewhere" });
  for (let round = 0; round < 2; round++) await assert.rejects(all.schemas.get(broken(), all.warn), TypeError);
  assert.deepEqual((await all.schemas.get(schemaOf(1), all.warn))({ x: 1 }), []);
});

Deno.test("KnownTools compiles what is listed 2,000 times once for each distinct schema, and judges by the last listing (B055)", async () => {
  let compiled = 0;
  const tools = new KnownTools({ mirrors: () => false, capacity: 100, report: () => undefined });
  const listed = (round: number): Tool[] =>
    Array.from({ length: 20 }, (_, at): Tool => ({
      name: `t${at}`,
      inputSchema: { type: "object" },
      // Every two tools have the same schema; the first two change theirs.
      outputSchema: schemaOf(at < 2 ? 100 + round % 3 : at >> 1),
    }));
  for (let round = 0; round < 2000; round++) {
    tools.remember(listed(round), true);
    const at = round % 20;
    const output = tools.find(`t${at}`)?.output;
    assert.ok(output !== undefined);
    const x = at < 2 ? 100 + round % 3 : at >> 1;
    assert.equal(await checkOutput(output, { x }, () => void compiled++), undefined);
    assert.match(await checkOutput(output, { x: x + 1 }, () => void compiled++) ?? "", /does not fit its schema: \/x /);
  }
  assert.equal(compiled, 9 + 3);
});
