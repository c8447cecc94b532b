/** Seeded numbers, text and JSON for fuzzing: the same input for the same seed and number, everywhere. */

/** A seeded generator. */
export interface Random {
  /** An integer from 0 up to, but not including, the bound. */
  below(bound: number): number;
  /** True in one of so many cases. */
  oneIn(cases: number): boolean;
  /** One of several values. */
  pick<T>(values: readonly T[]): T;
}

/** Creates the generator of one input. */
export function createRandom(seed: number, index: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (bound: number): number => next() % bound;
  return { below, oneIn: (cases) => below(cases) === 0, pick: (values) => values[below(values.length)] as never };
}

const CHARS = [..."abz09AZ-._~ /?#[]@!$&'()*+,;=%:{}|^\"<>\\`\n\t\r\0\u007f\u0085é中\u2028\ufeff\ufffd🦊", "\ud800", "\udc00"];

/** Text of up to so many characters, of all planes, with those that need care. */
export function randomText(random: Random, longest: number): string {
  let text = "";
  for (let left = random.below(longest + 1); left > 0; left--) text += random.pick(CHARS);
  return text;
}

const KEYS = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "length",
  "then",
  "toJSON",
  "",
  "0",
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
  "code",
  "message",
  "data",
  "_meta",
  "name",
  "uri",
  "type",
  "content",
  "text",
  "arguments",
  "resultType",
  "requestState",
  "inputRequests",
  "progressToken",
  "cursor",
  "nextCursor",
  "capabilities",
  "protocolVersion",
  "io.modelcontextprotocol/protocolVersion",
  "io.modelcontextprotocol/clientInfo",
  "io.modelcontextprotocol/clientCapabilities",
  "io.modelcontextprotocol/logLevel",
  "io.modelcontextprotocol/subscriptionId",
];

const SCALARS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  1.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  "",
  "2.0",
  "2026-07-28",
  "2025-11-25",
  "2025-06-18",
  "tools/call",
  "initialize",
  "complete",
  "input_required",
  "__proto__",
];

/** A key that objects of peers may have. */
function randomKey(random: Random): string {
  return random.oneIn(6) ? randomText(random, 6) : random.pick(KEYS);
}

/** Any JSON value, at most so deep. */
export function randomJson(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 8 : 4);
  if (kind < 3) return random.pick(SCALARS);
  if (kind === 3) return randomText(random, 12);
  const size = random.below(4);
  if (kind < 6) return Array.from({ length: size }, () => randomJson(random, depth - 1));
  return randomObject(random, depth);
}

/** Any JSON object; "__proto__" is a key like any other. */
export function randomObject(random: Random, depth: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: random.below(5) }, () => [randomKey(random), randomJson(random, depth - 1)]));
}

/** Changes a JSON value in up to so many places: members are replaced, added, taken away, renamed, moved. */
export function mutateJson(random: Random, value: unknown, changes: number): unknown {
  let changed = value;
  for (let left = random.below(changes + 1); left > 0; left--) changed = mutateOnce(random, changed);
  return changed;
}

function mutateOnce(random: Random, value: unknown): unknown {
  if (typeof value !== "object" || value === null || random.oneIn(12)) return randomJson(random, 2);
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1);
    if (at === value.length) return [...value, randomJson(random, 2)];
    return random.oneIn(4)
      ? value.filter((_, index) => index !== at)
      : value.map((one, index) => index === at ? mutateOnce(random, one) : one);
  }
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  const entry = entries[at];
  if (entry === undefined) return Object.fromEntries([...entries, [randomKey(random), randomJson(random, 2)]]);
  switch (random.below(5)) {
    case 0:
      return Object.fromEntries(entries.filter((_, index) => index !== at));
    case 1:
      return Object.fromEntries([...entries, [randomKey(random), entry[1]]]);
    default:
      return Object.fromEntries(entries.map((one, index) => index === at ? [one[0], mutateOnce(random, one[1])] : one));
  }
}

/** Changes a text in up to so many places: characters are replaced, added, taken away, doubled, cut off. */
export function mutateText(random: Random, text: string, changes: number): string {
  let changed = text;
  for (let left = random.below(changes + 1); left > 0; left--) {
    const at = random.below(changed.length + 1);
    const length = random.below(random.oneIn(4) ? 40 : 3);
    const middle = random.below(6);
    const part = changed.slice(at, at + length);
    const instead = middle === 0
      ? ""
      : middle === 1
      ? part + part
      : middle === 2
      ? changed.slice(random.below(changed.length + 1))
      : undefined;
    changed = changed.slice(0, at) + (instead ?? randomText(random, 3)) + changed.slice(at + length);
  }
  return changed;
}

/** Cuts bytes into pieces anywhere. */
export function cutBytes(random: Random, bytes: Uint8Array): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = 1 + random.below(random.oneIn(3) ? bytes.length : 4);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

/** Changes bytes in up to so many places. */
export function mutateBytes(random: Random, bytes: Uint8Array, changes: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  for (let left = random.below(changes + 1); left > 0 && changed.length > 0; left--) {
    changed[random.below(changed.length)] = random.pick([
      0x00,
      0x0a,
      0x0d,
      0x20,
      0x3a,
      0x7b,
      0x80,
      0xc3,
      0xef,
      0xff,
      random.below(256),
    ]);
  }
  return changed;
}
