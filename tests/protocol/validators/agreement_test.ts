/** Both validators say the same of the same value: a seeded comparison over schemas of all kinds. */
import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../protocol/json.ts";
import { loadAjv } from "../../../protocol/validators/ajv.ts";
import { loadInterpreter } from "../../../protocol/validators/interpreter.ts";
import { createRandom } from "../../../scripts/fuzz/random.ts";
import type { Random } from "../../../scripts/fuzz/random.ts";

const NAMES = ["a", "b", "x-y", "constructor", "toString", "é"];
const TEXTS = ["", "a", "ab", "abc", "1", "x\ny", "\0", "🦊"];
const NUMBERS = [0, -0, 1, -1, 1.5, 2, 0.1, 0.3, 10, 1e21];
const TYPES = ["string", "number", "integer", "boolean", "null", "object", "array"];

function randomValue(random: Random, depth: number): JsonValue {
  switch (random.below(depth === 0 ? 4 : 6)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.pick(NUMBERS);
    case 2:
    case 3:
      return random.pick(TEXTS);
    case 4:
      return Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [random.pick(NAMES), randomValue(random, depth - 1)]),
      );
  }
}

/** What one keyword may hold; `part` is a subschema. */
const KEYWORDS: readonly ((random: Random, part: () => JsonValue) => JsonObject)[] = [
  (random) => ({ type: random.oneIn(4) ? [...new Set([random.pick(TYPES), random.pick(TYPES)])] : random.pick(TYPES) }),
  (random) => ({ required: [random.pick(NAMES)] }),
  (random) => ({ dependentRequired: { [random.pick(NAMES)]: [random.pick(NAMES)] } }),
  (random) => ({
    [random.pick(["minProperties", "maxProperties", "minItems", "maxItems", "minLength", "maxLength"])]: random.below(4),
  }),
  (random) => ({
    [random.pick(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])]: random.pick(NUMBERS),
  }),
  (random) => ({ multipleOf: random.pick([1, 2, 3, 0.1, 0.01, 0.5]) }),
  (random) => ({ pattern: random.pick(["^a", "b$", "[0-9]+", "^$", "\\p{L}"]) }),
  (random) => ({ enum: [randomValue(random, 1), "only"].slice(0, 1 + random.below(2)) }),
  (random) => ({ const: randomValue(random, 1) }),
  () => ({ uniqueItems: true }),
  (random) => ({ $ref: `#/$defs/${random.pick(["one", "two"])}` }),
  (random, part) => ({ properties: { [random.pick(NAMES)]: part(), [random.pick(NAMES)]: part() } }),
  (random, part) => ({ patternProperties: { [random.pick(["^a", "."])]: part() } }),
  (random, part) => ({ dependentSchemas: { [random.pick(NAMES)]: part() } }),
  (random, part) => ({ contains: part(), minContains: random.below(3) }),
  (_random, part) => ({ prefixItems: [part(), part()] }),
  (random, part) => ({ [random.pick(["additionalProperties", "propertyNames", "items", "not"])]: part() }),
  (random, part) => ({ [random.pick(["anyOf", "allOf", "oneOf"])]: [part(), part()] }),
  (_random, part) => ({ if: part(), then: part(), else: part() }),
];

/** What `ajv` gets wrong within a branch that fails is left out: `unevaluatedItems` and `unevaluatedProperties`. */
function randomSchema(random: Random, depth: number): JsonValue {
  if (random.oneIn(12)) return !random.oneIn(3);
  const part = (): JsonValue => depth === 0 ? random.oneIn(2) : randomSchema(random, depth - 1);
  return Object.assign({}, ...Array.from({ length: 1 + random.below(3) }, () => random.pick(KEYWORDS)(random, part)));
}

Deno.test("ajv and the interpreter find the same values valid, under schemas of all kinds", async () => {
  const compiled = await loadAjv();
  const interpreted = await loadInterpreter({ trusted: true });
  const verdicts = { valid: 0, invalid: 0 };
  for (let index = 0; index < 400; index++) {
    const random = createRandom(2, index);
    const $defs = { one: { type: random.pick(TYPES) }, two: randomSchema(random, 1) };
    const root = randomSchema(random, 3);
    const schema = { ...(typeof root === "object" ? root as JsonObject : { allOf: [root] }), $defs } as JsonObject;
    const outcome = (compile: (schema: JsonObject) => unknown): unknown => {
      try {
        return compile(schema);
      } catch {
        return undefined;
      }
    };
    const one = outcome(compiled.compile) as ReturnType<typeof compiled.compile> | undefined;
    const other = outcome(interpreted.compile) as ReturnType<typeof compiled.compile> | undefined;
    assert.equal(one === undefined, other === undefined, `one alone takes ${JSON.stringify(schema)}`);
    for (let values = 0; one !== undefined && other !== undefined && values < 5; values++) {
      const value = randomValue(random, 3);
      const valid = one(value).length === 0;
      assert.equal(valid, other(value).length === 0, `${JSON.stringify(value)} under ${JSON.stringify(schema)}`);
      verdicts[valid ? "valid" : "invalid"]++;
    }
  }
  assert.ok(verdicts.valid > 400 && verdicts.invalid > 400, JSON.stringify(verdicts));
});
