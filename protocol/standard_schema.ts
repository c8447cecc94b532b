/** Schemas of any accepted kind, read into JSON Schema and the function that decides. */
import type { JsonObject, JsonValue } from "./json.ts";
import { isJsonObject, ownMember } from "./json.ts";
import { SCHEMA_LIMITS } from "./limits.ts";

export { fieldsToSchema, type FieldsToSchemaOptions } from "./fields_schema.ts";
export { issuesOf } from "./standard_issues.ts";

/** A schema, read once. */
export interface CompiledSchema {
  /** The JSON Schema that is listed. */
  readonly json: JsonObject;
  /**
   * The `validate` of a Standard Schema, whose result is read with `issuesOf`; it alone decides and gives the value.
   * Absent for plain JSON Schema, which our own validator checks.
   */
  readonly validate?: (value: unknown) => unknown;
  /** The library that `validate` belongs to. */
  readonly vendor?: string;
}

const NO_JSON_SCHEMA =
  "The schema prints no JSON Schema: use zod 4.2 or later, arktype, toStandardJsonSchema() of @valibot/to-json-schema, or withJsonSchema()";

/**
 * Reads a Standard Schema that prints JSON Schema, a TypeBox schema or a JSON Schema.
 *
 * @param schema What a program gave as `input` or `output`. Schemas that are functions are accepted.
 * @param direction Which JSON Schema of a Standard Schema is listed. The root of an `input` gets `type: "object"` when each
 * of its branches is an object (MCP 2026-07-28, Tool).
 * @param path Where the schema stands, as errors name it: `tools.order.input`.
 * @returns The JSON Schema, copied, and the library's `validate`.
 * @throws {TypeError} For what is not a schema, prints no JSON Schema, or describes no object where one is needed; the text
 * begins with the path.
 */
export function readSchema(schema: unknown, direction: "input" | "output", path: string): CompiledSchema {
  if (schema === null || (typeof schema !== "object" && typeof schema !== "function") || Array.isArray(schema)) {
    const kind = schema === null ? "null" : Array.isArray(schema) ? "a list" : `a ${typeof schema}`;
    throw new TypeError(`${path}: Expected a schema, received ${kind}`);
  }
  const standard = (schema as { readonly "~standard"?: unknown })["~standard"];
  if (isJsonObject(standard)) return readStandard(standard, direction, path);
  if (typeof schema === "function" || !isPlain(schema)) throw new TypeError(`${path}: ${NO_JSON_SCHEMA}`);
  if (Object.values(schema).some((one) => Object(one)["~standard"] !== undefined)) {
    throw new TypeError(`${path}: Expected a schema, received an object of schemas: wrap it, such as in z.object()`);
  }
  return { json: rooted(copySchema(schema, path), direction, path) };
}

interface Standard {
  readonly vendor?: unknown;
  readonly validate?: unknown;
  readonly jsonSchema?: unknown;
}

function readStandard(standard: Standard, direction: "input" | "output", path: string): CompiledSchema {
  const print = (standard.jsonSchema as { readonly [name: string]: unknown } | undefined)?.[direction];
  if (typeof print !== "function") throw new TypeError(`${path}: ${NO_JSON_SCHEMA}`);
  let printed: unknown;
  try {
    printed = print.call(standard.jsonSchema, { target: "draft-2020-12" });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "an unknown reason";
    throw new TypeError(`${path}: Printing the schema as JSON Schema failed: ${reason}`, { cause });
  }
  const json = rooted(copySchema(printed, path), direction, path);
  const { validate, vendor } = standard;
  return {
    json,
    ...(typeof validate === "function" ? { validate: (value: unknown): unknown => validate.call(standard, value) } : {}),
    ...(typeof vendor === "string" ? { vendor } : {}),
  };
}

/** Copies through JSON, which drops the symbols and hidden members that libraries mark their schemas with. */
function copySchema(schema: unknown, path: string): JsonObject {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(schema) ?? "null");
  } catch (cause) {
    throw new TypeError(`${path}: Copying the schema as JSON failed`, { cause });
  }
  if (!isJsonObject(copy)) throw new TypeError(`${path}: Expected a JSON Schema object`);
  return copy;
}

/** Instances of classes (a `Map`, a schema of a library without `~standard`) would become `{}`, which allows everything. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function rooted(json: JsonObject, direction: "input" | "output", path: string): JsonObject {
  if (direction === "output" || ownMember(json, "type") === "object") return json;
  if (describesObject(json, json, 0)) return { ...json, type: "object" };
  throw new TypeError(`${path}: Expected type "object" at the root, or objects in each branch`);
}

/** Says whether every value that a schema allows, of those that could be arguments, is stated to be an object. */
function describesObject(schema: JsonValue | undefined, root: JsonObject, depth: number): boolean {
  if (!isJsonObject(schema) || depth > SCHEMA_LIMITS.depth) return false;
  const type = ownMember(schema, "type");
  if (type !== undefined) return type === "object" || (Array.isArray(type) && type.length === 1 && type[0] === "object");
  const inner = (one: JsonValue): boolean => describesObject(one, root, depth + 1);
  const ref = ownMember(schema, "$ref");
  if (typeof ref === "string" && describesObject(localTarget(ref, root), root, depth + 1)) return true;
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = ownMember(schema, keyword);
    if (Array.isArray(branches)) return branches.length > 0 && branches.every(inner);
  }
  const all = ownMember(schema, "allOf");
  if (Array.isArray(all) && all.some(inner)) return true;
  return ["properties", "required", "patternProperties"].some((keyword) => Object.hasOwn(schema, keyword));
}

function localTarget(ref: string, root: JsonObject): JsonValue | undefined {
  const match = ref === "#" ? [] : ref.startsWith("#/") ? ref.slice(2).split("/") : undefined;
  let target: JsonValue | undefined = root;
  for (const segment of match ?? ["\0"]) {
    target = isJsonObject(target) ? ownMember(target, segment.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined;
  }
  return target;
}
