/** One form of JSON Schema for every validator: 2020-12, without names, with all references pointing into `$defs`. */
import type { JsonObject, JsonValue } from "../json.ts";
import { isJsonObject, ownMember } from "../json.ts";
import { readSchemaDocument, type SchemaDocument } from "../schema_document.ts";
import { unicodePattern } from "../schema_keywords.ts";

/** How a schema is put into the normal form. */
export interface NormalSchemaOptions {
  /** Says whether a pattern is run; those that are not are left out. All are run when absent. */
  readonly runsPattern?: ((pattern: string) => boolean) | undefined;
}

/** Assertions whose value is kept as it is. */
const ASSERTIONS =
  ("type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems " +
    "uniqueItems maxProperties minProperties required").split(" ");
const ASSERTIONS_2020 = ["minContains", "maxContains", "dependentRequired"];
const SINGLE = ["additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"];
const SINGLE_2020 = ["unevaluatedItems", "unevaluatedProperties"];
const LISTS = ["allOf", "anyOf", "oneOf"];

/** What the shape of one schema is built from; entries keep names such as `__proto__`. */
type Entries = [string, JsonValue][];

interface Build {
  readonly document: SchemaDocument;
  readonly names: ReadonlyMap<JsonObject, string>;
  readonly runs: (pattern: string) => boolean;
}

/**
 * Puts a schema into the normal form: 2020-12 whatever its dialect, only the keywords that decide about values (annotations,
 * `format`, vendor keywords and names are gone, so that equal `$id`s never meet), and each reference as `#/$defs/n`.
 * A `$dynamicRef` becomes the `$ref` that it is when no outer scope redirects it.
 *
 * @param schema The schema.
 * @param options Which patterns are run.
 * @returns A new schema.
 * @throws {TypeError} With the fault, when the schema breaks the bounds.
 */
export function normalSchema(schema: JsonObject, options: NormalSchemaOptions = {}): JsonObject {
  const reading = readSchemaDocument(schema, "schema");
  if (!reading.ok) throw new TypeError(`Compiling a JSON Schema: ${reading.fault}`);
  const { document } = reading;
  const names = new Map<JsonObject, string>();
  for (const { $ref, $dynamicRef } of document.targets.values()) {
    for (const target of [$ref, $dynamicRef]) {
      if (isJsonObject(target) && !names.has(target)) names.set(target, String(names.size));
    }
  }
  const build: Build = { document, names, runs: options.runsPattern ?? ((): boolean => true) };
  const definitions = [...names].map(([target, name]): [string, JsonValue] => [name, write(build, target)]);
  const root = place(build, document.root) as JsonObject;
  return definitions.length === 0 ? root : { ...root, $defs: Object.fromEntries(definitions) };
}

/** Writes a subschema in its place: one that is pointed at stands in `$defs`, and its place points at it, too. */
function place(build: Build, schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  return build.names.has(schema) ? reference(build, schema) : write(build, schema);
}

function reference(build: Build, target: JsonObject): JsonObject {
  return { $ref: `#/$defs/${build.names.get(target)}` };
}

function write(build: Build, schema: JsonObject): JsonObject {
  const modern = build.document.dialect === "2020-12";
  const entries: Entries = [];
  const also: JsonValue[] = [];
  const targets = build.document.targets.get(schema);
  for (const target of [targets?.$ref, targets?.$dynamicRef]) {
    if (target === undefined) continue;
    if (isJsonObject(target) && entries.length === 0) entries.push(["$ref", reference(build, target)["$ref"] as string]);
    else also.push(isJsonObject(target) ? reference(build, target) : target);
  }
  // Draft-07, Core § 8.3: members beside a $ref are ignored.
  if (!modern && targets !== undefined) return finish(entries, also);
  for (const keyword of modern ? [...ASSERTIONS, ...ASSERTIONS_2020] : ASSERTIONS) {
    const value = ownMember(schema, keyword);
    if (value === undefined) continue;
    // An empty enum allows nothing, which ajv refuses to compile.
    if (keyword === "enum" && Array.isArray(value) && value.length === 0) also.push(false);
    else entries.push([keyword, value]);
  }
  const pattern = ownMember(schema, "pattern");
  if (typeof pattern === "string" && build.runs(pattern)) entries.push(["pattern", unicodePattern(pattern) ?? pattern]);
  for (const keyword of modern ? [...SINGLE, ...SINGLE_2020] : SINGLE) {
    const value = ownMember(schema, keyword);
    if (value !== undefined) entries.push([keyword, place(build, value)]);
  }
  for (const keyword of LISTS) {
    const value = ownMember(schema, keyword);
    if (Array.isArray(value)) entries.push([keyword, value.map((one) => place(build, one))]);
  }
  // ajv skips an "if" that decides nothing, but "unevaluatedProperties" sees what it evaluated.
  if (Object.hasOwn(schema, "if") && !Object.hasOwn(schema, "then")) entries.push(["then", { allOf: [true] }]);
  writeProperties(build, schema, entries, also);
  writeDependencies(build, schema, entries, also, modern);
  writeItems(build, schema, entries, also, modern);
  return finish(entries, also);
}

function finish(entries: Entries, also: readonly JsonValue[]): JsonObject {
  const schema = Object.fromEntries(entries);
  if (also.length === 0) return schema;
  return { ...schema, allOf: [...(Array.isArray(schema["allOf"]) ? schema["allOf"] : []), ...also] };
}

function writeProperties(build: Build, schema: JsonObject, entries: Entries, also: JsonValue[]): void {
  const properties = membersOf(build, schema, "properties");
  // ajv skips a property of this name; as a pattern it is seen.
  const hidden = properties.filter(([name]) => name === "__proto__").map(([, one]): [string, JsonValue] => ["^__proto__$", one]);
  if (properties.length > 0) {
    entries.push([
      "properties",
      Object.fromEntries(properties.filter(([name]) => name !== "__proto__")),
    ]);
  }
  const patterns = [...membersOf(build, schema, "patternProperties"), ...hidden];
  const run = patterns.filter(([pattern]) => build.runs(pattern));
  if (run.length < patterns.length) {
    // Whether a member is "additional" can't be told when a pattern is not run.
    const unknown = entries.filter(([keyword]) => keyword !== "additionalProperties" && keyword !== "unevaluatedProperties");
    entries.splice(0, entries.length, ...unknown);
  }
  const written = new Map<string, JsonValue>();
  for (const [pattern, one] of run) {
    const key = unicodePattern(pattern) ?? pattern;
    if (written.has(key)) also.push({ patternProperties: Object.fromEntries([[key, one]]) });
    else written.set(key, one);
  }
  if (written.size > 0) entries.push(["patternProperties", Object.fromEntries(written)]);
}

/** Splits draft-07's `dependencies`, which 2020-12 still describes as a form of old, into its two successors. */
function writeDependencies(build: Build, schema: JsonObject, entries: Entries, also: JsonValue[], modern: boolean): void {
  const schemas = modern ? membersOf(build, schema, "dependentSchemas") : [];
  if (schemas.length > 0) entries.push(["dependentSchemas", Object.fromEntries(schemas)]);
  const old = membersOf(build, schema, "dependencies");
  const names = old.filter(([, one]) => Array.isArray(one));
  const others = old.filter(([, one]) => !Array.isArray(one));
  if (names.length > 0) also.push({ dependentRequired: Object.fromEntries(names) });
  if (others.length > 0) also.push({ dependentSchemas: Object.fromEntries(others) });
}

function writeItems(build: Build, schema: JsonObject, entries: Entries, also: JsonValue[], modern: boolean): void {
  const items = ownMember(schema, "items");
  const tuple = modern ? ownMember(schema, "prefixItems") : Array.isArray(items) ? items : undefined;
  const rest = modern ? items : tuple === undefined ? items : ownMember(schema, "additionalItems");
  const prefix: readonly JsonValue[] = Array.isArray(tuple) ? tuple : [];
  if (prefix.length > 0) entries.push(["prefixItems", prefix.map((one) => place(build, one))]);
  // The same rule in the words of a limit, which both validators report alike.
  if (rest === false) also.push({ maxItems: prefix.length });
  else if (rest !== undefined) entries.push(["items", place(build, rest)]);
}

function membersOf(build: Build, schema: JsonObject, keyword: string): [string, JsonValue][] {
  const members = ownMember(schema, keyword);
  if (!isJsonObject(members)) return [];
  return Object.entries(members).map(([name, one]) => [name, place(build, one as JsonValue)]);
}
