import assert from "node:assert/strict";
import { skillReference } from "../../../client/extensions/skill_reference.ts";
import { canonicalSkillUri, isInSkill } from "../../../protocol/extensions/skill_uri.ts";

const ROOT = "skill://acme/refunds";

Deno.test("skillReference resolves a path from the directory of the skill, as a file system would", () => {
  for (
    const [reference, uri] of [
      ["references/GUIDE.md", "skill://acme/refunds/references/GUIDE.md"],
      ["./a/./b", "skill://acme/refunds/a/b"],
      ["a/../b#part", "skill://acme/refunds/b"],
      ["a/", "skill://acme/refunds/a"],
      ["", ROOT],
      [".", ROOT],
      ["a b€", "skill://acme/refunds/a%20b%E2%82%AC"],
      ["a%20b", "skill://acme/refunds/a%20b"],
      ["skill://other/x#part", "skill://other/x"],
      ["https://example.com/", "https://example.com/"],
    ]
  ) assert.equal(skillReference(ROOT, reference as string), uri, reference);
});

Deno.test("skillReference refuses what leaves the directory, is absolute, has empty parts, or is no text to write in a URI", () => {
  for (const reference of ["..", "a/../..", "../refunds/x", "/x", "//x/y", "a//b", "\ud800", "x".repeat(8193)]) {
    assert.equal(skillReference(ROOT, reference), undefined, reference.slice(0, 20));
  }
});

Deno.test("skillReference never leads a path out of the directory, whatever it is made of", () => {
  const parts = ["..", ".", "/", "//", "a", "%2e%2e", "%2f", "%5c", "\\", ":", "?", "#", " ", "é", "\ud800", "%", "%zz", "skill"];
  let seed = 20_260_728;
  const random = (below: number): number => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) % below;
  let inside = 0;
  for (let run = 0; run < 20_000; run++) {
    const path = Array.from({ length: random(8) }, () => parts[random(parts.length)]).join("");
    if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) continue;
    const uri = skillReference(ROOT, path);
    if (uri === undefined) continue;
    assert.ok(uri === ROOT || uri.startsWith(`${ROOT}/`), path);
    const canonical = canonicalSkillUri(uri);
    if (canonical === undefined || uri === ROOT) continue;
    assert.ok(isInSkill(ROOT, canonical), path);
    inside++;
  }
  assert.ok(inside > 100, String(inside));
});
