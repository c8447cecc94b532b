/** Annotations of content and resources: their rules. */
import type { Annotations, ToolAnnotations } from "../../protocol/types.ts";
import { checkObject } from "../../protocol/unknown_option.ts";

/**
 * Checks annotations (MCP 2026-07-28, Resources § Annotations).
 *
 * @throws {TypeError} Naming the path and the rule.
 */
export function checkAnnotations(annotations: Annotations | undefined, path: string): void {
  if (annotations === undefined) return;
  checkObject(annotations, `${path}.annotations`);
  const fault = annotationsFault(annotations);
  if (fault !== undefined) throw new TypeError(`${path}.annotations.${fault}`);
}

const TOOL_HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/**
 * Checks the annotations of a tool (MCP 2026-07-28, Tools § Tool): one value of another type spoils the whole list for some clients.
 *
 * @throws {TypeError} Naming the path and the rule.
 */
export function checkToolAnnotations(annotations: ToolAnnotations | undefined, path: string): void {
  if (annotations === undefined) return;
  checkObject(annotations, `${path}.annotations`);
  const { title } = annotations as ToolAnnotations;
  if (title !== undefined && typeof title !== "string") throw new TypeError(`${path}.annotations.title: Expected a string`);
  for (const name of TOOL_HINTS) {
    const hint = annotations[name];
    if (hint !== undefined && typeof hint !== "boolean") {
      throw new TypeError(`${path}.annotations.${name}: Expected true or false`);
    }
  }
}

/** Says what is wrong with annotations, or undefined. */
export function annotationsFault({ priority, audience, lastModified }: Annotations): string | undefined {
  if (priority !== undefined && !(typeof priority === "number" && priority >= 0 && priority <= 1)) {
    return "priority: Expected a number from 0 to 1";
  }
  if (audience !== undefined && !(Array.isArray(audience) && audience.every((role) => role === "user" || role === "assistant"))) {
    return 'audience: Expected a list of "user" and "assistant"';
  }
  if (lastModified !== undefined && !(typeof lastModified === "string" && /^\d{4}-\d{2}-\d{2}/.test(lastModified))) {
    return "lastModified: Expected an ISO 8601 timestamp";
  }
  return undefined;
}
