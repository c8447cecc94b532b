/** The frontmatter of a `SKILL.md`: how it is read, and how two of them are compared. */
import { Composer, CST, isMap, isScalar, isSeq, Lexer, Parser } from "yaml";
import type { Scalar } from "yaml";
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { SKILL_LIMITS } from "../limits.ts";
import { shown } from "../shown.ts";

/** How {@linkcode readFrontmatter} reads. */
export interface FrontmatterOptions {
  /**
   * Refuses also what simple readers of other hosts refuse or read otherwise: what is published should be in this subset. False
   * when absent.
   */
  readonly common?: boolean | undefined;
}

/**
 * Reads the frontmatter that a `SKILL.md` begins with, as YAML 1.2 with its core schema: `yes` is text, `1.10` is the number 1.1,
 * `0o17` is 15, a date is text, `~` and an empty value are null. Members keep their order. A byte order mark and CRLF are accepted.
 *
 * What readers disagree about, or JSON cannot carry, is refused: anchors, aliases, tags, directives, several documents, keys that
 * occur twice or are no text, the key `__proto__`, infinity and NaN, text that is not valid Unicode, nesting over 32. With `common`
 * also: tabs where a line begins, quoted text and flow collections over several lines, `?`, indentation indicators, flow members without a value or of one
 * pair, a colon that is not right behind its key, a delimiter with blanks behind it, integers that a JSON number does not hold,
 * unusual line breaks.
 *
 * @param text The text of the file.
 * @param options How strict it is.
 * @throws {TypeError} For a file without frontmatter, and for frontmatter that is refused; the message names the line.
 */
export function readFrontmatter(text: string, { common = false }: FrontmatterOptions = {}): JsonObject {
  const source = frontmatterOf(text, common);
  const fail: Fail = (offset, found) => {
    throw new TypeError(`Reading the frontmatter of SKILL.md: line ${2 + linesBefore(source, offset)}: ${found}`);
  };
  checkCharacters(source, common, fail);
  checkTokens(source, common, fail);
  const documents = [...new Parser().parse(source)];
  for (const document of documents) checkDepth(document, fail);
  const composer = new Composer({ version: "1.2", schema: "core", merge: false, uniqueKeys: false, logLevel: "silent" });
  const [document, second] = [...composer.compose(documents)];
  const fault = document?.errors[0] ?? document?.warnings[0];
  if (fault !== undefined) fail(fault.pos[0], firstLine(fault.message));
  if (second !== undefined) fail(second.range[0], "Expected one document");
  const contents: unknown = document?.contents;
  if (!isMap(contents)) return fail(0, "Expected keys with values");
  return valueOf(contents, { common, source, fail }) as JsonObject;
}

/**
 * Compares the frontmatter of an entry with that of its file, both ways: members in any order, lists in order, numbers by value,
 * and nothing is converted (SEP-2640, Frontmatter Verification).
 *
 * @param entry What the entry has.
 * @param file What {@linkcode readFrontmatter} read.
 * @returns A sentence that names the first member that differs; undefined when both are the same.
 */
export function frontmatterDifference(entry: JsonObject, file: JsonObject): string | undefined {
  return difference(entry, file, "frontmatter");
}

type Fail = (offset: number, found: string) => never;

interface Reading {
  readonly common: boolean;
  readonly source: string;
  readonly fail: Fail;
}

function frontmatterOf(text: string, common: boolean): string {
  const refuse = (found: string): never => {
    throw new TypeError(`Reading the frontmatter of SKILL.md: ${found}`);
  };
  // What lies behind the limit is never looked at.
  const start = text.slice(0, SKILL_LIMITS.frontmatter).replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const opened = (common ? /^---\n/ : /^---[\t ]*\n/).exec(start);
  if (opened === null) return refuse("Expected a first line of three hyphens");
  const rest = start.slice(opened[0].length);
  const closed = /(?:^|\n)---[\t ]*(?:\n|$)/.exec(rest);
  // Hyphens at the very end of what is looked at may go on behind it.
  if (closed === null || (text.length > SKILL_LIMITS.frontmatter && !closed[0].endsWith("\n"))) {
    return refuse(`Expected a line of three hyphens at its end, within ${SKILL_LIMITS.frontmatter} characters`);
  }
  if (common && !/---\n?$/.test(closed[0])) return refuse("Expected nothing behind the three hyphens at its end");
  return closed[0].startsWith("\n") ? rest.slice(0, closed.index + 1) : "";
}

function linesBefore(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length - 1;
}

function firstLine(message: string): string {
  return shown(message.split("\n")[0] ?? "");
}

/** Readers take these for line breaks, for blanks, or for nothing. */
function checkCharacters(source: string, common: boolean, fail: Fail): void {
  // deno-lint-ignore no-control-regex
  const found = (common ? /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]/ : /[\x00-\x08\x0b-\x1f\ufeff]/).exec(source);
  if (found !== null) fail(found.index, "Expected no control character, byte order mark or unusual line break");
  const tab = common ? /^ *\t/m.exec(source) : null;
  if (tab !== null) fail(tab.index, "Expected no tab where a line begins");
}

const REFUSED: ReadonlyMap<string | null, string> = new Map([
  ["anchor", "Expected no anchor"],
  ["alias", "Expected no alias, and quotes around text that begins with an asterisk"],
  ["tag", "Expected no tag, and quotes around text that begins with an exclamation mark"],
  ["directive-line", "Expected no directive"],
  ["doc-start", "Expected one document"],
  ["doc-end", "Expected one document"],
]);

/** Looks at what the text is made of before anything is built from it. */
function checkTokens(source: string, common: boolean, fail: Fail): void {
  let offset = 0;
  let depth = 0;
  let announced = false;
  for (const token of new Lexer().lex(source)) {
    const type: string | null = announced ? "scalar" : CST.tokenType(token);
    announced = type === "scalar" && token === SCALAR_NEXT;
    // The reader puts marks of its own between what it found, which are not in the text.
    if (token === "\u0002" || token === "\u0018" || announced) continue;
    const refused = REFUSED.get(type);
    if (refused !== undefined) fail(offset, refused);
    if (type === "double-quoted-scalar" && isOpen(token)) fail(offset, "Expected quotes that close");
    if (type === "flow-map-start" || type === "flow-seq-start") depth++;
    else if (type === "flow-map-end" || type === "flow-seq-end") depth--;
    if (depth > SKILL_LIMITS.depth) fail(offset, TOO_DEEP);
    if (common) {
      const uncommon = uncommonToken(type, token, depth);
      if (uncommon !== undefined) fail(offset, uncommon);
    }
    offset += token.length;
  }
}

/** The package takes an escaped quote for the closing one where the next line is not indented. */
function isOpen(quoted: string): boolean {
  let backslashes = 0;
  while (quoted.at(-2 - backslashes) === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** Before text that is not quoted, whatever it looks like. */
const SCALAR_NEXT = "\u001f";

const TOO_DEEP = `Expected nesting of at most ${SKILL_LIMITS.depth}`;

function uncommonToken(type: string | null, token: string, flowDepth: number): string | undefined {
  if (type === "explicit-key-ind") return 'Expected no "?", which simple readers do not know';
  if (type === "block-scalar-header" && /\d/.test(token)) return "Expected no indentation indicator";
  if (flowDepth > 0 && (type === "newline" || (type === "scalar" && token.includes("\n")))) {
    return "Expected brackets to close on their line";
  }
  if (flowDepth > 0 && type === "comment") return "Expected no comment within brackets";
  const quoted = type === "single-quoted-scalar" || type === "double-quoted-scalar";
  return quoted && token.includes("\n") ? "Expected quotes to close on their line" : undefined;
}

/** Blocks nest by indentation; what builds values from them would call itself as often. */
function checkDepth(document: unknown, fail: Fail): void {
  const waiting: { readonly token: unknown; readonly depth: number }[] = [{ token: document, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (typeof token !== "object" || token === null) continue;
    const { value, items, offset } = token as { readonly value?: unknown; readonly items?: unknown; readonly offset?: unknown };
    const below = Array.isArray(items) ? depth + 1 : depth;
    if (below > SKILL_LIMITS.depth) fail(typeof offset === "number" ? offset : 0, TOO_DEEP);
    waiting.push({ token: value, depth: below });
    if (!Array.isArray(items)) continue;
    for (const item of items as { readonly key?: unknown; readonly value?: unknown }[]) {
      waiting.push({ token: item.key, depth: below }, { token: item.value, depth: below });
    }
  }
}

function valueOf(node: unknown, reading: Reading): JsonValue {
  if (node === null) return null;
  if (isScalar(node)) return scalarOf(node, reading);
  if (isSeq(node)) return node.items.map((item) => itemOf(item, node, reading));
  if (isMap(node)) return objectOf(node, reading);
  return reading.fail(0, "Expected text, a number, true, false, null, a list, or keys with values");
}

/** In brackets a list may hold one pair without braces. */
function itemOf(item: unknown, list: { readonly flow?: boolean | undefined }, reading: Reading): JsonValue {
  const { common, fail } = reading;
  if (common && list.flow === true && isMap(item) && !reading.source.startsWith("{", item.range?.[0] ?? 0)) {
    fail(item.range?.[0] ?? 0, "Expected braces around a pair within brackets");
  }
  return valueOf(item, reading);
}

function objectOf(
  map: { readonly items: readonly unknown[]; readonly flow?: boolean | undefined; readonly range?: unknown },
  reading: Reading,
): JsonValue {
  const { common, fail } = reading;
  const members = new Map<string, JsonValue>();
  for (const pair of map.items as { readonly key: unknown; readonly value: unknown }[]) {
    const { key, value } = pair;
    const offset = isScalar(key) ? key.range?.[0] ?? 0 : 0;
    if (!isScalar(key) || typeof key.value !== "string") return fail(offset, "Expected a key that is text; quote it");
    const name = scalarOf(key, reading) as string;
    if (name === "__proto__") fail(offset, "Expected no key __proto__");
    if (members.has(name)) fail(offset, `Expected the key ${shown(name)} once`);
    if (common) {
      const uncommon = uncommonPair(key, value, map.flow === true, reading.source);
      if (uncommon !== undefined) fail(offset, uncommon);
    }
    members.set(name, valueOf(value, reading));
  }
  return Object.fromEntries(members);
}

/** Simple readers look for a key and its colon on one line. */
function uncommonPair(key: Scalar, value: unknown, inFlow: boolean, source: string): string | undefined {
  if (inFlow && isEmpty(value)) return "Expected a value behind each key within braces";
  const isPlain = key.type === "PLAIN";
  const behind = source.slice(key.range?.[1] ?? 0);
  if (!(isPlain ? /^[\t ]*:/ : /^:/).test(behind)) return "Expected a colon right behind each key";
  return inFlow && isPlain && !/^[\t ]*:[\t ]/.test(behind) ? "Expected a blank behind each colon within braces" : undefined;
}

/** A value that is not written: a null without text. */
function isEmpty(value: unknown): boolean {
  return value === null || (isScalar(value) && value.value === null && (value.source ?? "") === "");
}

function scalarOf(
  scalar: {
    readonly value: unknown;
    readonly source?: string | undefined;
    readonly range?: readonly number[] | null | undefined;
  },
  { common, fail }: Reading,
): JsonValue {
  const { value, source = "", range } = scalar;
  const offset = range?.[0] ?? 0;
  switch (typeof value) {
    case "string":
      if (common && source.startsWith("?")) return fail(offset, "Expected quotes around text that begins with a question mark");
      return value.isWellFormed() ? value : fail(offset, "Expected text that is valid Unicode");
    case "number":
      if (!Number.isFinite(value)) return fail(offset, "Expected a number that JSON can carry; quote it");
      if (common && /^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value)) {
        return fail(offset, "Expected an integer that a JSON number holds exactly; quote it");
      }
      // Minus zero would be another number behind JSON than before it.
      return value + 0;
    case "boolean":
      return value;
    default:
      return value === null ? null : fail(offset, "Expected text, a number, true, false or null");
  }
}

function difference(entry: JsonValue | undefined, file: JsonValue | undefined, path: string): string | undefined {
  if (entry === undefined) return `${path}: The file has it, and the entry does not`;
  if (file === undefined) return `${path}: The entry has it, and the file does not`;
  if (Array.isArray(entry) && Array.isArray(file)) {
    if (entry.length !== file.length) return `${path}: The entry has ${entry.length} items, and the file has ${file.length}`;
    return first(file.entries(), ([at, item]) => difference(entry[at], item as JsonValue, `${path}[${at}]`));
  }
  if (isJsonObject(entry) && isJsonObject(file)) {
    const keys = new Set([...Object.keys(entry), ...Object.keys(file)]);
    return first(keys, (key) => difference(ownMember(entry, key), ownMember(file, key), `${path}.${shown(key)}`));
  }
  return entry === file ? undefined : `${path}: The entry has another value than the file`;
}

function first<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
