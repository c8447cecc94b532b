/** Annotations of content and resources: their rules. */
import type { Annotations } from "../protocol/types.ts";

/**
 * Checks annotations (MCP 2026-07-28, Resources § Annotations).
 *
 * @throws {TypeError} Naming the path and the rule.
 */
export function checkAnnotations(annotations: Annotations | undefined, path: string): void {
  if (annotations === undefined) return;
  const { priority, audience, lastModified } = annotations;
  if (priority !== undefined && !(typeof priority === "number" && priority >= 0 && priority <= 1)) {
    throw new TypeError(`${path}.annotations.priority: Expected a number from 0 to 1`);
  }
  if (audience !== undefined && !(Array.isArray(audience) && audience.every((role) => role === "user" || role === "assistant"))) {
    throw new TypeError(`${path}.annotations.audience: Expected a list of "user" and "assistant"`);
  }
  if (lastModified !== undefined && !(typeof lastModified === "string" && /^\d{4}-\d{2}-\d{2}/.test(lastModified))) {
    throw new TypeError(`${path}.annotations.lastModified: Expected an ISO 8601 timestamp`);
  }
}
