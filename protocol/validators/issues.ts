/** The words for broken rules, the same for every validator. */
import type { JsonValue } from "../json.ts";
import type { SchemaIssue } from "../json_schema.ts";
import { SCHEMA_LIMITS, SHOWN_ITEMS } from "../limits.ts";
import { shownLine } from "../shown.ts";

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

/** Rules whose sentence needs no value of the schema. */
const SENTENCES = new Map([
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
  if (keyword === "enum" && Array.isArray(rule)) return `must be one of ${listed(rule)}`;
  if (keyword === "const") return `must be ${listed([rule as JsonValue])}`;
  if (keyword === "pattern") return `must match the pattern ${shownLine(String(rule))}`;
  return SENTENCES.get(keyword);
}

/** Values of a schema as JSON; as many as a caller may want to choose from. */
function listed(values: readonly JsonValue[]): string {
  const first = values.slice(0, SHOWN_ITEMS.enum).map((value) => shownLine(JSON.stringify(value)));
  const more = values.length - first.length;
  return first.join(", ") + (more > 0 ? ` and ${more} more` : "");
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
