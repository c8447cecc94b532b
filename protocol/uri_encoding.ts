/** Percent-encoding (RFC 3986 § 2): values, literals, and the normal form in which URIs are compared. */

/** Says whether a character never needs an escape (RFC 3986 § 2.3). */
function isUnreserved(char: string): boolean {
  return (char >= "a" && char <= "z") || (char >= "A" && char <= "Z") || (char >= "0" && char <= "9") || "-._~".includes(char);
}

/** Says whether a character may stand for itself as a delimiter (RFC 3986 § 2.2). */
export function isReserved(char: string): boolean {
  return ":/?#[]@!$&'()*+,;=".includes(char);
}

/**
 * Encodes a value.
 *
 * @param value The text; a `%` in it is text, too.
 * @param reserved Whether reserved characters stay as they are (RFC 6570 § 3.2.3).
 * @returns The encoded text, or undefined when the value is not valid Unicode.
 */
export function encodeValue(value: string, reserved: boolean): string | undefined {
  const parts: string[] = [];
  for (const char of value) {
    if (isUnreserved(char) || (reserved && isReserved(char))) {
      parts.push(char);
    } else {
      const escaped = escape(char);
      if (escaped === undefined) return undefined;
      parts.push(escaped);
    }
  }
  return parts.join("");
}

/**
 * Decodes a value, once.
 *
 * @param encoded The encoded text.
 * @returns The text, or undefined for a broken escape and for bytes that are not UTF-8.
 */
export function decodeValue(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/**
 * Brings a URI, or the literal text of a template, into the form in which they are compared: escapes of unreserved characters
 * are decoded, others have upper-case digits, and characters that no URI has are encoded (RFC 3986 § 6.2.2; RFC 6570 § 3.1).
 *
 * @param uri The text.
 * @returns The normal form, or undefined for a broken escape and for text that is not valid Unicode.
 */
export function normalizeUri(uri: string): string | undefined {
  const parts: string[] = [];
  for (let at = 0; at < uri.length;) {
    const char = String.fromCodePoint(uri.codePointAt(at) as number);
    if (char === "%") {
      const digits = uri.slice(at + 1, at + 3);
      if (!/^[0-9A-Fa-f]{2}$/.test(digits)) return undefined;
      const decoded = String.fromCharCode(Number.parseInt(digits, 16));
      parts.push(isUnreserved(decoded) ? decoded : `%${digits.toUpperCase()}`);
      at += 3;
      continue;
    }
    const written = isUnreserved(char) || isReserved(char) ? char : escape(char);
    if (written === undefined) return undefined;
    parts.push(written);
    at += char.length;
  }
  return parts.join("");
}

/** Escapes one character; `encodeURIComponent` leaves some reserved ones alone. */
function escape(char: string): string | undefined {
  try {
    const escaped = encodeURIComponent(char);
    return escaped === char ? `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}` : escaped;
  } catch {
    return undefined;
  }
}
