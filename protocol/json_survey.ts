/** Looks over a JSON text without parsing it. */

/** What is known of a text. */
export interface JsonSurvey {
  /** Members of objects and items of arrays, those of repeated keys included. */
  readonly elements: number;
  /** The text of the last member `id` of the outermost object; undefined when there is none. */
  readonly id: string | undefined;
  /** Which members that tell messages apart the outermost object has. */
  readonly members: ReadonlySet<string>;
}

/** Members by which messages are told apart, and the characters of the longest one with its quote. */
const TELLING: ReadonlySet<string> = new Set(["id", "method", "result", "error"]);
const LONGEST = 7;

/** Characters that an element takes at least: a digit, and what parts it from the next one. */
export const CHARACTERS_PER_ELEMENT = 2;

const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the elements of a JSON text, in time that grows with its length alone. Parsing costs a multiple: an object with half
 * a million distinct keys takes most of a second. What the text holds that is not JSON is not noticed.
 *
 * @param text One JSON text (RFC 8259).
 * @returns The count, and the id of a message.
 */
export function surveyJson(text: string): JsonSurvey {
  let elements = 0;
  let depth = 0;
  let id: string | undefined;
  const members = new Set<string>();
  const isMessage = text.charCodeAt(skipBlanks(text, 0)) === OPEN_OBJECT;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        if (isMessage && depth === 1 && end - at <= LONGEST) {
          const name = text.slice(at + 1, end);
          const value = TELLING.has(name) ? valueAfter(text, end + 1) : undefined;
          if (value !== undefined) members.add(name);
          if (value !== undefined && name === "id") id = value;
        }
        at = end;
        break;
      }
      case COMMA:
        elements++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT: {
        depth++;
        const next = text.charCodeAt(skipBlanks(text, at + 1));
        if (next !== CLOSE_LIST && next !== CLOSE_OBJECT) elements++;
        break;
      }
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
    }
  }
  return { elements, id, members };
}

/** The place of the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** The text of the scalar that follows a key, "" for anything else; undefined when what stood there was no key. */
function valueAfter(text: string, end: number): string | undefined {
  const colon = skipBlanks(text, end);
  if (text.charCodeAt(colon) !== COLON) return undefined;
  const start = skipBlanks(text, colon + 1);
  if (text.charCodeAt(start) === QUOTE) return text.slice(start, endOfString(text, start) + 1);
  return /^[-+.\w]+/.exec(text.slice(start, start + SCALAR))?.[0] ?? "";
}

/** Characters of a number at most that can be an id. */
const SCALAR = 32;

function skipBlanks(text: string, start: number): number {
  for (let at = start;; at++) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== LINE_FEED && code !== RETURN && code !== TAB) return at;
  }
}
