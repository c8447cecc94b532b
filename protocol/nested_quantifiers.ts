/** Regular expressions whose matching may take exponential time. */

/** What a part of a pattern may repeat. */
interface Group {
  /** Contains a part whose number of repetitions varies, such as `a?` or `a{1,3}`. */
  varies: boolean;
  /** Contains a part that repeats without bound. */
  unbounded: boolean;
  /** The first character of each alternative; "" for anything but a literal. */
  readonly heads: string[];
  /** Whether the next part is the first one of its alternative. */
  atHead: boolean;
}

/** Repetitions of a group from which a part of varying length within it is taken for a danger. */
const MANY = 10;

/** Characters in which `{n,m}` is looked for, so that many open braces cost no quadratic search. */
const BOUNDS_LENGTH = 32;

/**
 * Says whether a pattern repeats something that itself repeats or has overlapping alternatives, such as `(a+)+`, `(a|a)*` or
 * `(a?b?)*`: such patterns can take time that grows exponentially with the text. It errs on the safe side, and takes time
 * linear in the pattern.
 *
 * @param pattern The pattern, in the syntax of ECMA-262.
 * @returns Whether the pattern should not be run on text of a stranger.
 */
export function hasNestedQuantifiers(pattern: string): boolean {
  const stack: Group[] = [newGroup()];
  let last: Group | undefined;
  for (let at = 0; at < pattern.length;) {
    const char = pattern[at] as string;
    const group = stack[stack.length - 1] as Group;
    const quantifier = readQuantifier(pattern, at);
    if (quantifier !== undefined) {
      if (last !== undefined && isDangerous(last, quantifier.max)) return true;
      if (quantifier.min !== quantifier.max) group.varies = true;
      if (quantifier.max === Infinity) group.unbounded = true;
      last = undefined;
      at = quantifier.end;
    } else if (char === "(") {
      noteHead(group, "");
      stack.push(newGroup());
      last = undefined;
      at = afterGroupStart(pattern, at);
    } else if (char === ")") {
      if (group.atHead) group.heads.push("");
      last = stack.length > 1 ? stack.pop() as Group : undefined;
      const outer = stack[stack.length - 1] as Group;
      if (last?.varies || (last?.heads.length ?? 0) > 1) outer.varies = true;
      if (last?.unbounded) outer.unbounded = true;
      at++;
    } else if (char === "|") {
      if (group.atHead) group.heads.push("");
      group.atHead = true;
      last = undefined;
      at++;
    } else {
      const end = char === "[" ? afterClass(pattern, at) : char === "\\" ? at + 2 : at + 1;
      noteHead(group, char === "[" || char === "\\" || char === "." ? "" : char);
      last = undefined;
      at = end;
    }
  }
  return false;
}

function newGroup(): Group {
  return { varies: false, unbounded: false, heads: [], atHead: true };
}

function noteHead(group: Group, head: string): void {
  if (group.atHead) group.heads.push(head);
  group.atHead = false;
}

function isDangerous(group: Group, max: number): boolean {
  if (max < 2) return false;
  if (group.unbounded) return true;
  const { heads } = group;
  const overlapping = heads.length > 1 && (heads.includes("") || new Set(heads).size < heads.length);
  return max >= MANY && (group.varies || overlapping);
}

function readQuantifier(pattern: string, at: number): { min: number; max: number; end: number } | undefined {
  const char = pattern[at];
  let end = at + 1;
  let [min, max] = [0, Infinity];
  if (char === "?") max = 1;
  else if (char === "+") min = 1;
  else if (char === "{") {
    const bounds = pattern.slice(at + 1, at + BOUNDS_LENGTH);
    const close = bounds.indexOf("}");
    const [low = "", high] = close < 0 ? [""] : bounds.slice(0, close).split(",");
    if (!isDigits(low) || (high !== undefined && high !== "" && !isDigits(high))) return undefined;
    min = Number(low);
    max = high === undefined ? min : high === "" ? Infinity : Number(high);
    end = at + close + 2;
  } else if (char !== "*") return undefined;
  return { min, max, end: pattern[end] === "?" ? end + 1 : end };
}

function isDigits(text: string): boolean {
  return text !== "" && [...text].every((char) => char >= "0" && char <= "9");
}

/** Skips `(`, `(?:`, `(?=`, `(?!`, `(?<=`, `(?<!` and `(?<name>`. */
function afterGroupStart(pattern: string, at: number): number {
  if (pattern[at + 1] !== "?") return at + 1;
  if (pattern[at + 2] !== "<") return at + 3;
  if (pattern[at + 3] === "=" || pattern[at + 3] === "!") return at + 4;
  const close = pattern.indexOf(">", at);
  return close < 0 ? pattern.length : close + 1;
}

function afterClass(pattern: string, at: number): number {
  for (let end = at + 1; end < pattern.length; end++) {
    if (pattern[end] === "\\") end++;
    else if (pattern[end] === "]") return end + 1;
  }
  return pattern.length;
}
