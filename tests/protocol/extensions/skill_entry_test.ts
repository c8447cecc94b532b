import assert from "node:assert/strict";
import { skillFault } from "../../../protocol/extensions/skill_entry.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

function file(path: string, size = 1) {
  return { uri: `skill://acme/refunds/${path}`, digest: DIGEST, size };
}

const ENTRY = {
  uri: "skill://acme/refunds/SKILL.md",
  frontmatter: { name: "refunds", description: "Pays back" } as Record<string, unknown>,
  resources: [file("SKILL.md"), file("a/b%20c.md", 0)] as unknown,
};

function withFront(members: Record<string, unknown>) {
  return { ...ENTRY, frontmatter: { ...ENTRY.frontmatter, ...members } };
}

function named(name: string) {
  return { ...withFront({ name }), uri: `skill://acme/${name}/SKILL.md`, resources: "dynamic" };
}

const GOOD: readonly (readonly [string, unknown])[] = [
  ["a list", ENTRY],
  ["dynamic", { ...ENTRY, resources: "dynamic" }],
  ["more members", { ...ENTRY, _meta: { "x/y": 1 }, later: true }],
  [
    "all of the frontmatter",
    withFront({ license: "MIT", compatibility: "x".repeat(500), metadata: { a: "b" }, "allowed-tools": "Read", x: [1] }),
  ],
  ["the longest name", named("a".repeat(64))],
  ["a name of digits", named("2-fast-4u")],
  ["the longest description", withFront({ description: "🦊".repeat(1024) })],
  ["another scheme", { ...ENTRY, uri: "file:///srv/refunds/SKILL.md", resources: "dynamic" }],
  ["other spellings", { ...ENTRY, resources: [{ ...file("x"), uri: "SKILL://acme/refunds/%53KILL.md" }] }],
  ["a skill within it", { ...ENTRY, resources: [file("SKILL.md"), file("inner/SKILL.md")] }],
];

const FAULTY: readonly (readonly [string, unknown, RegExp])[] = [
  ["nothing", undefined, /^Expected an object/],
  ["a list", [], /^Expected an object/],
  ["no uri", { ...ENTRY, uri: undefined }, /^uri: /],
  ["a number as uri", { ...ENTRY, uri: 1 }, /^uri: /],
  ["another file", { ...ENTRY, uri: "skill://acme/refunds/README.md" }, /^uri: /],
  ["no directory", { ...ENTRY, uri: "skill://SKILL.md" }, /^uri: /],
  ["a query", { ...ENTRY, uri: "skill://acme/refunds/SKILL.md?x" }, /^uri: /],
  ["a URI that climbs", { ...ENTRY, uri: "skill://acme/x/../refunds/SKILL.md" }, /^uri: /],
  ["no frontmatter", { ...ENTRY, frontmatter: undefined }, /^frontmatter: /],
  ["a list as frontmatter", { ...ENTRY, frontmatter: [] }, /^frontmatter: /],
  ["meta that is a text", { ...ENTRY, _meta: "x" }, /^_meta: /],
  ["no name", withFront({ name: undefined }), /^frontmatter\.name: /],
  ["another name than the directory's", withFront({ name: "refund" }), /^frontmatter\.name: .*directory/],
  ["a name too long", named("a".repeat(65)), /^frontmatter\.name: /],
  ["a name in capitals", named("Refunds"), /^frontmatter\.name: /],
  ["a name with two hyphens", named("re--funds"), /^frontmatter\.name: /],
  ["a hyphen in front", named("-refunds"), /^frontmatter\.name: /],
  ["a hyphen behind", named("refunds-"), /^frontmatter\.name: /],
  ["a name with a line break", { ...named("a"), frontmatter: { name: "a\n", description: "x" } }, /^frontmatter\.name: /],
  ["an inherited name", { ...ENTRY, frontmatter: Object.create(ENTRY.frontmatter) }, /^frontmatter\.name: /],
  ["no description", withFront({ description: undefined }), /^frontmatter\.description: /],
  ["an empty description", withFront({ description: "" }), /^frontmatter\.description: /],
  ["a description too long", withFront({ description: "🦊".repeat(1025) }), /^frontmatter\.description: /],
  ["a description that is a number", withFront({ description: 1 }), /^frontmatter\.description: /],
  ["a compatibility too long", withFront({ compatibility: "x".repeat(501) }), /^frontmatter\.compatibility: /],
  ["metadata with a number", withFront({ metadata: { version: 1 } }), /^frontmatter\.metadata: /],
  ["metadata that is a list", withFront({ metadata: ["a"] }), /^frontmatter\.metadata: /],
  ["SKILL.md not among the files", { ...ENTRY, resources: [file("a.md")] }, /^resources: .*SKILL\.md/],
  ["no files", { ...ENTRY, resources: [] }, /^resources: .*SKILL\.md/],
  ["a file that is none", { ...ENTRY, resources: [file("SKILL.md"), null] }, /^resources\[1\]: /],
  ["a file twice", { ...ENTRY, resources: [file("SKILL.md"), file("a.md"), file("%61.md")] }, /^resources\[2\]\.uri: .*once/],
  [
    "a file elsewhere",
    { ...ENTRY, resources: [file("SKILL.md"), { ...file("x"), uri: "skill://acme/refundsx/a" }] },
    /^resources\[1\]\.uri: /,
  ],
  [
    "a file of another origin",
    { ...ENTRY, resources: [file("SKILL.md"), { ...file("x"), uri: "https://acme/refunds/a" }] },
    /within/,
  ],
  ["the directory itself", { ...ENTRY, resources: [file("SKILL.md"), { ...file("x"), uri: "skill://acme/refunds" }] }, /within/],
  ["a file that climbs", { ...ENTRY, resources: [file("SKILL.md"), file("../x")] }, /^resources\[1\]\.uri: /],
  ["a fragment", { ...ENTRY, resources: [file("SKILL.md"), file("x#y")] }, /^resources\[1\]\.uri: /],
  ["no size", { ...ENTRY, resources: [{ ...file("SKILL.md"), size: undefined }] }, /^resources\[0\]\.size: /],
  ["a size below 0", { ...ENTRY, resources: [file("SKILL.md", -1)] }, /^resources\[0\]\.size: /],
  ["half a byte", { ...ENTRY, resources: [file("SKILL.md", 0.5)] }, /^resources\[0\]\.size: /],
];

for (const [what, value] of GOOD) {
  Deno.test(`skillFault finds nothing wrong with an entry: ${what}`, () => assert.equal(skillFault(value), undefined));
}

for (const [what, value, fault] of FAULTY) {
  Deno.test(`skillFault names the fault of an entry: ${what}`, () => assert.match(skillFault(value) ?? "nothing", fault));
}

Deno.test("skills 08 skillFault refuses an entry whose resources are missing, null, another text or an object", () => {
  for (const resources of [undefined, null, "static", "", {}, 1, true]) {
    assert.match(skillFault({ ...ENTRY, resources }) ?? "nothing", /^resources: Expected a list of files or "dynamic"/);
  }
  const { resources: _, ...without } = ENTRY;
  assert.match(skillFault(without) ?? "nothing", /^resources: /);
});

Deno.test("skills 10 skillFault refuses a digest in capitals, of another length and of another algorithm", () => {
  const digests = [
    DIGEST.toUpperCase(),
    `sha256:${"AB".repeat(32)}`,
    "sha256:00",
    `sha512:${"0".repeat(64)}`,
    `${DIGEST}\n`,
    "0".repeat(64),
    "",
    1,
  ];
  for (const digest of digests) {
    const fault = skillFault({ ...ENTRY, resources: [{ ...file("SKILL.md"), digest }] });
    assert.match(fault ?? "nothing", /^resources\[0\]\.digest: /, String(digest));
  }
});

Deno.test("skills 19 skillFault takes 512 files and 16 MiB, and neither one file nor one byte more", () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => file(at === 0 ? "SKILL.md" : `${at}.md`, 0));
  assert.equal(skillFault({ ...ENTRY, resources: files(512) }), undefined);
  assert.match(skillFault({ ...ENTRY, resources: files(513) }) ?? "nothing", /^resources: .*512/);
  const sized = (size: number) => ({ ...ENTRY, resources: [file("SKILL.md", 10), file("a", size)] });
  assert.equal(skillFault(sized(16_777_206)), undefined);
  assert.match(skillFault(sized(16_777_207)) ?? "nothing", /^resources: .*16777216/);
  assert.match(skillFault(sized(Number.MAX_SAFE_INTEGER)) ?? "nothing", /^resources: .*16777216/);
});
