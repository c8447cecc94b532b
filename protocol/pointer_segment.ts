/** Steps of JSON Pointers. */

/**
 * Writes one step of a JSON Pointer (RFC 6901 § 3).
 *
 * @param key A member's name or an item's index.
 * @returns The step with its slash.
 */
export function pointerSegment(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
