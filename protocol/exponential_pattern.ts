/** Regular expressions that may take time that grows exponentially with the text. */
import { PATTERN_LIMITS } from "./limits.ts";
import { hasNestedQuantifiers } from "./nested_quantifiers.ts";
import { type PatternNode, readPattern } from "./pattern_tree.ts";

/** Repetitions from which a bounded quantifier is taken for one without bound. */
const MANY = 10;

const { copies: COPIES, places: PLACES, steps: STEPS } = PATTERN_LIMITS;

/**
 * Says whether a backtracking engine may take exponential time for a pattern: it has a loop in which one text can be matched
 * in two ways, as `(a+)+`, `(a|a)*` and `(\w+\s?)*` have. `([a-z][a-z-]*\.)+` has none: every turn ends at a dot, and
 * nowhere else. Patterns with back-references in loops, and those that are too large to tell, count as exponential.
 *
 * @param pattern A pattern that compiles, in the syntax of ECMA-262.
 * @returns Whether it should not be run on text of a stranger.
 */
export function isExponential(pattern: string): boolean {
  if (!hasNestedQuantifiers(pattern)) return false;
  const trees = [readPattern(pattern)];
  for (const tree of trees) {
    const machine: Machine = { sets: [], follow: [], looks: trees, broken: false };
    build(machine, tree);
    if (machine.broken || isAmbiguousInLoop(machine)) return true;
  }
  return false;
}

/** A pattern without steps that take nothing: each place takes a character, and is followed by others. */
interface Machine {
  readonly sets: bigint[];
  /** By place: those that can follow, each with the number of ways, 2 for more than one. */
  readonly follow: Map<number, number>[];
  /** Trees of what looks ahead or back, to be looked at by themselves. */
  readonly looks: PatternNode[];
  broken: boolean;
}

/** A part of a machine: with which places it may begin and end, and in how many ways it may be empty. */
interface Part {
  readonly first: ReadonlyMap<number, number>;
  readonly last: ReadonlyMap<number, number>;
  readonly empty: number;
}

const EMPTY: Part = { first: new Map(), last: new Map(), empty: 1 };

function build(machine: Machine, node: PatternNode): Part {
  if (machine.broken) return EMPTY;
  switch (node.kind) {
    case "set":
      return place(machine, node.set);
    case "row":
      return node.parts.reduce<Part>((before, part) => inRow(machine, before, build(machine, part)), EMPTY);
    case "choice":
      return node.parts.map((part) => build(machine, part)).reduce((one, other) => ({
        first: sum(one.first, other.first, 1),
        last: sum(one.last, other.last, 1),
        empty: one.empty + other.empty,
      }));
    case "look":
      machine.looks.push(node.part);
      return EMPTY;
    case "back":
      machine.broken = true;
      return EMPTY;
    case "repeat":
      return repeat(machine, node.part, node.min, node.max);
  }
}

function place(machine: Machine, set: bigint): Part {
  const at = machine.sets.length;
  if (at >= PLACES) machine.broken = true;
  machine.sets.push(set);
  machine.follow.push(new Map());
  const self = new Map([[at, 1]]);
  return { first: self, last: self, empty: 0 };
}

function repeat(machine: Machine, node: PatternNode, min: number, max: number): Part {
  if (max === 0) return EMPTY;
  const copies = max === Infinity ? min : max;
  if (copies >= (node.kind === "set" ? COPIES : MANY)) {
    const part = build(machine, node);
    // (a?){30}: any of the turns that must be taken may be the empty ones.
    if (part.empty > 0 && min >= MANY) machine.broken = true;
    return loop(machine, part, min === 0);
  }
  let all = EMPTY;
  for (let at = 0; at < min; at++) all = inRow(machine, all, build(machine, node));
  if (max === Infinity) return inRow(machine, all, loop(machine, build(machine, node), true));
  // a{0,3} is (a(a(a)?)?)?: after one that is left out there is no further one.
  let rest: Part = EMPTY;
  for (let at = min; at < max; at++) {
    const more = inRow(machine, build(machine, node), rest);
    rest = { ...more, empty: 1 };
  }
  return inRow(machine, all, rest);
}

function loop(machine: Machine, part: Part, mayBeEmpty: boolean): Part {
  link(machine, part.last, part.first);
  return { ...part, empty: mayBeEmpty ? 1 : part.empty };
}

function inRow(machine: Machine, before: Part, after: Part): Part {
  link(machine, before.last, after.first);
  return {
    first: sum(before.first, after.first, before.empty),
    last: sum(after.last, before.last, after.empty),
    empty: Math.min(2, before.empty * after.empty),
  };
}

function link(machine: Machine, from: ReadonlyMap<number, number>, to: ReadonlyMap<number, number>): void {
  for (const [before, ways] of from) {
    const next = machine.follow[before] as Map<number, number>;
    for (const [after, more] of to) next.set(after, Math.min(2, (next.get(after) ?? 0) + ways * more));
  }
}

function sum(one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>, times: number): ReadonlyMap<number, number> {
  if (times === 0) return one;
  const all = new Map(one);
  for (const [at, ways] of other) all.set(at, Math.min(2, (all.get(at) ?? 0) + ways * times));
  return all;
}

/**
 * Two different ways from a place back to it that take the same text: found as a pair of different places that is reached
 * from a pair of equal ones, and leads back to such a pair, all within one loop.
 */
function isAmbiguousInLoop(machine: Machine): boolean {
  const loops = loopsOf(machine);
  const within = (from: number, to: number): boolean => loops[from]?.has(to) === true && loops[to]?.has(from) === true;
  const size = machine.sets.length;
  const before = new Map<number, number[]>();
  const reached: number[] = [];
  for (let at = 0; at < size; at++) {
    if (!within(at, at)) continue;
    reached.push(at * size + at);
    before.set(at * size + at, []);
    for (const [next, ways] of machine.follow[at] ?? []) if (ways > 1 && within(at, next)) return true;
  }
  const targets = [...reached];
  let steps = 0;
  for (const pair of reached) {
    const [one, other] = [Math.floor(pair / size), pair % size];
    for (const nextOne of machine.follow[one]?.keys() ?? []) {
      if (!within(one, nextOne)) continue;
      for (const nextOther of machine.follow[other]?.keys() ?? []) {
        if (++steps > STEPS) return true;
        if (((machine.sets[nextOne] as bigint) & (machine.sets[nextOther] as bigint)) === 0n || !within(other, nextOther)) {
          continue;
        }
        const next = Math.min(nextOne, nextOther) * size + Math.max(nextOne, nextOther);
        const known = before.get(next);
        if (known !== undefined) {
          known.push(pair);
          continue;
        }
        before.set(next, [pair]);
        reached.push(next);
      }
    }
  }
  const back = new Set(targets);
  for (const pair of back) {
    for (const previous of before.get(pair) ?? []) {
      if (Math.floor(previous / size) !== previous % size) return true;
      back.add(previous);
    }
  }
  return false;
}

/** By place: all that it leads to. */
function loopsOf({ follow }: Machine): readonly ReadonlySet<number>[] {
  return follow.map((next) => {
    const seen = new Set(next.keys());
    for (const at of seen) for (const further of follow[at]?.keys() ?? []) seen.add(further);
    return seen;
  });
}
