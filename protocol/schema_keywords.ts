/** The keywords of JSON Schema: which hold subschemas, and what the values of the others must be. */
import type { JsonObject, JsonValue } from "./json.ts";
import { isJsonObject, ownMember } from "./json.ts";
import { SCHEMA_LIMITS } from "./limits.ts";

/** The dialects that are supported: 2020-12, which is the default, and draft-07. */
export type SchemaDialect = "2020-12" | "draft-07";

/** Where a subschema stands in its parent. */
export interface SubschemaPlace {
  /** The keyword, and the name or index in it. */
  readonly path: readonly string[];
  /** The subschema; anything, as long as it is not checked. */
  readonly schema: unknown;
  /** Whether it applies to the same value as its parent. */
  readonly inPlace: boolean;
}

const SINGLE = ["additionalProperties", "contains", "propertyNames"];
const SINGLE_2020 = ["items", "unevaluatedItems", "unevaluatedProperties", "contentSchema"];
const IN_PLACE_SINGLE = ["not", "if", "then", "else"];
const MAPS = ["properties", "patternProperties", "$defs", "definitions"];
const IN_PLACE_MAPS = ["dependentSchemas"];
const IN_PLACE_LISTS = ["allOf", "anyOf", "oneOf"];

const TYPE_NAMES = new Set<unknown>(["string", "number", "integer", "boolean", "null", "object", "array"]);
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties"];
const STRINGS = ["$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "pattern"];

const DIALECTS = new Map<unknown, SchemaDialect>([
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["http://json-schema.org/draft-07/schema", "draft-07"],
]);

/**
 * Reads the dialect that a schema declares.
 *
 * @param declared The value of `$schema`; undefined means 2020-12 (MCP 2026-07-28, Schema Dialect). An empty fragment is ignored.
 * @returns The dialect, or undefined when it is not supported.
 */
export function dialectOf(declared: unknown): SchemaDialect | undefined {
  if (declared === undefined) return "2020-12";
  return DIALECTS.get(typeof declared === "string" && declared.endsWith("#") ? declared.slice(0, -1) : declared);
}

/**
 * Lists the subschemas of a schema object. Members of `$defs` and `definitions` are listed in both dialects.
 *
 * @param schema The schema object.
 * @param dialect Its dialect.
 * @returns The subschemas, or a fault as `keyword: sentence` when a keyword does not hold what it should.
 */
export function subschemasOf(schema: JsonObject, dialect: SchemaDialect): readonly SubschemaPlace[] | string {
  const places: SubschemaPlace[] = [];
  const modern = dialect === "2020-12";
  // Draft-07, Core § 8.3: all members beside a $ref are ignored; its definitions can still be pointed at.
  const bare = !modern && Object.hasOwn(schema, "$ref");
  const single = (keyword: string, inPlace: boolean): void => {
    const value = ownMember(schema, keyword);
    if (value !== undefined) places.push({ path: [keyword], schema: value, inPlace });
  };
  const map = (keyword: string, inPlace: boolean): string | undefined => {
    const value = ownMember(schema, keyword);
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) return `${keyword}: Expected an object of schemas`;
    for (const [name, one] of Object.entries(value)) {
      if (keyword !== "dependencies" || !Array.isArray(one)) places.push({ path: [keyword, name], schema: one, inPlace });
    }
    return undefined;
  };
  const list = (keyword: string, inPlace: boolean): string | undefined => {
    const value = ownMember(schema, keyword);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || (value.length === 0 && keyword !== "items")) return `${keyword}: Expected a list of schemas`;
    value.forEach((one, index) => places.push({ path: [keyword, String(index)], schema: one, inPlace }));
    return undefined;
  };
  if (bare) return map("definitions", false) ?? map("$defs", false) ?? places;
  for (const keyword of modern ? [...SINGLE, ...SINGLE_2020] : [...SINGLE, "additionalItems"]) single(keyword, false);
  for (const keyword of IN_PLACE_SINGLE) single(keyword, true);
  const tuple = !modern && Array.isArray(schema["items"]);
  if (!modern && !tuple) single("items", false);
  return firstFault([
    ...MAPS.map((keyword) => map(keyword, false)),
    ...[...(modern ? IN_PLACE_MAPS : []), "dependencies"].map((keyword) => map(keyword, true)),
    ...IN_PLACE_LISTS.map((keyword) => list(keyword, true)),
    modern ? list("prefixItems", false) : tuple ? list("items", false) : undefined,
  ]) ?? places;
}

/**
 * Checks the values of the keywords that hold no subschemas.
 *
 * @param schema The schema object.
 * @returns The first fault as `keyword: sentence`, or undefined.
 */
export function keywordFault(schema: JsonObject): string | undefined {
  const value = (keyword: string): JsonValue | undefined => ownMember(schema, keyword);
  const wrong = (keywords: readonly string[], expected: string, right: (value: JsonValue) => boolean): string | undefined => {
    const keyword = keywords.find((name) => value(name) !== undefined && !right(value(name) as JsonValue));
    return keyword === undefined ? undefined : `${keyword}: Expected ${expected}`;
  };
  return firstFault([
    typeFault(value("type")),
    wrong(NUMBERS, "a number", (limit) => typeof limit === "number"),
    wrong(["multipleOf"], "a number greater than 0", (step) => typeof step === "number" && step > 0),
    wrong(COUNTS, "an integer of at least 0", (count) => Number.isInteger(count) && (count as number) >= 0),
    wrong(["uniqueItems"], "a boolean", (on) => typeof on === "boolean"),
    wrong(STRINGS, "a string", (text) => typeof text === "string"),
    wrong(["enum"], "a list", Array.isArray),
    wrong(["required"], `a list of names ("required: true" belongs to "args" and fields() only)`, isNameList),
    wrong(
      ["dependentRequired"],
      "an object of name lists",
      (names) => isJsonObject(names) && Object.values(names).every(isNameList),
    ),
    patternFault("pattern", value("pattern")),
    ...Object.keys(isJsonObject(value("patternProperties")) ? value("patternProperties") as JsonObject : {})
      .map((pattern) => patternFault("patternProperties", pattern)),
  ]);
}

/**
 * Writes a pattern so that it compiles with the `u` flag, which JSON Schema asks for (Core § 6.4): escapes that only the old
 * grammar allows, such as `\_` and `\-`, lose their backslash.
 *
 * @param pattern The pattern as a schema has it.
 * @returns The pattern, or undefined when it is not a regular expression.
 */
export function unicodePattern(pattern: string): string | undefined {
  if (compiles(pattern)) return pattern;
  let written = "";
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string;
    const next = pattern[at + 1];
    if (char === "\\" && next !== undefined) {
      const needless = "_@#%&'\",:;<>=!~` ".includes(next) || (next === "-" && !inClass);
      written += needless ? next : char + next;
      at++;
    } else {
      if (char === "[") inClass = true;
      if (char === "]") inClass = false;
      written += char;
    }
  }
  return compiles(written) ? written : undefined;
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") !== undefined;
  } catch {
    return false;
  }
}

function patternFault(keyword: string, pattern: JsonValue | undefined): string | undefined {
  if (typeof pattern !== "string") return undefined;
  const { patternLength } = SCHEMA_LIMITS;
  if (pattern.length > patternLength) {
    return `${keyword}: A pattern has ${pattern.length} characters, the limit is ${patternLength}`;
  }
  return unicodePattern(pattern) === undefined ? `${keyword}: A pattern is not a regular expression` : undefined;
}

function typeFault(type: JsonValue | undefined): string | undefined {
  if (type === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  const right = names.length > 0 && names.every((name) => TYPE_NAMES.has(name)) && new Set(names).size === names.length;
  return right ? undefined : `type: Expected one or several of ${[...TYPE_NAMES].join(", ")}`;
}

function isNameList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function firstFault(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined);
}
