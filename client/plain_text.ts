/** Texts whose characters are all written as themselves, whatever they were written as. */

/** Ways to write one character: percent-encoded (RFC 3986 § 2.1) once or more, in JSON, in HTML, in a path of JSON (RFC 6901 § 3). */
const ESCAPE =
  /%(?:25){0,3}([0-9a-f]{2})|\\{1,4}(?:u00([0-9a-f]{2})|(?=["/]))|&#(?:x0{0,4}([0-9a-f]{2})|0{0,4}([0-9]{2,3}));|~([01])/gi;

/** A text in lower case whose characters are all written as themselves, and where they stand in the text that was given. */
export interface PlainText {
  /** The text. */
  readonly text: string;
  /** From which place on, by how much the places differ. */
  readonly shifts: readonly (readonly [from: number, by: number])[];
}

/**
 * Writes the characters of a text as themselves, in lower case.
 *
 * @param text A text in which some may be escaped.
 */
export function plainText(text: string): PlainText {
  const shifts: [number, number][] = [];
  const parts: string[] = [];
  let length = 0;
  let end = 0;
  for (const found of text.matchAll(ESCAPE)) {
    const [whole, percent, json, hex, decimal, pointer] = found;
    const code = decimal === undefined ? parseInt(percent ?? json ?? hex ?? "", 16) : Number(decimal);
    const character = pointer !== undefined ? "~/"[Number(pointer)] ?? "" : Number.isNaN(code) ? "" : String.fromCharCode(code);
    parts.push(text.slice(end, found.index), character);
    length += found.index - end + character.length;
    end = found.index + whole.length;
    shifts.push([length, end - length]);
  }
  return { text: lower(parts.join("") + text.slice(end)), shifts };
}

/** A text in lower case, without a change of length. */
export function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
