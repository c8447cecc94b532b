/** The words for broken rules, the same for every validator. */
import type { JsonValue } from "../json.ts";
import type { SchemaIssue } from "../json_schema.ts";
import { SCHEMA_LIMITS } from "../limits.ts";

/** What is said when a check could not be finished; such a value counts as invalid. */
export const UNCHECKED: readonly SchemaIssue[] = [{ path: "", message: "is too complex to be checked" }];

/** What is said of a missing member. */
export const REQUIRED = "is required";

/** What is said of a member or an item that no schema allows. */
export const FORBIDDEN = "is not allowed";

const TYPE_WORDS = new Map([
  ["string", "a string"],
  ["number", "a number"],
  ["integer", "an integer"],
  ["boolean", "a boolean"],
  ["null", "null"],
  ["object", "an object"],
  ["array", "an array"],
]);

/** Rules whose sentence needs no value of the schema; the first three name it where it is short. */
const SENTENCES = new Map([
  ["enum", "must be one of the listed values"],
  ["const", "must be the listed value"],
  ["pattern", "must match the pattern"],
  ["uniqueItems", "must not have equal items"],
  ["contains", "must have the required number of matching items"],
  ["minContains", "must have the required number of matching items"],
  ["maxContains", "must have the required number of matching items"],
  ["anyOf", "must match at least one of the alternatives"],
  ["oneOf", "must match exactly one of the alternatives"],
  ["not", "must not match the excluded schema"],
  ["propertyNames", "has a name that is not allowed"],
]);

/** Rules that compare with a number: the words before it. */
const COMPARISONS = new Map([
  ["minimum", "must be at least"],
  ["maximum", "must be at most"],
  ["exclusiveMinimum", "must be greater than"],
  ["exclusiveMaximum", "must be less than"],
  ["multipleOf", "must be a multiple of"],
]);

/** Rules that count: the words before the number, and what is counted. */
const COUNTS = new Map([
  ["minLength", ["must have at least", "character"]],
  ["maxLength", ["must have at most", "character"]],
  ["minItems", ["must have at least", "item"]],
  ["maxItems", ["must have at most", "item"]],
  ["minProperties", ["must have at least", "member"]],
  ["maxProperties", ["must have at most", "member"]],
]);

/**
 * Words a broken rule.
 *
 * @param keyword The keyword of the schema.
 * @param rule The keyword's value in the schema; nothing of the checked value is needed.
 * @returns The sentence, or undefined for keywords that only repeat what other issues say.
 */
export function ruleSentence(keyword: string, rule: JsonValue | undefined): string | undefined {
  if (keyword === "type") {
    const names = (Array.isArray(rule) ? rule : [rule]).map((name) => TYPE_WORDS.get(String(name)) ?? String(name));
    return `must be ${names.join(" or ")}`;
  }
  const comparison = COMPARISONS.get(keyword);
  if (comparison !== undefined) return `${comparison} ${String(rule)}`;
  const count = COUNTS.get(keyword);
  if (count !== undefined) return `${count[0]} ${String(rule)} ${count[1]}${rule === 1 ? "" : "s"}`;
  return naming(keyword, rule) ?? SENTENCES.get(keyword);
}

/** The most characters of a schema that a sentence repeats. */
const MOST_NAMED = 200;

/** The sentence that says which values, or which pattern: what a model needs to mend its call. Undefined for what is long. */
function naming(keyword: string, rule: JsonValue | undefined): string | undefined {
  if (keyword === "pattern") return String(rule).length > MOST_NAMED ? undefined : `must match the pattern ${String(rule)}`;
  if (keyword !== "enum" && keyword !== "const") return undefined;
  const values = keyword === "enum" && Array.isArray(rule) ? rule : [rule];
  let words = "";
  for (const value of values) {
    if (typeof value === "object" && value !== null) return undefined;
    words += `${words === "" ? "" : ", "}${JSON.stringify(value)}`;
    if (words.length > MOST_NAMED) return undefined;
  }
  return `must be ${values.length > 1 ? "one of " : ""}${words}`;
}

/**
 * Drops doubles, keeps as many issues as are reported, and orders them by path.
 *
 * @param issues The issues as a validator finds them.
 * @returns The issues that are reported.
 */
export function reportedIssues(issues: Iterable<SchemaIssue>): readonly SchemaIssue[] {
  const found = new Map<string, SchemaIssue>();
  for (const issue of issues) {
    found.set(JSON.stringify([issue.path, issue.message]), issue);
    if (found.size === SCHEMA_LIMITS.issues) break;
  }
  return [...found.entries()].sort(([a], [b]) => a < b ? -1 : 1).map(([, issue]) => issue);
}
