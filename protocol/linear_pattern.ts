/** Regular expressions whose matching takes time in proportion to the text. */
import { PATTERN_LIMITS } from "./limits.ts";

/** Repetitions from which a bounded quantifier counts as an unbounded one. */
const MANY = 100;

/** One step of a pattern, and how often it is taken: `?`; `*` or `+`; or bounds. */
const STEP = /(\\.|\[(?:\\.|[^\]\\])*\]?|[^])(?:(\?)|([*+])|\{(\d+)(?:(,)(\d*))?\})?/gs;

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
  const groups: [now: number, before: number][] = [[1, 0]];
  let group = groups[0] as [number, number];
  for (const [, step, optional, endless, low, comma, high] of pattern.matchAll(STEP)) {
    if (step === "(") {
      groups.push(group = [1, 0]);
      continue;
    }
    if (step === "|") {
      alternatives = true;
      group[1] += group[0];
      group[0] = 1;
      continue;
    }
    let ways = 1;
    if (step === ")" && groups.length > 1) {
      ways = group[0] + group[1];
      groups.pop();
      group = groups[groups.length - 1] as [number, number];
    }
    const min = optional === undefined ? Number(low ?? 1) : 0;
    const max = comma === undefined ? optional === undefined ? min : 1 : high === "" ? Infinity : Number(high);
    if (endless !== undefined || (max !== min && max > MANY)) {
      unbounded++;
      group[0] *= ways;
    } else group[0] *= waysOf(ways, min, max);
  }
  return (unbounded === 0 || (unbounded === 1 && pattern.startsWith("^") && !alternatives)) &&
    groups.length === 1 && group[0] + group[1] <= PATTERN_LIMITS.ways;
}

/** In how many ways a part that can be taken in so many ways can be taken so often. */
function waysOf(ways: number, min: number, max: number): number {
  let all = 0;
  for (let times = min; times <= max && all <= PATTERN_LIMITS.ways; times++) all += ways ** times;
  return all;
}
