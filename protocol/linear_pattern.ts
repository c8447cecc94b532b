/** Regular expressions whose matching takes time in proportion to the text. */
import { PATTERN_LIMITS } from "./limits.ts";

/** Repetitions from which a bounded quantifier counts as an unbounded one. */
const MANY = 100;

/** Characters in which `{n,m}` is looked for. */
const BOUNDS_LENGTH = 32;

/**
 * Says whether a pattern is matched in time that grows at most in proportion to the text: it has no quantifier without
 * bound, or begins with `^`, has no alternatives and one such quantifier; and what is bounded can be taken in few ways. `\s+$` and
 * `a*a*b` take quadratic time and more, `(a{0,9}){9}` a thousand million steps for each place of the text.
 *
 * @param pattern The pattern, in the syntax of ECMA-262.
 * @returns Whether it may be run on text of any length that a stranger gave.
 */
export function takesLinearTime(pattern: string): boolean {
  let unbounded = 0;
  let alternatives = false;
  // By open group: in how many ways the part of its alternative so far can be taken, and the alternatives before.
  const groups = [{ now: 1, before: 0 }];
  for (let at = 0; at < pattern.length;) {
    const char = pattern[at] as string;
    const group = groups[groups.length - 1] as { now: number; before: number };
    let ways = 1;
    if (char === "(") {
      groups.push({ now: 1, before: 0 });
      at += 1;
      continue;
    } else if (char === "|") {
      alternatives = true;
      group.before += group.now;
      group.now = 1;
      at += 1;
      continue;
    } else if (char === ")" && groups.length > 1) {
      groups.pop();
      ways = group.before + group.now;
      at += 1;
    } else at = char === "[" ? endOfClass(pattern, at) + 1 : at + (char === "\\" ? 2 : 1);
    const quantifier = readQuantifier(pattern, at);
    if (quantifier?.unbounded === true) unbounded++;
    const around = groups[groups.length - 1] as { now: number };
    around.now *= quantifier === undefined || quantifier.unbounded ? ways : waysOf(ways, quantifier);
    at = quantifier?.end ?? at;
  }
  const [all] = groups;
  return (unbounded === 0 || (unbounded === 1 && pattern.startsWith("^") && !alternatives)) &&
    groups.length === 1 && all !== undefined && all.before + all.now <= PATTERN_LIMITS.ways;
}

interface Quantifier {
  readonly min: number;
  readonly max: number;
  readonly unbounded: boolean;
  readonly end: number;
}

function readQuantifier(pattern: string, at: number): Quantifier | undefined {
  const char = pattern[at];
  if (char === "?") return { min: 0, max: 1, unbounded: false, end: at + 1 };
  if (char === "*" || char === "+") return { min: 0, max: Infinity, unbounded: true, end: at + 1 };
  const bounds = char === "{" ? /^\{(\d+)(,(\d*))?\}/.exec(pattern.slice(at, at + BOUNDS_LENGTH)) : null;
  if (bounds === null) return undefined;
  const min = Number(bounds[1]);
  const max = bounds[2] === undefined ? min : bounds[3] === "" ? Infinity : Number(bounds[3]);
  return { min, max, unbounded: max !== min && max > MANY, end: at + bounds[0].length };
}

/** In how many ways a part that can be taken in so many ways can be taken so often. */
function waysOf(ways: number, { min, max }: Quantifier): number {
  if (ways === 1) return max - min + 1;
  let all = 0;
  for (let times = min; times <= max && all <= PATTERN_LIMITS.ways; times++) all += ways ** times;
  return all;
}

function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  while (at < pattern.length && pattern[at] !== "]") at += pattern[at] === "\\" ? 2 : 1;
  return at;
}
