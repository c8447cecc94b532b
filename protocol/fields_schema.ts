/** The shorthand for object schemas (`args`, `fields`): checked, and turned into plain JSON Schema. */
import { kindOf } from "./kind_of.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { isJsonObject } from "./json.ts";
import { SCHEMA_LIMITS } from "./limits.ts";

/** What an object made from the shorthand has beside its properties. */
export interface FieldsToSchemaOptions {
  /** Whether members that are not named are allowed, or the schema they follow. Allowed when absent. */
  readonly additionalProperties?: boolean | object | undefined;
}

/** Keywords whose value is one schema. */
const SINGLE = new Set([
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);

/** Keywords whose value maps names to schemas. */
const MAPS = new Set(["$defs", "patternProperties", "dependentSchemas"]);

/** Keywords whose value is a list of schemas. */
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);

/** Keywords whose value is copied as it is (JSON Schema 2020-12, Core and Validation). */
const PLAIN = new Set(
  ("$schema $id $ref $anchor $dynamicRef $dynamicAnchor $comment title description default examples deprecated readOnly writeOnly " +
    "type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format " +
    "contentEncoding contentMediaType contentSchema maxItems minItems uniqueItems maxContains minContains maxProperties " +
    "minProperties dependentRequired enumNames").split(" "),
);

/**
 * Turns the shorthand into an object schema.
 *
 * @param fields One definition per property: JSON Schema, with `required: true` inside it. Nested objects name their
 * members under `properties`, where `type: "object"` may be left out; `items` is one definition.
 * @param path Where the shorthand stands, as errors name it: `tools.order.args`.
 * @param options What the object has beside its properties.
 * @returns Plain JSON Schema, copied from what was given.
 * @throws {TypeError} For an unknown keyword that does not begin with `x-`, and for a definition that is not an object; the
 * text begins with its path.
 */
export function fieldsToSchema(fields: unknown, path: string, options: FieldsToSchemaOptions = {}): JsonObject {
  const members = readProperties(fields, path, 0);
  const schema: [string, JsonValue][] = [["type", "object"], ["properties", members.properties]];
  if (members.required.length > 0) schema.push(["required", members.required]);
  const rest = options.additionalProperties;
  if (rest !== undefined) schema.push(["additionalProperties", convert(rest, `${path}.additionalProperties`, 1, false)]);
  return Object.fromEntries(schema);
}

interface Members {
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

function readProperties(fields: unknown, path: string, depth: number): Members {
  if (!isJsonObject(fields)) throw new TypeError(`${path}: Expected an object with one definition per property`);
  // `type` as an argument of its own has a definition, and no text.
  if ("~standard" in fields || (fields.type === "object" && isJsonObject(own(fields, "properties")))) {
    throw new TypeError(
      `${path}: Expected an object with one definition per property, received a schema (it belongs in "input")`,
    );
  }
  const properties: [string, JsonValue][] = [];
  const required: string[] = [];
  for (const [name, definition] of Object.entries(fields)) {
    if (definition === undefined) continue;
    const at = `${path}.${name}`;
    if (isJsonObject(definition) && own(definition, "required") === true) required.push(name);
    properties.push([name, convert(definition, at, depth + 1, true)]);
  }
  return { properties: Object.fromEntries(properties), required };
}

/** Converts one definition; in a `place` of the shorthand, `required` may be a boolean and `type: "object"` is implied. */
function convert(definition: unknown, path: string, depth: number, place: boolean, item = false): JsonValue {
  if (depth > SCHEMA_LIMITS.depth) throw new TypeError(`${path}: Nesting exceeds ${SCHEMA_LIMITS.depth} levels`);
  if (typeof definition === "boolean") return definition;
  if (typeof definition === "function" || (isJsonObject(definition) && "~standard" in definition)) {
    throw new TypeError(
      `${path}: Expected a JSON Schema object, received the schema of a library (it belongs in "input" or "output")`,
    );
  }
  if (!isJsonObject(definition)) throw new TypeError(`${path}: Expected a JSON Schema object, received ${kindOf(definition)}`);
  const result: [string, JsonValue][] = [];
  const required: string[] = [];
  for (const [keyword, value] of Object.entries(definition)) {
    if (value === undefined) continue;
    const at = `${path}.${keyword}`;
    if (keyword === "required") {
      required.push(...readRequired(value, at, place && !item));
    } else if (keyword === "properties") {
      const members = readProperties(value, at, depth + 1);
      result.push(["properties", members.properties]);
      required.push(...members.required);
    } else {
      result.push([keyword, readKeyword(keyword, value, at, depth)]);
    }
  }
  const implied = place && Object.hasOwn(definition, "properties") && own(definition, "type") === undefined;
  if (implied) result.unshift(["type", "object"]);
  if (required.length > 0) result.push(["required", [...new Set(required)]]);
  const schema: JsonObject = Object.fromEntries(result);
  checkDefault(schema, path);
  return schema;
}

/** A default that does not fit would fail every call without the argument, and no one but the model would hear of it. */
function checkDefault({ default: value, type, enum: values }: JsonObject, path: string): void {
  if (value === undefined) return;
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const types = [type ?? kind].flat();
  const fits = types.includes(kind) || (types.includes("integer") && Number.isInteger(value));
  if (!fits) throw new TypeError(`${path}.default: Expected a value of type ${types.join(" or ")}, received ${kind}`);
  const text = JSON.stringify(value);
  if (Array.isArray(values) && !values.some((one) => JSON.stringify(one) === text)) {
    throw new TypeError(`${path}.default: Expected one of the values under enum`);
  }
}

function readKeyword(keyword: string, value: unknown, at: string, depth: number): JsonValue {
  if (SINGLE.has(keyword)) return convert(value, at, depth + 1, keyword === "items", keyword === "items");
  if (MAPS.has(keyword)) {
    if (!isJsonObject(value)) throw new TypeError(`${at}: Expected an object of schemas, received ${kindOf(value)}`);
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, convert(one, `${at}.${name}`, depth + 1, false)]),
    );
  }
  if (LISTS.has(keyword)) {
    if (!Array.isArray(value)) throw new TypeError(`${at}: Expected a list of schemas, received ${kindOf(value)}`);
    return value.map((one, index) => convert(one, `${at}.${index}`, depth + 1, false));
  }
  if (PLAIN.has(keyword) || keyword.startsWith("x-")) return copyJson(value, at);
  const fix = isJsonObject(value)
    ? `members of a nested object belong under "properties": { properties: { ${keyword}: … } }`
    : `keywords of your own begin with "x-"`;
  throw new TypeError(`${at}: Unknown keyword; ${fix}`);
}

/** Reads `required`: a boolean belongs to the property, a list to the object that the property is. */
function readRequired(value: unknown, at: string, booleanAllowed: boolean): readonly string[] {
  if (typeof value === "boolean") {
    if (booleanAllowed) return [];
    throw new TypeError(`${at}: Expected a list of names; true and false belong to a property`);
  }
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw new TypeError(`${at}: Expected ${booleanAllowed ? "a boolean" : "a list of names"}, received ${kindOf(value)}`);
}

function copyJson(value: unknown, path: string): JsonValue {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`${path}: Copying the value as JSON failed`, { cause });
  }
  throw new TypeError(`${path}: Expected a JSON value, received ${kindOf(value)}`);
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
