/** Texts with every escape undone: each character is written as itself. */

/**
 * Reads the character that is written at a place: as itself, percent-encoded (RFC 3986 § 2.1) once or more, in JSON, in HTML (by its
 * number or its name), or in a path of JSON (RFC 6901 § 3).
 *
 * @returns Its code, in lower case, in the lower 16 bits; above them how many characters of the text it takes.
 */
export function characterAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // %, &, \ and ~; all other characters, which are most, must cost next to nothing.
  return code === 0x25 || code === 0x26 || code === 0x5c || code === 0x7e ? escapedAt(text, at, code) : read(code, 1);
}

function escapedAt(text: string, at: number, code: number): number {
  let end = at + 1;
  if (code === 0x25) {
    while (end < at + 7 && text.startsWith("25", end) && byteAt(text, end + 2) >= 0) end += 2;
    const byte = byteAt(text, end);
    if (byte >= 0) return read(byte, end + 2 - at);
  } else if (code === 0x5c) {
    while (end < at + 4 && text.charCodeAt(end) === 0x5c) end++;
    const next = text.charCodeAt(end);
    if (next === 0x22 || next === 0x2f) return read(next, end + 1 - at); // " and /
    const byte = (next | 0x20) === 0x75 && text.startsWith("00", end + 1) ? byteAt(text, end + 3) : -1;
    if (byte >= 0) return read(byte, end + 5 - at);
  } else if (code === 0x7e) {
    const digit = digitAt(text, end);
    if (digit === 0 || digit === 1) return read(digit === 0 ? code : 0x2f, 2);
  } else {
    while (end < at + 13 && text.startsWith("amp;", end)) end += 4;
    if (!text.startsWith("#", end)) {
      const [name, named] = ENTITIES.find(([name]) => text.startsWith(name, end)) ?? ["", code];
      return read(named, end + name.length - at);
    }
    const behind = end;
    const radix = (text.charCodeAt(++end) | 0x20) === 0x78 ? 16 : 10;
    if (radix === 16) end++;
    let number = 0;
    const most = end + 8;
    for (let digit; number < 1000 && end < most && (digit = digitAt(text, end)) >= 0 && digit < radix; end++) {
      number = number * radix + digit;
    }
    return text.startsWith(";", end) ? read(number, end + 1 - at) : read(code, behind - at);
  }
  return read(code, 1);
}

/** Characters that HTML has names for, `&` aside: that may come again and again. */
const ENTITIES: readonly (readonly [name: string, code: number])[] = [["lt;", 0x3c], ["gt;", 0x3e], ["quot;", 0x22], [
  "apos;",
  0x27,
]];

/** Writes the characters of a text as themselves, in lower case. */
export function plainText(text: string): string {
  let plain = "";
  for (let at = 0; at < text.length;) {
    const character = characterAt(text, at);
    plain += String.fromCharCode(character & 0xffff);
    at += character >> 16;
  }
  return plain;
}

function read(code: number, length: number): number {
  return length << 16 | (code >= 0x41 && code <= 0x5a ? code + 0x20 : code);
}

/** Two hexadecimal digits; negative when there are none. */
function byteAt(text: string, at: number): number {
  const [high, low] = [digitAt(text, at), digitAt(text, at + 1)];
  return Math.min(high, low) < 0 ? -1 : high * 16 + low;
}

/** A hexadecimal digit; negative when there is none. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
