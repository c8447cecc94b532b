/** Pages of a list, cut once, and the opaque cursors that lead to them. */

/** One page of a list. */
export interface Page<T> {
  /** The items of this page. */
  readonly items: readonly T[];
  /** The cursor that asks for this page; the first page is asked for without one. */
  readonly cursor: string | undefined;
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor: string | undefined;
}

const RADIX = 36;

/** Digits of the largest offset in {@linkcode RADIX}. */
const OFFSET_DIGITS = Number.MAX_SAFE_INTEGER.toString(RADIX).length;

/**
 * Cuts a list into all of its pages. An empty list is one empty page.
 *
 * @param items The list, in its order.
 * @param pageSize Items on one page; an integer of at least 1.
 * @param digest What the cursors are bound to: {@linkcode catalogueDigest} of this list.
 * @returns The pages in order.
 * @throws {TypeError} For any other page size.
 */
export function slicePage<T>(items: readonly T[], pageSize: number, digest: string): readonly Page<T>[] {
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
    throw new TypeError(`Cutting a list into pages: Expected a page size of at least 1, received ${pageSize}`);
  }
  const pages: Page<T>[] = [];
  let cursor: string | undefined;
  for (let offset = 0; pages.length === 0 || offset < items.length; offset += pageSize) {
    const end = offset + pageSize;
    const nextCursor = end < items.length ? pageCursor(digest, end) : undefined;
    pages.push({ items: items.slice(offset, end), cursor, nextCursor });
    cursor = nextCursor;
  }
  return pages;
}

/**
 * Digests what a list is: a cursor of a list that has changed, of another kind or of another page size is refused, and one
 * of an unchanged list stays good. The digest tells lists apart by accident, not against an attack: a forged cursor shows
 * no more than the list does.
 *
 * @param kind The kind of list: `tools`, `prompts`, `resources`, `resourceTemplates`.
 * @param names The names or URIs of its items, in order.
 * @param pageSize Items on one page. 0 when the list is not paged.
 * @returns 16 hexadecimal digits.
 */
export function catalogueDigest(kind: string, names: readonly string[], pageSize: number = 0): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (const text of [kind, String(pageSize), ...names]) {
    for (let at = 0; at <= text.length; at++) {
      // A separator that is not a UTF-16 unit stands after each text, so that ["ab"] and ["a", "b"] differ.
      const unit = at < text.length ? text.charCodeAt(at) : 0x10000;
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(high ^ (unit + (low >>> 16)), 0x85ebca6b);
      high ^= high >>> 13;
    }
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/**
 * Writes a cursor.
 *
 * @param digest The list's digest.
 * @param offset How many items stand before the page.
 * @returns The cursor, opaque to clients (MCP 2026-07-28, Pagination).
 */
export function pageCursor(digest: string, offset: number): string {
  return `${digest}-${offset.toString(RADIX)}`;
}

/**
 * Reads a cursor that a client sent.
 *
 * @param cursor The cursor, of any form and length.
 * @param digest The digest of the list that is asked for.
 * @returns How many items stand before the page, or undefined for a cursor that was not written for this list.
 */
export function readCursor(cursor: string, digest: string): number | undefined {
  const start = digest.length + 1;
  if (cursor.length > start + OFFSET_DIGITS || !cursor.startsWith(`${digest}-`)) return undefined;
  const offset = Number.parseInt(cursor.slice(start), RADIX);
  // Writing it again refuses signs, spaces, leading zeros and what follows the digits.
  return Number.isSafeInteger(offset) && offset > 0 && pageCursor(digest, offset) === cursor ? offset : undefined;
}
