import assert from "node:assert/strict";
import { frontmatterDifference, readFrontmatter } from "../../../protocol/extensions/skill_frontmatter.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import { createRandom, mutateText, type Random, randomText } from "../../../scripts/fuzz/random.ts";

function read(yaml: string, common = false): JsonObject {
  return readFrontmatter(`---\n${yaml}\n---\nBody\n`, { common });
}

/** Read by everybody in the same way. */
const COMMON: readonly (readonly [string, string, unknown])[] = [
  ["yes and on are text", "a: yes\nb: on\nc: No\nd: y", { a: "yes", b: "on", c: "No", d: "y" }],
  ["booleans", "a: true\nb: False\nc: TRUE", { a: true, b: false, c: true }],
  ["numbers", "a: 1.10\nb: +12\nc: .5\nd: 1e3\ne: -0\nf: 1_000", { a: 1.1, b: 12, c: 0.5, d: 1000, e: 0, f: "1_000" }],
  ["octal and hexadecimal", "a: 0o17\nb: 017\nc: 0x1F\nd: 0b11", { a: 15, b: 17, c: 31, d: "0b11" }],
  ["dates and versions are text", "a: 2026-07-28\nb: 1.2.3\nc: 12:30:45", { a: "2026-07-28", b: "1.2.3", c: "12:30:45" }],
  ["null", "a: ~\nb:\nc: null\nd: Null\ne: nUll", { a: null, b: null, c: null, d: null, e: "nUll" }],
  ["quoted", `a: "1"\nb: 'it''s'\nc: "\\u00e9\\n\\x41\\t"\nd: ""`, { a: "1", b: "it's", c: "é\nA\t", d: "" }],
  ["literal blocks", "a: |\n  one\n   two\n\n  three\nb: |-\n  x\nc: |+\n  y\n\nd: 1", {
    a: "one\n two\n\nthree\n",
    b: "x",
    c: "y\n\n",
    d: 1,
  }],
  ["folded blocks", "a: >\n  one\n  two\n\n  three\nb: >-\n  x\n  y", { a: "one two\nthree\n", b: "x y" }],
  ["plain text over lines", "a: one\n  two\n\n  three", { a: "one two\nthree" }],
  ["lists and maps", "a:\n- 1\n- b: 2\n  c: 3\n-\n  - x\nd:\n  e: f", { a: [1, { b: 2, c: 3 }, ["x"]], d: { e: "f" } }],
  ["brackets", "a: [1, two, 'three', [4]]\nb: {c: d, e: {f: 1}}\ng: []\nh: {}", {
    a: [1, "two", "three", [4]],
    b: { c: "d", e: { f: 1 } },
    g: [],
    h: {},
  }],
  ["comments", "# first\na: 1 # one\n\n  # indented\nb: x#y", { a: 1, b: "x#y" }],
  ["unicode", "a: grüße 🦊 中\nü: ok", { a: "grüße 🦊 中", ü: "ok" }],
  ["keys", `"a b": 1\n'c': 2\n? d\n`.replace("? d\n", "d e: 3"), { "a b": 1, c: 2, "d e": 3 }],
  ["keys that objects have", "constructor: 1\ntoString: 2\nhasOwnProperty: 3", {
    constructor: 1,
    toString: 2,
    hasOwnProperty: 3,
  }],
  ["a merge key is a key", "<<: {a: 1}", { "<<": { a: 1 } }],
];

/** Read in the one way of YAML 1.2, and not published. */
const UNCOMMON: readonly (readonly [string, string, unknown])[] = [
  ["quotes over lines", "a: 'one\n  two'", { a: "one two" }],
  ["double quotes over lines", 'a: "one\n  two"', { a: "one two" }],
  ["brackets over lines", "a: [1,\n  2]", { a: [1, 2] }],
  ["braces over lines", "a: {b: 1,\n  c: 2}", { a: { b: 1, c: 2 } }],
  ["an explicit key", "? a\n: b", { a: "b" }],
  ["an indentation indicator", "a: |2\n   x", { a: " x\n" }],
  ["members without a value", "a: {b, c}", { a: { b: null, c: null } }],
  ["a pair in a list", "a: [b: c]", { a: [{ b: "c" }] }],
  ["a plain value over lines in brackets", "a: [b\n  c]", { a: ["b c"] }],
  ["a colon on the next line", "z: |\n  one\n\na\n  : b : c", { z: "one\n", a: { b: "c" } }],
  ["a blank between quotes and colon", "'a' : b", { a: "b" }],
  ["a colon without a blank in braces", "a: {b:[1]}", { a: { b: [1] } }],
  ["a question mark in front", "a: ?b\n?c: d", { a: "?b", "?c": "d" }],
  ["a tab where a line begins", "a: b\n \tc", { a: "b c" }],
  ["an integer beyond JSON's", "a: 9007199254740993", { a: 9007199254740992 }],
  ["an unusual line break", "a: x\u2028y", { a: "x\u2028y" }],
];

/** Read by nobody here. */
const REFUSED: readonly (readonly [string, string])[] = [
  ["an anchor", "a: &x 1"],
  ["an alias", "a: &x 1\nb: *x"],
  ["a tag", "a: !!str 1"],
  ["a tag of one's own", "a: !x 1"],
  ["a key twice", "a: 1\nb: 2\na: 3"],
  ["a key twice, written otherwise", "a: 1\n'a': 2"],
  ["a key twice below", "x:\n  a: 1\n  a: 2"],
  ["a key twice in braces", "x: {a: 1, a: 2}"],
  ["a number as key", "1: x"],
  ["true as key", "true: x"],
  ["null as key", "~: x"],
  ["a list as key", "? [a]\n: x"],
  ["__proto__", "__proto__: {a: 1}"],
  ["__proto__ in quotes below", `a:\n  "__proto__": 1`],
  ["infinity", "a: .inf"],
  ["minus infinity", "a: -.INF"],
  ["no number", "a: .nan"],
  ["a number beyond the largest", "a: 1e999"],
  ["half a surrogate pair", 'a: "\\ud800"'],
  ["a document of its own", "a: 1\n...\nb: 2"],
  ["a directive", "%YAML 1.1"],
  ["tabs as indentation", "a:\n\tb: 1"],
  ["a list", "- a"],
  ["text", "just text"],
  ["nothing", ""],
  ["a comment alone", "# nothing"],
  ["two colons", "a: b: c"],
  ["text behind quotes", `a: "b" c`],
  ["brackets that stay open", "a: [1"],
  ["a quote that stays open", "a: 'b"],
  ["a quote that stays open behind an escaped one", 'a: "b\\"\nc: 1'],
  ["a control character", "a: \u0007"],
  ["a carriage return alone", "a: 1\rb: 2"],
  ["a byte order mark inside", "a: \ufeffb"],
  ["lists too deep", `a: ${"[".repeat(33)}${"]".repeat(33)}`],
  ["blocks too deep", Array.from({ length: 40 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
  ["sequences too deep", `a:\n${"- ".repeat(5_000)}x`],
  ["brackets without end", `a: ${"[".repeat(15_000)}`],
];

for (const [what, yaml, value] of COMMON) {
  Deno.test(`skills 11 readFrontmatter reads what everybody reads alike: ${what}`, () => {
    assert.deepEqual(read(yaml), value);
    assert.deepEqual(read(yaml, true), value);
  });
}

for (const [what, yaml, value] of UNCOMMON) {
  Deno.test(`readFrontmatter reads what simple readers refuse, but not in the common subset: ${what}`, () => {
    assert.deepEqual(read(yaml), value);
    assert.throws(() => read(yaml, true), { name: "TypeError", message: /^Reading the frontmatter of SKILL\.md: line \d+: / });
  });
}

for (const [what, yaml] of REFUSED) {
  Deno.test(`readFrontmatter refuses ${what}`, () => {
    for (const common of [false, true]) {
      assert.throws(() => read(yaml, common), {
        name: "TypeError",
        message: /^Reading the frontmatter of SKILL\.md: line \d+: /,
      });
    }
  });
}

Deno.test("readFrontmatter names the line of the file", () => {
  assert.throws(() => read("a: 1\nb: &x 2"), { message: "Reading the frontmatter of SKILL.md: line 3: Expected no anchor" });
  assert.throws(() => read("a: 1\n\n\na: 2"), { message: /line 5: Expected the key a once$/ });
});

Deno.test("readFrontmatter finds its lines with a byte order mark, CRLF, blanks behind the hyphens and without a body", () => {
  const value = { a: 1, b: "x\ny\n" };
  assert.deepEqual(readFrontmatter("\ufeff---\r\na: 1\r\nb: |\r\n  x\r\n  y\r\n---\r\nBody", { common: true }), value);
  assert.deepEqual(readFrontmatter("---\na: 1\nb: |\n  x\n  y\n---", { common: true }), value);
  assert.deepEqual(readFrontmatter("--- \na: 1\nb: |\n  x\n  y\n---\t\n"), value);
  assert.deepEqual(readFrontmatter("---\na: 1\n---\n---\nb: 2\n---\n"), { a: 1 });
  assert.deepEqual(readFrontmatter("---\na: |\n  ---\n---\n"), { a: "---\n" });
  for (
    const text of ["", "a: 1", "\n---\na: 1\n---\n", "---\na: 1\n", "---\na: 1\n----\n", "--- a\n---\n", "---\n---\n", "---"]
  ) {
    assert.throws(() => readFrontmatter(text), TypeError, JSON.stringify(text));
  }
  assert.throws(() => readFrontmatter("--- \na: 1\n---\n", { common: true }), TypeError);
  assert.throws(() => readFrontmatter("---\na: 1\n--- \n", { common: true }), TypeError);
});

Deno.test("readFrontmatter takes 16 KiB and looks at no more", () => {
  const text = (length: number): string => `---\na: ${"x".repeat(length - 12)}\n---\n`;
  assert.equal(text(100).length, 100);
  assert.equal((readFrontmatter(text(16_384)).a as string).length, 16_372);
  assert.throws(() => readFrontmatter(text(16_385)), /within 16384 characters/);
  assert.throws(() => readFrontmatter(`${text(16_384).slice(0, -1)}-\n---\n`), /within 16384 characters/);
});

Deno.test("readFrontmatter keeps the order of members", () => {
  assert.equal(JSON.stringify(read("z: 1\na: {y: 1, b: 2}\nm:\n  q: 1\n  c: 2")), '{"z":1,"a":{"y":1,"b":2},"m":{"q":1,"c":2}}');
});

Deno.test("skills 11 frontmatterDifference finds each difference in both directions, and no other", () => {
  const entry = { name: "a", list: [1, { x: "ü" }], map: { b: null, c: true } };
  assert.equal(frontmatterDifference(entry, { map: { c: true, b: null }, list: [1, { x: "ü" }], name: "a" }), undefined);
  const others: readonly (readonly [JsonObject, string])[] = [
    [{ ...entry, extra: 1 }, "frontmatter.extra"],
    [{ ...entry, extra: null }, "frontmatter.extra"],
    [{ name: "a", list: entry.list }, "frontmatter.map"],
    [{ ...entry, name: 1 }, "frontmatter.name"],
    [{ ...entry, list: ["1", { x: "ü" }] }, "frontmatter.list[0]"],
    [{ ...entry, list: [{ x: "ü" }, 1] }, "frontmatter.list[0]"],
    [{ ...entry, list: [1, { x: "u\u0308" }] }, "frontmatter.list[1].x"],
    [{ ...entry, list: [1] }, "frontmatter.list"],
    [{ ...entry, map: { b: false, c: true } }, "frontmatter.map.b"],
    [{ ...entry, map: [] }, "frontmatter.map"],
    [{ ...entry, map: { b: null, c: true, toString: 1 } }, "frontmatter.map.toString"],
  ];
  for (const [other, path] of others) {
    assert.ok(
      frontmatterDifference(entry, other)?.startsWith(`${path}: `),
      `${path}, not ${frontmatterDifference(entry, other)}`,
    );
    assert.ok(frontmatterDifference(other, entry)?.startsWith(`${path}: `), `${path}, the other way round`);
  }
  const own = JSON.parse('{"__proto__":{"a":1}}') as JsonObject;
  assert.ok(frontmatterDifference(own, {}) !== undefined);
  assert.ok(frontmatterDifference({}, own) !== undefined);
});

const PIECES = [
  "a",
  "b",
  ": ",
  ":",
  "\n",
  "\n  ",
  "\n- ",
  "- ",
  "'",
  '"',
  "[",
  "]",
  "{",
  "}",
  ", ",
  "|",
  ">",
  "\n    x",
  "#",
  " # c",
  "&x",
  "*x",
  "!",
  "? ",
  "1",
  "0x",
  ".5",
  "~",
  "%",
  "@",
  "\\",
  "---",
  "...",
  "\t",
  "\r\n",
  "<<",
  "ü",
  "-",
  "|2",
  ">-",
  "__proto__",
];

function anyYaml(random: Random): string {
  let text = random.oneIn(2) ? "a: " : "";
  for (let left = random.below(14); left > 0; left--) text += random.oneIn(12) ? randomText(random, 3) : random.pick(PIECES);
  const [, known = ""] = random.pick(COMMON);
  return random.oneIn(3) ? mutateText(random, known, 3) : text;
}

Deno.test("readFrontmatter gives JSON or throws a TypeError with a line, and the common subset is part of the rest, for random text", () => {
  let good = 0;
  for (let index = 0; index < 4_000; index++) {
    const yaml = anyYaml(createRandom(2641, index));
    const [all, common] = [false, true].map((common) => {
      try {
        return JSON.stringify(read(yaml, common));
      } catch (error) {
        assert.ok(
          error instanceof TypeError && error.message.startsWith("Reading the frontmatter of SKILL.md: "),
          JSON.stringify(yaml),
        );
        return undefined;
      }
    });
    if (common !== undefined) {
      good++;
      assert.equal(all, common, JSON.stringify(yaml));
      assert.equal(frontmatterDifference(JSON.parse(common), read(yaml)), undefined, JSON.stringify(yaml));
    }
  }
  assert.ok(good > 200, `${good} of the random texts were read`);
});
