/** The rules for roots. */
import type { Root } from "../../protocol/types.ts";

/**
 * Checks roots: file URIs that do not climb (MCP 2026-07-28, Roots § Root and § Security Considerations).
 *
 * @throws {TypeError} That names the place and never the URI.
 */
export function checkRoots(roots: readonly Root[], path: string): readonly Root[] {
  if (!Array.isArray(roots)) throw new TypeError(`${path}: Expected a list of roots`);
  roots.forEach((root: Root, index) => {
    const uri: unknown = root?.uri;
    if (typeof uri !== "string" || !/^file:\/\//i.test(uri)) throw new TypeError(`${path}[${index}].uri: Expected a file URI`);
    if (/[/\\](?:\.|%2e){2}(?:[/\\]|%2f|%5c|$)/i.test(uri)) {
      throw new TypeError(`${path}[${index}].uri: Expected a path without ".."`);
    }
  });
  return roots;
}
