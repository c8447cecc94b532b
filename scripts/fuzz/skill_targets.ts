/** Fuzz targets of skills: frontmatter, URIs and entries, which strangers write. */
import { skillFault } from "../../protocol/extensions/skill_entry.ts";
import { frontmatterDifference, readFrontmatter } from "../../protocol/extensions/skill_frontmatter.ts";
import { canonicalSkillUri, isInSkill, skillRoot } from "../../protocol/extensions/skill_uri.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { mutateJson, mutateText, randomText } from "./random.ts";
import { growth, must, sameJson, target } from "./target.ts";

const YAML = `name: a
description: >-
  folded
  text
metadata: {version: "1.0", ü: '🦊'}
x-list:
- 1.10
- [a, {b: c}, ~]
-
  - 0x1f # comment
x-literal: |
  one
    two
"quoted \\u00e9": 'it''s'
plain: over
  lines
`;

const PIECES = [
  "&a ",
  "*a",
  "!t ",
  "? ",
  ": ",
  "- ",
  "[",
  "]",
  "{",
  "}",
  "'",
  '"',
  "|2",
  ">+",
  "#",
  "---\n",
  "...\n",
  "%",
  "\t",
  "\r",
  "<<",
  ".inf",
];

function attempt(text: string, common: boolean): JsonObject | undefined {
  try {
    return readFrontmatter(text, { common });
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith("Reading the frontmatter of SKILL.md: ")) return undefined;
    throw error;
  }
}

function asFile(yaml: string): string {
  return `---\n${yaml}\n---\n`;
}

/** The frontmatter of a `SKILL.md`. */
export const FRONTMATTER = target<string>({
  name: "frontmatter",
  weight: 2,
  make(random) {
    if (random.oneIn(8)) return randomText(random, 40);
    const at = random.below(YAML.length + 1);
    const pieces = Array.from({ length: random.below(3) }, () => random.pick(PIECES)).join("");
    return mutateText(random, asFile(YAML.slice(0, at) + pieces + YAML.slice(at)), 2);
  },
  check(text) {
    const all = attempt(text, false);
    const common = attempt(text, true);
    if (common !== undefined) must(sameJson(all, common), "what is common is read alike by both");
    if (all === undefined) return;
    must(!Object.hasOwn(all, "__proto__"), "no key is __proto__");
    const sent = JSON.parse(JSON.stringify(all)) as JsonObject;
    must(frontmatterDifference(sent, all) === undefined, "what was read survives JSON");
    must(frontmatterDifference({ ...sent, more: null }, all) !== undefined, "a member more is a difference");
  },
  growth: [
    growth("many keys", (size) => asFile(Array.from({ length: size }, (_, at) => `k${at}: 1`).join("\n")), readAny, 3000),
    growth("many items in brackets", (size) => asFile(`a: [${"1, ".repeat(size)}]`), readAny, 10_000),
    growth("many items", (size) => asFile(`a:\n${"- 1\n".repeat(size)}`), readAny, 8000),
    growth("many comments", (size) => asFile(`${"#\n".repeat(size)}a: 1`), readAny, 16_000),
    growth("many blank lines", (size) => asFile(`${"\n".repeat(size)}a: 1`), readAny, 30_000),
    growth("many escapes", (size) => asFile(`a: "${"\\u0041".repeat(size)}"`), readAny, 5000),
    growth("many brackets", (size) => asFile(`a: ${"[".repeat(size)}`), readAny, 30_000),
    growth("many dashes", (size) => asFile(`a:\n${"- ".repeat(size)}`), readAny, 16_000),
    growth("many colons", (size) => asFile(`a: ${"b: ".repeat(size)}`), readAny, 10_000),
    growth("hyphens that close nothing", (size) => `---\na: |\n${"--- x\n".repeat(size)}`, readAny, 10_000),
  ],
});

function readAny(text: string): unknown {
  return attempt(text, false);
}

/** URIs of skills and their files. */
export const SKILL_URIS = target<readonly [string, string]>({
  name: "URIs of skills",
  weight: 6,
  make(random) {
    const uri = mutateText(random, "skill://acme/re%66unds/SKILL.md", 3);
    return [uri, random.oneIn(3) ? randomText(random, 20) : mutateText(random, uri, 2)];
  },
  check([uri, other]) {
    const root = skillRoot(uri);
    const form = canonicalSkillUri(uri);
    if (form !== undefined) must(canonicalSkillUri(form) === form, "a spelling stays as it is");
    if (root === undefined) return;
    must(form === `${root}/SKILL.md`, "the directory holds SKILL.md");
    must(isInSkill(root, uri), "a skill holds its SKILL.md");
    if (!isInSkill(root, other)) return;
    const path = decodeURIComponent((canonicalSkillUri(other) as string).slice(root.length + 1));
    must(path.split("/").every((one) => one !== "" && one !== "." && one !== ".."), "nothing in a skill climbs out of it");
  },
  growth: [
    growth("many segments", (size) => `skill://${"a/".repeat(size)}SKILL.md`, skillRoot, 4000),
    growth("many escaped characters", (size) => `skill://a/${"%C3%A9".repeat(size)}`, canonicalSkillUri, 1300),
    growth("a URI that is too long", (size) => `skill://${"a".repeat(size)}`, canonicalSkillUri),
  ],
});

const DIGEST = `sha256:${"0".repeat(64)}`;
const ENTRY = {
  uri: "skill://acme/refunds/SKILL.md",
  frontmatter: { name: "refunds", description: "x", metadata: { version: "1" } },
  resources: [
    { uri: "skill://acme/refunds/SKILL.md", digest: DIGEST, size: 1 },
    { uri: "skill://acme/refunds/a%20b.md", digest: DIGEST, size: 2 },
  ],
};

/** Entries of `skills/list`. */
export const SKILL_ENTRIES = target<unknown>({
  name: "entries of skills",
  weight: 6,
  make: (random) => mutateJson(random, ENTRY, 3),
  check(entry) {
    const fault = skillFault(entry);
    must(fault === undefined || /^[A-Za-z_[\]0-9.]+: |^Expected an object$/.test(fault), "a fault begins with its place");
    if (fault !== undefined) return;
    const { uri, resources } = entry as {
      readonly uri: string;
      readonly resources: readonly { readonly uri: string }[] | "dynamic";
    };
    const root = skillRoot(uri);
    must(root !== undefined, "a skill has a directory");
    if (resources !== "dynamic") must(resources.every((file) => isInSkill(root, file.uri)), "files of a skill are in it");
  },
  growth: [
    growth(
      "many files",
      (size) => ({
        ...ENTRY,
        resources: Array.from({ length: size }, (_, at) => ({ uri: `skill://acme/refunds/${at}`, digest: DIGEST, size: 0 })),
      }),
      skillFault,
    ),
    growth(
      "a long description",
      (size) => ({ ...ENTRY, frontmatter: { name: "refunds", description: "🦊".repeat(size) } }),
      skillFault,
    ),
  ],
});
