/** JSON Schema by `@cfworker/json-schema`, which generates no code: for schemas of peers, and where code can't be generated. */
import type { JsonObject, JsonValue } from "../json.ts";
import { isJsonObject } from "../json.ts";
import type { CheckValue, SchemaIssue, Validator } from "../json_schema.ts";
import { CHECK_TIME, SCHEMA_LIMITS } from "../limits.ts";
import { hasNestedQuantifiers } from "../nested_quantifiers.ts";
import { takesLinearTime } from "../linear_pattern.ts";
import { pointerSegment } from "../pointer_segment.ts";
import { shown } from "../shown.ts";
import { surveyLists } from "../unique_items.ts";
import { FORBIDDEN, reportedIssues, REQUIRED, ruleSentence, UNCHECKED } from "./issues.ts";
import { normalSchema } from "./normal_schema.ts";

/** How the interpreter treats schemas. */
export interface InterpreterOptions {
  /**
   * Whether schemas are the program's own. Patterns with nested quantifiers, which can take exponential time, are run only
   * then. False.
   */
  readonly trusted?: boolean | undefined;
  /** Takes the end of a sentence for each pattern that is not run. Nothing is said when absent. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Reads a clock in milliseconds; a check then takes two seconds at most. Its time is not bounded when absent. */
  readonly now?: (() => number) | undefined;
}

/** Evaluations of subschemas in one check: a schema that calls itself twice for one member doubles them with each level. */
const EVALUATIONS = SCHEMA_LIMITS.subschemas * 100;

/** Characters of `enum` and `const` that count as one evaluation: the library compares values with all, and each issue quotes all. */
const CHARACTERS_PER_EVALUATION = 100;

/** Names that an object must have, or is looked up for, that count as one evaluation: each may be an issue. */
const NAMES_PER_EVALUATION = 4;

/** Evaluations after which the clock is read; one of them takes milliseconds at worst. */
const EVALUATIONS_PER_LOOK = 16;

/**
 * Comparisons of items that the library makes for `uniqueItems`: the sum of the squares of the lists' lengths. And of names with
 * the patterns of one schema.
 */
const COMPARISONS = SCHEMA_LIMITS.subschemas * 1000;

/** What the library finds. */
interface Unit {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
}

/** What is left of the bounds of one check. */
interface Steps {
  left: number;
  look: number;
  until: number;
  readonly now: (() => number) | undefined;
}

/** A schema within the normal form, or a map or list of schemas. */
type Node = { readonly [key: string]: unknown };

/**
 * Loads `@cfworker/json-schema`. JSON Schema 2020-12 and, by `$schema`, draft-07 are supported; `format` is an annotation.
 * The number of evaluations in one check is bounded, and its time where there is a clock; a value that would need more counts as
 * invalid.
 *
 * @param options How schemas are treated.
 * @returns A validator; each schema object is compiled once.
 */
export async function loadInterpreter(options: InterpreterOptions = {}): Promise<Validator> {
  const library = await import("@cfworker/json-schema");
  const runsPattern = (pattern: string): boolean => {
    if (options.trusted === true || (!hasNestedQuantifiers(pattern) && takesLinearTime(pattern))) return true;
    options.onWarning?.(
      `the pattern ${shown(JSON.stringify(pattern))} of its schema can take more than linear time and is not run`,
    );
    return false;
  };
  const compiled = new WeakMap<JsonObject, CheckValue>();
  const compile = (schema: JsonObject): CheckValue => {
    const normal = normalSchema(schema, { runsPattern });
    const steps: Steps = { left: Infinity, look: 0, until: Infinity, now: options.now };
    const patterns = mostPatterns(normal);
    const build = (unique: boolean): Run => {
      const prepared = prepare(normal, steps, unique) as JsonObject;
      const validator = wellFormed(() => new library.Validator(prepared, "2020-12", false));
      const validate: Run["validate"] = (value) => {
        steps.left = EVALUATIONS;
        steps.until = (options.now?.() ?? 0) + CHECK_TIME;
        try {
          return validator.validate(value);
        } finally {
          steps.left = Infinity;
        }
      };
      return { prepared, validate };
    };
    const free = build(false);
    const unique = mentionsUnique(normal) ? build(true) : undefined;
    return (value) => {
      try {
        return patterns * mostMembers(value, patterns) > COMPARISONS ? UNCHECKED : check(value, free, unique);
      } catch {
        // Among others for text that no JSON Pointer can carry, and for more issues than the library can join.
        return UNCHECKED;
      }
    };
  };
  return {
    compile(schema: JsonObject): CheckValue {
      const check = compiled.get(schema) ?? compile(schema);
      compiled.set(schema, check);
      return check;
    },
  };
}

interface Run {
  readonly prepared: JsonObject;
  readonly validate: (value: unknown) => { readonly valid: boolean; readonly errors: readonly Unit[] };
}

/** The library writes every name in a schema as a part of a URI, which half of a surrogate pair has no form in. */
function wellFormed<T>(build: () => T): T {
  try {
    return build();
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    throw new TypeError("Compiling a JSON Schema: Expected names that are well-formed Unicode, found a lone surrogate", {
      cause,
    });
  }
}

function check(value: unknown, free: Run, unique: Run | undefined): readonly SchemaIssue[] {
  let run = free;
  if (unique !== undefined) {
    // The library compares every item with every other: that is skipped when no list has equal items.
    const { duplicates, squares } = surveyLists(value);
    if (duplicates && squares > COMPARISONS) return UNCHECKED;
    if (duplicates) run = unique;
  }
  const { valid, errors } = run.validate(value);
  if (valid) return [];
  const issues = reportedIssues(issuesIn(errors, run.prepared, value));
  return issues.length > 0 ? issues : UNCHECKED;
}

/** Copies the schema so that each evaluation, which reads `$ref` once, is counted. */
function prepare(value: unknown, steps: Steps, unique: boolean, isSchema = true): unknown {
  if (!isJsonObject(value)) return Array.isArray(value) ? value.map((one) => prepare(one, steps, unique, isSchema)) : value;
  const copy: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (isSchema && key === "$ref") continue;
    if (isSchema && key === "uniqueItems" && !unique) continue;
    const data = isSchema && (key === "const" || key === "enum" || key === "dependentRequired");
    const map = isSchema &&
      (key === "properties" || key === "patternProperties" || key === "$defs" || key === "dependentSchemas");
    copy.push([key, data ? member : prepare(member, steps, unique, !map)]);
  }
  const schema = Object.fromEntries(copy);
  if (!isSchema) return schema;
  const $ref = value["$ref"];
  const cost = costOf(value);
  return Object.defineProperty(schema, "$ref", {
    enumerable: false,
    get(): unknown {
      if ((steps.left -= cost) < 0) throw new RangeError(`Checking a value: More than ${EVALUATIONS} evaluations`);
      if (steps.now !== undefined && (steps.look = (steps.look + 1) % EVALUATIONS_PER_LOOK) === 0 && steps.now() > steps.until) {
        throw new RangeError(`Checking a value: Longer than ${CHECK_TIME} ms`);
      }
      return $ref;
    },
  });
}

/** How many evaluations that of a schema counts for, without those of its parts. */
function costOf({ enum: values, const: constant, required, dependentRequired }: JsonObject): number {
  const compared = JSON.stringify([values, constant]).length;
  const lists = isJsonObject(dependentRequired) ? [required, ...Object.values(dependentRequired)] : [required];
  const names = lists.reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
  return 1 + Math.floor(compared / CHARACTERS_PER_EVALUATION) + Math.floor(names / NAMES_PER_EVALUATION);
}

/** How many patterns for names of members the schema has that has most. */
function mostPatterns(schema: unknown): number {
  if (Array.isArray(schema)) return schema.reduce((most: number, one) => Math.max(most, mostPatterns(one)), 0);
  if (!isJsonObject(schema)) return 0;
  const own = isJsonObject(schema["patternProperties"]) ? Object.keys(schema["patternProperties"]).length : 0;
  return Object.values(schema).reduce((most: number, one) => Math.max(most, mostPatterns(one)), own);
}

/** How many members the object in a value has that has most; nothing is counted where there are no patterns. */
function mostMembers(value: unknown, patterns: number): number {
  let most = 0;
  const stack = patterns === 0 ? [] : [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next !== "object" || next === null) continue;
    const members = Object.values(next);
    if (!Array.isArray(next)) most = Math.max(most, members.length);
    for (const member of members) stack.push(member);
  }
  return most;
}

function mentionsUnique(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(mentionsUnique);
  return isJsonObject(schema) && (schema["uniqueItems"] === true || Object.values(schema).some(mentionsUnique));
}

function* issuesIn(errors: readonly Unit[], root: JsonObject, value: unknown): Generator<SchemaIssue> {
  for (const unit of errors) {
    const path = decode(unit.instanceLocation);
    const place = path.map(pointerSegment).join("");
    if (unit.keyword === "false") {
      yield { path: place, message: FORBIDDEN };
      continue;
    }
    const { schema, ofName } = schemaAt(root, unit.keywordLocation);
    const rule = schema?.[unit.keyword] as JsonValue | undefined;
    if (ofName) {
      yield { path: place, message: ruleSentence("propertyNames", undefined) as string };
    } else if (unit.keyword === "required") {
      yield* missing(valueAt(value, path), rule, place);
    } else if (unit.keyword === "dependentRequired" && isJsonObject(rule)) {
      const object = valueAt(value, path);
      for (const [name, names] of Object.entries(rule)) {
        if (isJsonObject(object) && Object.hasOwn(object, name)) yield* missing(object, names, place);
      }
    } else if (unit.keyword !== "propertyNames") {
      const message = ruleSentence(unit.keyword, rule);
      if (message !== undefined) yield { path: place, message };
    }
  }
}

function* missing(object: unknown, names: JsonValue | undefined, place: string): Generator<SchemaIssue> {
  if (!isJsonObject(object) || !Array.isArray(names)) return;
  for (const name of names) {
    if (!Object.hasOwn(object, name)) yield { path: place + pointerSegment(name), message: REQUIRED };
  }
}

/** Follows a location through the schema to the object that holds the keyword, and says whether it judges a member's name. */
function schemaAt(root: JsonObject, location: string): { readonly schema: Node | undefined; readonly ofName: boolean } {
  let schema: unknown = root;
  let ofName = false;
  let inMap = false;
  for (const key of decode(location).slice(0, -1)) {
    if (key === "propertyNames" && !inMap) ofName = true;
    const next: unknown = isJsonObject(schema) || Array.isArray(schema) ? (schema as unknown as Node)[key] : undefined;
    inMap = !inMap && (key === "properties" || key === "patternProperties" || key === "dependentSchemas");
    schema = typeof next === "string" ? target(root, next) : next;
  }
  return { schema: isJsonObject(schema) ? schema : undefined, ofName };
}

function target(root: JsonObject, $ref: string): unknown {
  return (root["$defs"] as Node | undefined)?.[$ref.slice("#/$defs/".length)];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    at = typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (at as Node)[key] : undefined;
  }
  return at;
}

/** Splits a location of the library: a JSON Pointer as a URI fragment (RFC 6901 § 6). */
function decode(location: string): readonly string[] {
  return location.split("/").slice(1).map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}
