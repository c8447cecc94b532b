/** What a Standard Schema's `validate` found, without what libraries tell about the value. */
import { isJsonObject } from "./json.ts";
import type { SchemaIssue } from "./json_schema.ts";
import { SCHEMA_LIMITS } from "./limits.ts";
import { pointerSegment } from "./pointer_segment.ts";

/** Libraries whose messages state the rule and never the value. */
const MESSAGES_PASS = new Set(["zod"]);

const UNSATISFIED = "does not satisfy the schema";

/**
 * Reads the result of a Standard Schema's `validate`. Messages of libraries may hold the value that was checked (valibot and
 * arktype write it), so that only those of zod pass; of other issues the path alone is kept.
 *
 * @param result What `validate` returned; a promise must be awaited first.
 * @param vendor The library, as `~standard.vendor` names it.
 * @returns The issues, or undefined for a valid value. At most 20.
 * @throws {TypeError} For a promise.
 */
export function issuesOf(result: unknown, vendor: string | undefined): readonly SchemaIssue[] | undefined {
  if (typeof (result as { readonly then?: unknown } | null | undefined)?.then === "function") {
    throw new TypeError("Reading the result of a validation: Expected a value or issues, received a promise");
  }
  const issues = (result as { readonly issues?: unknown } | null | undefined)?.issues;
  if (issues === undefined && isJsonObject(result) && "value" in result) return undefined;
  const found: SchemaIssue[] = [];
  for (const issue of Array.isArray(issues) ? issues : []) {
    if (found.length === SCHEMA_LIMITS.issues) break;
    found.push({ path: pathOf(issue), message: messageOf(issue, vendor) });
  }
  return found.length > 0 ? found : [{ path: "", message: UNSATISFIED }];
}

function messageOf(issue: unknown, vendor: string | undefined): string {
  const message = (issue as { readonly message?: unknown } | null | undefined)?.message;
  return typeof message === "string" && vendor !== undefined && MESSAGES_PASS.has(vendor) ? message : UNSATISFIED;
}

/** Standard Schema: a path is a list of keys, or of objects with a `key`. */
function pathOf(issue: unknown): string {
  const path = (issue as { readonly path?: unknown } | null | undefined)?.path;
  if (!Array.isArray(path)) return "";
  return path.map((part) => {
    const key = typeof part === "object" && part !== null ? part.key : part;
    return pointerSegment(typeof key === "symbol" ? key.description ?? "" : String(key));
  }).join("");
}
