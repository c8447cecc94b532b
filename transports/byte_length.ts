/** The length of a text in bytes, where it matters. */

/** UTF-8 needs at most so many bytes for one UTF-16 code unit (RFC 3629 § 3). */
const MOST_BYTES = 3;

/** Has a text more bytes in UTF-8 than a limit? They are counted only when the number of characters leaves it open. */
export function isLonger(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * MOST_BYTES > limit && new TextEncoder().encode(text).length > limit;
}
