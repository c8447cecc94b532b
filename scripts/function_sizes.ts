/** Finds the bodies of functions in a token list and measures them. */

import type { Token } from "./source_tokens.ts";

/** After these words a parenthesis belongs to a statement, not to a function. */
const STATEMENTS = new Set(["if", "for", "while", "switch", "catch", "with", "await"]);
/** After these a brace opens a type, not a body. */
const BEFORE_TYPE = new Set([":", "|", "&", "<", ",", "extends", "keyof", "is", "?", "(", "["]);

/** The functions with more than `most` lines: the line of the body's brace, and its length. */
export function longFunctions(tokens: readonly Token[], most: number): { line: number; length: number }[] {
  const found: { line: number; length: number }[] = [];
  const open: { body: boolean; line: number }[] = [];
  const calls: string[] = [];
  /** After `)` of what may be a parameter list: reading on until its body or something that rules it out. */
  let pending = false;
  for (const [at, { kind, text, line }] of tokens.entries()) {
    if (kind !== "punct") continue;
    const before = tokens[at - 1]?.text ?? "";
    if (text === "(") calls.push(before);
    else if (text === ")") pending = !STATEMENTS.has(calls.pop() ?? "");
    else if (text === ";" || text === "=") pending = false;
    else if (text === "{") {
      const type = BEFORE_TYPE.has(before);
      const body = before === "=>" || (pending && !type);
      open.push({ body, line });
      if (!type) pending = false;
    } else if (text === "}") {
      const start = open.pop();
      if (start?.body && line - start.line + 1 > most) found.push({ line: start.line, length: line - start.line + 1 });
    }
  }
  return found;
}
