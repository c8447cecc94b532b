/** Patterns of schemas that are run on values of strangers. */
import { isExponential } from "./exponential_pattern.ts";
import type { JsonObject } from "./json.ts";
import { isJsonObject, ownMember } from "./json.ts";
import { readSchemaDocument } from "./schema_document.ts";
import { unicodePattern } from "./schema_keywords.ts";

/**
 * Checks the patterns of a schema that decides about values of strangers: none may take time that grows exponentially with
 * the value.
 *
 * @param schema A schema that keeps the bounds.
 * @param path Where it stands, as the sentence names it.
 * @returns The first fault as a sentence that begins with its path, or undefined.
 */
export function patternsFault(schema: JsonObject, path: string): string | undefined {
  const read = readSchemaDocument(schema, path);
  if (!read.ok) return read.fault;
  const { places, targets } = read.document;
  const seen = new Set<unknown>();
  const stack: { readonly schema: unknown; readonly path: string }[] = [{ schema, path }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { schema: one, path: at } = next;
    if (!isJsonObject(one) || seen.has(one)) continue;
    seen.add(one);
    const pattern = ownMember(one, "pattern");
    if (typeof pattern === "string" && isDangerous(pattern)) return `${at}.pattern: ${DANGEROUS}`;
    const named = ownMember(one, "patternProperties");
    if (isJsonObject(named) && Object.keys(named).some(isDangerous)) return `${at}.patternProperties: ${DANGEROUS}`;
    for (const { schema: inner, path: steps } of places.get(one) ?? []) {
      stack.push({ schema: inner, path: `${at}.${steps.join(".")}` });
    }
    for (const [keyword, target] of Object.entries(targets.get(one) ?? {})) {
      stack.push({ schema: target, path: `${at}.${keyword}` });
    }
  }
  return undefined;
}

const DANGEROUS =
  "A pattern repeats a part that can match one text in several ways, which may take exponential time on the text of a caller";

function isDangerous(pattern: string): boolean {
  return isExponential(unicodePattern(pattern) ?? pattern);
}
