/** Annotations of content and resources: their rules. */
import type { Annotations } from "../protocol/types.ts";

/**
 * Checks annotations (MCP 2026-07-28, Resources § Annotations).
 *
 * @throws {TypeError} Naming the path and the rule.
 */
export function checkAnnotations(annotations: Annotations | undefined, path: string): void {
  const fault = annotations === undefined ? undefined : annotationsFault(annotations);
  if (fault !== undefined) throw new TypeError(`${path}.annotations.${fault}`);
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
