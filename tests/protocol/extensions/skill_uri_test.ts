import assert from "node:assert/strict";
import { canonicalSkillUri, isInSkill, lastSegment, skillRoot } from "../../../protocol/extensions/skill_uri.ts";
import { createRandom, mutateText, randomText } from "../../../scripts/fuzz/random.ts";

const SAME: readonly (readonly [string, ...string[]])[] = [
  ["skill://a/SKILL.md", "SKILL://a/SKILL.md", "skill://a/SKILL%2Emd", "skill://a/%53KILL.md", "skill://%61/SKILL.md"],
  ["skill://a/Q%26A.md", "skill://a/Q&A.md"],
  ["skill://a/b%20c.md", "skill://a/b c.md"],
  ["skill://a/%C3%BC.md", "skill://a/ü.md", "skill://a/%c3%bc.md"],
  ["skill://a/100%25.md"],
  ["skill://a/%252e%252e/x", "skill://a/%25%32%65%252e/x"],
  ["file:///srv/a/SKILL.md", "FILE:///srv/a/SKILL%2emd"],
  ["github://o/r/skills/a/SKILL.md"],
  ["skill://A/SKILL.md"],
  ["urn:a/SKILL.md"],
  ["skill://a/a%3Ab", "skill://a/a:b"],
];

const REFUSED = [
  "",
  "a/SKILL.md",
  "://a/SKILL.md",
  "1s://a/SKILL.md",
  "skill://",
  "skill://a//SKILL.md",
  "skill:////a/SKILL.md",
  "skill://a/",
  "skill://a/./SKILL.md",
  "skill://a/../SKILL.md",
  "skill://a/%2e%2E/SKILL.md",
  "skill://a/.%2e/SKILL.md",
  "skill://a/b%2Fc/SKILL.md",
  "skill://a/b%2fc",
  "skill://a/b\\c",
  "skill://a/b%5Cc",
  "skill://a/b%00c",
  "skill://a/b\0c",
  "skill://a/b%0Ac",
  "skill://a/b\u007fc",
  "skill://a/SKILL.md?x",
  "skill://a/SKILL.md#x",
  "skill://a/SKILL.md?",
  "skill://a/%",
  "skill://a/%4",
  "skill://a/%zz",
  "skill://a/%ff",
  "skill://a/%C3",
  "skill://a/\ud800",
  `skill://a/${"x".repeat(8192)}`,
];

Deno.test("skills 12 canonicalSkillUri gives all spellings of one file one form, and refuses those that no file has", () => {
  for (const [canonical, ...others] of SAME) {
    for (const one of [canonical, ...others]) assert.equal(canonicalSkillUri(one), canonicalSkillUri(canonical), one);
  }
  assert.equal(canonicalSkillUri("SKILL://a/Q&%41 ü.md"), "skill://a/Q%26A%20%C3%BC.md");
  const forms = SAME.map(([one]) => canonicalSkillUri(one));
  assert.equal(new Set(forms).size, SAME.length);
  assert.ok(!forms.includes(undefined));
  for (const uri of REFUSED) assert.equal(canonicalSkillUri(uri), undefined, JSON.stringify(uri));
});

Deno.test("skillRoot is the directory of SKILL.md, and undefined for every other file", () => {
  assert.equal(skillRoot("skill://acme/billing/refunds/SKILL.md"), "skill://acme/billing/refunds");
  assert.equal(skillRoot("SKILL://a/SKILL%2Emd"), "skill://a");
  assert.equal(skillRoot("file:///srv/a/SKILL.md"), "file:///srv/a");
  assert.equal(skillRoot("urn:a/SKILL.md"), "urn:a");
  for (
    const uri of [
      "skill://SKILL.md",
      "skill:SKILL.md",
      "skill://a/skill.md",
      "skill://a/b.md",
      "skill://a/SKILL.md/x",
      "skill://a",
    ]
  ) {
    assert.equal(skillRoot(uri), undefined, uri);
  }
  assert.equal(lastSegment("skill://acme/billing/refunds"), "refunds");
  assert.equal(lastSegment("skill://refunds"), "refunds");
});

Deno.test("isInSkill holds for what lies below a directory, in any spelling, and not for its neighbours", () => {
  const root = skillRoot("skill://acme/a/SKILL.md") as string;
  for (const uri of ["skill://acme/a/SKILL.md", "skill://acme/a/b/c.md", "SKILL://acme/%61/x", "skill://acme/a/b/SKILL.md"]) {
    assert.ok(isInSkill(root, uri), uri);
  }
  for (
    const uri of [
      root,
      "skill://acme/ab/x",
      "skill://acme/A/x",
      "skill://acme/a/../b",
      "http://acme/a/x",
      "skill://acme/a/x?y",
      "x",
    ]
  ) {
    assert.ok(!isInSkill(root, uri), uri);
  }
});

Deno.test("canonicalSkillUri keeps what it gives, and nothing that it gives climbs, for random spellings", () => {
  for (let index = 0; index < 20_000; index++) {
    const random = createRandom(2640, index);
    const uri = random.oneIn(5) ? randomText(random, 20) : mutateText(random, "skill://acme/a%20b/%2E%2e/SKILL.md", 4);
    const form = canonicalSkillUri(uri);
    if (form === undefined) continue;
    assert.equal(canonicalSkillUri(form), form, JSON.stringify(uri));
    assert.match(form, /^[a-z][a-z0-9+.-]*:\/{0,3}(?:[A-Za-z0-9._~-]|%[0-9A-F]{2}|\/)+$/, JSON.stringify(uri));
    const segments = form.replace(/^[^:]*:\/{0,3}/, "").split("/").map(decodeURIComponent);
    assert.ok(segments.every((one) => one !== "" && one !== "." && one !== ".." && !/[/\\\0]/.test(one)), JSON.stringify(uri));
  }
});
