/** Reads a regular expression into a tree, as far as the ways in which it can match matter. */

/** A part of a pattern. */
export type PatternNode =
  /** One character of a set: a bit for each of ASCII, and one for all others. */
  | { readonly kind: "set"; readonly set: bigint }
  /** Parts in a row. */
  | { readonly kind: "row"; readonly parts: readonly PatternNode[] }
  /** One of several. */
  | { readonly kind: "choice"; readonly parts: readonly PatternNode[] }
  /** A part that is repeated. */
  | { readonly kind: "repeat"; readonly part: PatternNode; readonly min: number; readonly max: number }
  /** Looks ahead or back, and takes nothing. */
  | { readonly kind: "look"; readonly part: PatternNode }
  /** What a group took, once more. */
  | { readonly kind: "back" };

const OTHERS = 1n << 128n;
const ALL = (OTHERS << 1n) - 1n;
const NOTHING: PatternNode = { kind: "row", parts: [] };
const DIGITS = rangeSet(0x30, 0x39);
const WORD = DIGITS | rangeSet(0x41, 0x5a) | rangeSet(0x61, 0x7a) | rangeSet(0x5f, 0x5f);
const SPACE = rangeSet(0x09, 0x0d) | rangeSet(0x20, 0x20);
const LINE_ENDS = rangeSet(0x0a, 0x0a) | rangeSet(0x0d, 0x0d);

/**
 * Reads a pattern that compiles.
 *
 * @param pattern The pattern, in the syntax of ECMA-262 with the flag `u`.
 * @returns Its tree.
 */
export function readPattern(pattern: string): PatternNode {
  return readChoice({ pattern, at: 0 });
}

interface Reading {
  readonly pattern: string;
  at: number;
}

function readChoice(reading: Reading): PatternNode {
  const parts = [readRow(reading)];
  while (reading.pattern[reading.at] === "|") {
    reading.at++;
    parts.push(readRow(reading));
  }
  return parts.length === 1 ? parts[0] as PatternNode : { kind: "choice", parts };
}

function readRow(reading: Reading): PatternNode {
  const parts: PatternNode[] = [];
  for (let char = reading.pattern[reading.at]; char !== undefined && char !== "|" && char !== ")";) {
    parts.push(readRepeated(reading, readPart(reading, char)));
    char = reading.pattern[reading.at];
  }
  return parts.length === 1 ? parts[0] as PatternNode : { kind: "row", parts };
}

function readPart(reading: Reading, char: string): PatternNode {
  switch (char) {
    case "(":
      return readGroup(reading);
    case "[":
      return readClass(reading);
    case "\\":
      return readEscape(reading);
    case "^":
    case "$":
      reading.at++;
      return NOTHING;
    case ".":
      reading.at++;
      return { kind: "set", set: ALL & ~LINE_ENDS };
    default: {
      const code = reading.pattern.codePointAt(reading.at) as number;
      reading.at += code > 0xffff ? 2 : 1;
      return { kind: "set", set: rangeSet(code, code) };
    }
  }
}

const REPEATS = /[*+?]|\{(\d+)(,(\d*))?\}/y;

function readRepeated(reading: Reading, part: PatternNode): PatternNode {
  REPEATS.lastIndex = reading.at;
  const found = REPEATS.exec(reading.pattern);
  if (found === null) return part;
  const [text, low = "", comma, high] = found;
  reading.at += text.length;
  if (reading.pattern[reading.at] === "?") reading.at++;
  if (text === "*") return { kind: "repeat", part, min: 0, max: Infinity };
  if (text === "+") return { kind: "repeat", part, min: 1, max: Infinity };
  if (text === "?") return { kind: "repeat", part, min: 0, max: 1 };
  const min = Number(low);
  return { kind: "repeat", part, min, max: comma === undefined ? min : high === "" ? Infinity : Number(high) };
}

function readGroup(reading: Reading): PatternNode {
  const start = /^\((?:\?(?:<?[=!]|:|<[^>]*>))?/.exec(reading.pattern.slice(reading.at))?.[0] ?? "(";
  reading.at += start.length;
  const part = readChoice(reading);
  reading.at++;
  return /[=!]$/.test(start) ? { kind: "look", part } : part;
}

function readEscape(reading: Reading): PatternNode {
  const next = reading.pattern[reading.at + 1] ?? "";
  if (/[1-9k]/.test(next)) {
    reading.at += next === "k" ? reading.pattern.slice(reading.at).indexOf(">") + 1 : 2;
    return { kind: "back" };
  }
  if (next === "b" || next === "B") {
    reading.at += 2;
    return NOTHING;
  }
  return { kind: "set", set: readEscapedSet(reading) };
}

/** An escape that stands for a character or a set, in a class and outside of one. */
function readEscapedSet(reading: Reading): bigint {
  const rest = reading.pattern.slice(reading.at, reading.at + ESCAPE);
  const coded = /^\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\})/i.exec(rest);
  if (coded !== null) {
    reading.at += coded[0].length;
    const code = parseInt(coded[1] ?? coded[2] ?? coded[3] ?? "", 16);
    return rangeSet(code, code);
  }
  const property = /^\\p\{[^}]*\}/i.exec(rest);
  if (property !== null) {
    reading.at += property[0].length;
    return ALL;
  }
  const char = rest[1] ?? "";
  if (char === "c") {
    reading.at += 3;
    return ALL;
  }
  reading.at += 2;
  const plain = SETS.get(char);
  if (plain !== undefined) return plain;
  const code = CONTROLS.get(char) ?? char.charCodeAt(0);
  return rangeSet(code, code);
}

/** Characters of an escape at most. */
const ESCAPE = 64;

const SETS: ReadonlyMap<string, bigint> = new Map([
  ["d", DIGITS],
  ["D", ALL & ~DIGITS],
  ["w", WORD],
  ["W", ALL & ~WORD],
  ["s", SPACE | OTHERS],
  ["S", ALL & ~SPACE],
]);

const CONTROLS: ReadonlyMap<string, number> = new Map([["n", 10], ["r", 13], ["t", 9], ["v", 11], ["f", 12], ["0", 0], ["b", 8]]);

function readClass(reading: Reading): PatternNode {
  reading.at++;
  const negated = reading.pattern[reading.at] === "^";
  if (negated) reading.at++;
  let set = 0n;
  while (reading.at < reading.pattern.length && reading.pattern[reading.at] !== "]") {
    const low = readMember(reading);
    const { pattern, at } = reading;
    if (pattern[at] !== "-" || pattern[at + 1] === "]") {
      set |= low;
      continue;
    }
    reading.at++;
    set |= between(low, readMember(reading));
  }
  reading.at++;
  // What is not ASCII is one bit, of which a class may hold only a part.
  return { kind: "set", set: negated ? (ALL & ~set) | OTHERS : set };
}

function readMember(reading: Reading): bigint {
  if (reading.pattern[reading.at] === "\\") return readEscapedSet(reading);
  const code = reading.pattern.codePointAt(reading.at) as number;
  reading.at += code > 0xffff ? 2 : 1;
  return rangeSet(code, code);
}

/** All from the one character to the other. */
function between(low: bigint, high: bigint): bigint {
  if (low === OTHERS) return OTHERS;
  const start = low.toString(2).length - 1;
  return rangeSet(start, high === OTHERS ? 0x80 : high.toString(2).length - 1);
}

function rangeSet(low: number, high: number): bigint {
  if (low > high) return 0n;
  const others = high > 0x7f ? OTHERS : 0n;
  if (low > 0x7f) return others;
  const width = BigInt(Math.min(high, 0x7f) - low + 1);
  return (((1n << width) - 1n) << BigInt(low)) | others;
}
