/** Regular expressions whose matching takes time in proportion to the text. */

/** Repetitions from which a bounded quantifier counts as an unbounded one. */
const MANY = 100;

/**
 * Says whether a pattern is matched in time that grows at most in proportion to the text: it has no quantifier without
 * bound, or begins with `^`, has no alternatives and one such quantifier. `\s+$` and `a*a*b` take quadratic time and more.
 *
 * @param pattern The pattern, in the syntax of ECMA-262.
 * @returns Whether it may be run on text of any length that a stranger gave.
 */
export function takesLinearTime(pattern: string): boolean {
  let unbounded = 0;
  let alternatives = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at++;
    else if (char === "[") at = endOfClass(pattern, at);
    else if (char === "*" || char === "+") unbounded++;
    else if (char === "{" && isUnbounded(pattern.slice(at, at + 32))) unbounded++;
    else if (char === "|") alternatives = true;
  }
  return unbounded === 0 || (unbounded === 1 && pattern.startsWith("^") && !alternatives);
}

function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  while (at < pattern.length && pattern[at] !== "]") at += pattern[at] === "\\" ? 2 : 1;
  return at;
}

function isUnbounded(text: string): boolean {
  const bounds = /^\{\d+(,(\d*))?\}/.exec(text);
  if (bounds === null || bounds[1] === undefined) return false;
  return bounds[2] === "" || Number(bounds[2]) > MANY;
}
