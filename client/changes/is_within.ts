/** Says which URIs are parts of others. */

/** Where a part of a URI begins (RFC 3986 § 3); a parent may also end with its scheme's colon. */
const BORDERS = "/?#";

/**
 * Is a URI the other one, or a part of it? A part begins at a border: `file:///ab` is not part of `file:///a`. The update of a part is
 * told under its own URI, and is one of the whole too (MCP 2026-07-28 and 2025-11-25, schema § ResourceUpdatedNotification).
 */
export function isWithin(uri: string, parent: string): boolean {
  if (!uri.startsWith(parent)) return false;
  if (uri.length === parent.length || parent === "") return uri === parent;
  return `${BORDERS}:`.includes(parent.at(-1) as string) || BORDERS.includes(uri.charAt(parent.length));
}
