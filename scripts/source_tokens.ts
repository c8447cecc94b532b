/** Reads TypeScript into tokens, so that a rule never mistakes a comment or a string for code. */

/** One token of a source. `template` holds the fixed text of one stretch between `${` and `}`. */
export interface Token {
  readonly kind: "word" | "string" | "template" | "number" | "regex" | "punct";
  readonly text: string;
  readonly line: number;
}

const PUNCTUATION = ["===", "!==", "...", "=>", "==", "!=", "?.", "??", "&&", "||"];
/** After these words a slash begins a regular expression. */
const BEFORE_REGEX = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "delete",
  "void",
  "throw",
  "new",
  "else",
  "await",
  "yield",
]);

/** The tokens of `source` without comments and white space. */
export function readTokens(source: string): Token[] {
  const tokens: Token[] = [];
  /** For every open `${`: how many braces are open inside it. */
  const holes: number[] = [];
  let at = 0;
  let line = 1;
  const add = (kind: Token["kind"], text: string): void => void tokens.push({ kind, text, line });
  const skipTo = (end: number): string => {
    const text = source.slice(at, end);
    for (const char of text) if (char === "\n") line++;
    at = end;
    return text;
  };
  const template = (): void => {
    const end = templateEnd(source, at);
    add("template", source.slice(at, end.at));
    skipTo(end.at + (end.hole ? 2 : 1));
    if (end.hole) holes.push(0);
  };
  while (at < source.length) {
    const char = source[at] ?? "";
    const pair = source.slice(at, at + 2);
    if (pair === "//") skipTo(orEnd(source.indexOf("\n", at), source));
    else if (pair === "/*") skipTo(orEnd(source.indexOf("*/", at + 2) + 2, source));
    else if (/\s/.test(char)) skipTo(at + 1);
    else if (char === '"' || char === "'") {
      const end = quoteEnd(source, at);
      add("string", source.slice(at + 1, end));
      skipTo(end + 1);
    } else if (char === "`") {
      at++;
      template();
    } else if (char === "}" && holes.at(-1) === 0) {
      holes.pop();
      at++;
      template();
    } else if (/[\w$#@]/.test(char)) {
      const word = /^[\w$#@]+/.exec(source.slice(at, at + 200))?.[0] ?? char;
      add(/^\d/.test(word) ? "number" : "word", word);
      at += word.length;
    } else if (char === "/" && regexMayBegin(tokens.at(-1))) {
      const end = regexEnd(source, at);
      add("regex", skipTo(end));
    } else {
      const text = PUNCTUATION.find((mark) => source.startsWith(mark, at)) ?? char;
      if (holes.length > 0 && (char === "{" || char === "}")) holes.push((holes.pop() ?? 0) + (char === "{" ? 1 : -1));
      add("punct", text);
      at += text.length;
    }
  }
  return tokens;
}

function orEnd(index: number, source: string): number {
  return index < 2 ? source.length : index;
}

function quoteEnd(source: string, from: number): number {
  let at = from + 1;
  while (at < source.length && source[at] !== source[from] && source[at] !== "\n") at += source[at] === "\\" ? 2 : 1;
  return at;
}

function templateEnd(source: string, from: number): { at: number; hole: boolean } {
  let at = from;
  while (at < source.length && source[at] !== "`") {
    if (source.startsWith("${", at)) return { at, hole: true };
    at += source[at] === "\\" ? 2 : 1;
  }
  return { at, hole: false };
}

function regexMayBegin(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === "word") return BEFORE_REGEX.has(before.text);
  return before.kind === "punct" && before.text !== ")" && before.text !== "]" && before.text !== "}";
}

function regexEnd(source: string, from: number): number {
  let inClass = false;
  let at = from + 1;
  while (at < source.length && source[at] !== "\n" && (inClass || source[at] !== "/")) {
    if (source[at] === "[") inClass = true;
    else if (source[at] === "]") inClass = false;
    at += source[at] === "\\" ? 2 : 1;
  }
  at++;
  while (/[a-z]/.test(source[at] ?? "")) at++;
  return at;
}
