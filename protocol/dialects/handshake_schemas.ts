/** Schemas of tools where both must be schemas of objects: what does not fit is written in another way, or wrapped. */
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { StructuredOut } from "../dialect.ts";
import { metaOf, OWN_META } from "../meta.ts";
import { omit } from "./members.ts";

/** How the schemas of a tool are written. */
export interface SchemaForms {
  /** May a schema say in `$schema` how it is meant? */
  readonly namesItsDialect: boolean;
}

/** Writes the schemas of a tool's definition; the rest of it stays as it is. */
export function writeToolSchemas(tool: JsonObject, forms: SchemaForms): JsonObject {
  const input = ownMember(tool, "inputSchema");
  const output = ownMember(tool, "outputSchema");
  return {
    ...tool,
    ...(isJsonObject(input) ? { inputSchema: writeRoot(input, forms) } : {}),
    ...(isJsonObject(output) ? { outputSchema: writeRoot(isWrapped(output) ? wrap(output) : output, forms) } : {}),
  };
}

/**
 * Writes structured content, which must be an object here (MCP 2025-11-25, Tools § Structured Content). A value goes into
 * the member `result` when its schema does, and when it is not an object.
 */
export function writeObjectContent(value: JsonValue, outputSchema: JsonObject | undefined): StructuredOut {
  const wrapped = !isJsonObject(value) || (outputSchema !== undefined && isWrapped(outputSchema));
  return wrapped ? { value: { result: value }, meta: WRAPPED } : { value, meta: undefined };
}

/** Reads structured content: what {@linkcode writeObjectContent} has wrapped and marked is taken out again. */
export function readObjectContent(result: JsonObject): JsonValue | undefined {
  const value = ownMember(result, "structuredContent");
  const wrapped = metaOf(result)[OWN_META.wrapped] === true && isJsonObject(value) && Object.hasOwn(value, "result");
  return wrapped ? value.result : value;
}

const WRAPPED: JsonObject = Object.freeze({ [OWN_META.wrapped]: true });

/** The one decision for a schema and its values (MCP 2025-11-25, Tools § Output Schema: the root has the type "object"). */
function isWrapped(outputSchema: JsonObject): boolean {
  return ownMember(outputSchema, "type") !== "object";
}

/** Where a wrapped schema stands in its document. */
const PLACE = "#/properties/result";

function wrap(schema: JsonObject): JsonObject {
  const declared = ownMember(schema, "$schema");
  const bare = omit(schema, ["$schema"]);
  return {
    ...(declared === undefined ? {} : { $schema: declared }),
    type: "object",
    properties: { result: relocate(bare) },
    required: ["result"],
  };
}

const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);

const SUBSCHEMAS: ReadonlySet<string> = new Set([
  "additionalItems",
  "additionalProperties",
  "allOf",
  "anyOf",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "oneOf",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/**
 * Lets pointers from the root of the document begin where the schema stands now. A schema with an `$id` is a document of its
 * own (JSON Schema 2020-12, Core § 8.2.1), whose pointers hold wherever it stands; so do anchors.
 */
function relocate(schema: JsonObject): JsonObject {
  const id = ownMember(schema, "$id");
  if (typeof id === "string" && !id.startsWith("#")) return schema;
  const moved: Record<string, JsonValue | undefined> = {};
  for (const [key, value] of Object.entries(schema)) {
    if ((key === "$ref" || key === "$dynamicRef") && typeof value === "string") set(moved, key, relocated(value));
    else if (MAPS.has(key) && isJsonObject(value)) set(moved, key, relocateEach(value));
    else if (SUBSCHEMAS.has(key)) set(moved, key, relocateAny(value));
    else set(moved, key, value);
  }
  return moved;
}

function relocateAny(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => relocateAny(item) as JsonValue);
  return isJsonObject(value) ? relocate(value) : value;
}

function relocateEach(schemas: JsonObject): JsonObject {
  const moved: Record<string, JsonValue | undefined> = {};
  for (const [name, schema] of Object.entries(schemas)) set(moved, name, isJsonObject(schema) ? relocate(schema) : schema);
  return moved;
}

function relocated(reference: string): string {
  return reference === "#" || reference.startsWith("#/") ? PLACE + reference.slice(1) : reference;
}

/** MCP 2025-11-25, schema § Tool: the schemas of properties are objects. */
function writeRoot(schema: JsonObject, forms: SchemaForms): JsonObject {
  const root = forms.namesItsDialect ? schema : omit(schema, ["$schema"]);
  const properties = ownMember(root, "properties");
  if (!isJsonObject(properties) || !Object.values(properties).some((property) => typeof property === "boolean")) return root;
  const written: Record<string, JsonValue | undefined> = {};
  for (const [name, property] of Object.entries(properties)) {
    set(written, name, property === true ? {} : property === false ? { not: {} } : property);
  }
  return { ...root, properties: written };
}

/** Sets a member by whatever name, `__proto__` included. */
function set(object: Record<string, JsonValue | undefined>, name: string, value: JsonValue | undefined): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
