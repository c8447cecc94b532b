/** The official client's `SkillsClient` against this package's skills, in both eras, with frontmatter that is odd but legal. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import assert from "node:assert/strict";
import { readFrontmatter } from "../../protocol/extensions/skill_frontmatter.ts";
import { createRandom, mutateText, type Random, randomText } from "../../scripts/fuzz/random.ts";
import { dynamicSkill, skill, skills } from "../../server/extensions/skills.ts";
import type { ServedSkill, SkillsOptions } from "../../server/extensions/skills.ts";
import { defineServer } from "../../server/server.ts";

const ODD = `name: odd
description: "Colons: quotes \\"and\\" é\\u00e9 — # no comment"
license: yes
compatibility: Any # comment
x-numbers: [1.10, 0o17, 017, 0x1F, +1, .5, 1e3, -0, 1_000, 12:30]
x-dates: {d: 2026-07-28, v: 1.2.3}
x-null:
x-nulls: [~, null, Null, "null", nUll]
x-booleans: [true, False, yes, on, No]
x-literal: |
  one
    two

  three
x-kept: |+
  kept

x-folded: >-
  folded
  text

  next
x-plain: over
  several
  lines
'single ''quoted'' key': it's
constructor: {toString: 1}
x-list:
- a
- b: 1
  c: [{d: e}]
-
  - nested
metadata:
  version: "1.0"
  ü: 🦊
`;

async function published(): Promise<SkillsOptions> {
  const uri = "skill://acme/odd/SKILL.md";
  const odd = await skill({
    uri,
    files: {
      "SKILL.md": `\ufeff---\r\n${ODD.replaceAll("\n", "\r\n")}---\r\n\r\nBody 🦊\r\n`,
      "references/Q&A (1).md": "\ufeffmark\r\n",
      "references/100%.md": "",
      "assets/é ü/[x].bin": Uint8Array.from([0, 255, 254]),
      "inner/SKILL.md": "---\nname: inner\ndescription: Within\n---\n",
    },
  });
  const inner = await skill({
    uri: "skill://acme/odd/inner/SKILL.md",
    files: { "SKILL.md": "---\nname: inner\ndescription: Within\n---\n" },
  });
  const other = await skill({
    uri: "github://o/r/skills/other/SKILL.md",
    files: { "SKILL.md": "---\nname: other\ndescription: Elsewhere\n---\n" },
  });
  const daily = dynamicSkill({
    frontmatter: { name: "daily", description: "Now" },
    read: (path) => path === "SKILL.md" ? "---\nname: daily\ndescription: Now\n---\n" : path === "x.md" ? "x" : undefined,
    list: (directory) => directory === "" ? ["SKILL.md", "x.md"] : undefined,
  });
  return { skills: [odd, inner, other, daily], listed: ({ frontmatter }) => frontmatter.name !== "inner", pageSize: 2 };
}

async function withClient(
  era: Era,
  options: SkillsOptions,
  use: (client: Client, skills: SkillsClient) => Promise<void>,
): Promise<void> {
  const server = defineServer({ name: "x", version: "1.0.0", extensions: [skills(options)] });
  const client = new Client({ name: "official", version: "2.4.0" }, {
    versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } },
  });
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => server.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
  try {
    assert.equal(client.getProtocolEra(), era);
    await use(client, new SkillsClient(client));
  } finally {
    await client.close();
    await server.close();
  }
}

type Era = "modern" | "legacy";

for (const era of ["modern", "legacy"] as const) {
  Deno.test(`skills 22 the official client lists, gets, verifies and reads this package's skills, ${era}`, async () => {
    await withClient(era, await published(), async (_client, official) => {
      assert.deepEqual([official.supported, official.directoryRead], [true, true]);
      const { skills: entries, invalid } = await official.list();
      assert.deepEqual(invalid, []);
      assert.deepEqual(entries.map(({ uri }) => uri), [
        "skill://acme/odd/SKILL.md",
        "github://o/r/skills/other/SKILL.md",
        "skill://daily/SKILL.md",
      ]);
      const { skill: unlisted } = await official.get("skill://acme/odd/inner/SKILL.md");
      for (const entry of [...entries, unlisted]) {
        assert.deepEqual((await official.get(entry.uri)).skill, entry);
        if (entry.resources === "dynamic") continue;
        for (const { uri } of entry.resources) assert.equal((await official.read(entry, uri)).verified, true, uri);
      }
      const [odd, , daily] = entries;
      assert.ok(odd !== undefined && daily !== undefined);
      assert.equal(JSON.stringify((await official.read(odd)).frontmatter), JSON.stringify(odd.frontmatter));
      assert.equal((await official.read(odd, "references/Q%26A%20(1).md")).text, "\ufeffmark\r\n");
      assert.deepEqual((await official.read(odd, "assets/%C3%A9 ü/%5Bx%5D.bin")).bytes, Uint8Array.from([0, 255, 254]));
      const dynamic = await official.read(daily);
      assert.deepEqual([dynamic.verified, dynamic.frontmatter], [false, { name: "daily", description: "Now" }]);
      assert.equal((await official.read(daily, "x.md")).text, "x");
    });
  });

  Deno.test(`skills 22 the official client reads this package's directories, and hears of what is none, ${era}`, async () => {
    await withClient(era, await published(), async (_client, official) => {
      const { resources } = await official.readDirectory("skill://acme/odd");
      assert.deepEqual(resources.map(({ name, mimeType }) => [name, mimeType]), [
        ["odd", "text/markdown"],
        ["assets", "inode/directory"],
        ["inner", "inode/directory"],
        ["references", "inode/directory"],
      ]);
      const below = await official.readDirectory(resources[1]?.uri ?? "");
      assert.deepEqual((await official.readDirectory(below.resources[0]?.uri ?? "")).resources.map(({ name }) => name), [
        "[x].bin",
      ]);
      assert.equal((await official.readDirectory("skill://daily")).resources.length, 2);
      await assert.rejects(official.readDirectory("skill://acme/odd/SKILL.md"), { code: -32602 });
      await assert.rejects(official.get("skill://nothing/SKILL.md"), { code: -32602 });
    });
  });

  Deno.test(`skills 22 the official client finds no skills where none are declared, ${era}`, async () => {
    await withClient(era, { skills: [], directoryRead: false }, async (_client, official) => {
      assert.deepEqual([official.supported, official.directoryRead], [true, false]);
      assert.deepEqual((await official.list()).skills, []);
      await assert.rejects(official.readDirectory("skill://x"));
    });
  });
}

const LINES = [
  "x-a: 1.10",
  "x-b: [a, 'b', \"c\", {d: 1, e: [2]}]",
  "x-c: |\n  one\n\n   two\n",
  "x-d: >-\n  one\n  two\n   three\n\n  four",
  "x-e:\n- 1\n- x: y\n  z:\n  - w",
  "x-f: plain\n  text # comment",
  "x-g:\n  h: ~\n  i:\n  'j': k # l",
  'x-h: "\\ta\\x41\\u00e9\\U0001F98A"',
  "# comment",
  "x-i: a#b : c",
  "x-j: -",
  "x-k: {a: -1, b: .5, c: 0x1f}",
];
const PIECES = [
  "a",
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
  "#",
  " #",
  "1",
  "0o7",
  ".5",
  "~",
  "%",
  "@",
  "`",
  "\\",
  "-",
  "?",
  "!",
  "&",
  "*",
  "\t",
  "ü",
  "\u00a0",
  " ",
  "e3",
  "_",
  "+",
  "x-a: 1",
];

/** Frontmatter made of lines that are fine and of what often is not. */
function anyFrontmatter(random: Random): string {
  const lines = Array.from({ length: 1 + random.below(3) }, () => {
    const line = random.pick(LINES);
    if (random.oneIn(4)) return line;
    if (random.oneIn(3)) return mutateText(random, line, 2);
    const at = random.below(line.length + 1);
    const piece = random.oneIn(8) ? randomText(random, 2) : random.pick(PIECES);
    return line.slice(0, at) + piece + line.slice(at + random.below(2));
  });
  return `name: a\ndescription: b\n${lines.join("\n")}\n`;
}

Deno.test("skills 22 whatever frontmatter this package publishes the official client reads in the same way, for random frontmatter", async () => {
  const made: ServedSkill[] = [];
  for (let index = 0; index < 4_000; index++) {
    const text = `---\n${anyFrontmatter(createRandom(2642, index))}---\n`;
    try {
      readFrontmatter(text, { common: true });
      made.push(await skill({ uri: `skill://n${index}/a/SKILL.md`, files: { "SKILL.md": text } }));
    } catch {
      continue;
    }
  }
  assert.ok(made.length > 300, `${made.length} of the random frontmatters were published`);
  const differing: string[] = [];
  await withClient("modern", { skills: made, pageSize: 10_000 }, async (_client, official) => {
    const { skills: entries } = await official.list();
    assert.equal(entries.length, made.length);
    for (const entry of entries) {
      await official.read(entry).catch(async (error: Error) => {
        const { contents } = await _client.readResource({ uri: entry.uri });
        differing.push(`${error.message}: ${JSON.stringify(contents[0])} ${JSON.stringify(entry.frontmatter)}`);
      });
    }
  });
  assert.deepEqual(differing, []);
});
