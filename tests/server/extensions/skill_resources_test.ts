/** Tests of the paths within dynamic skills. */
import assert from "node:assert/strict";
import { pathWithin } from "../../../server/extensions/skill_resources.ts";

const ROOT = "skill://daily";

Deno.test("pathWithin gives the decoded path of what lies in the directory of a skill", () => {
  assert.equal(pathWithin(ROOT, ROOT), "");
  assert.equal(pathWithin(ROOT, `${ROOT}/a%20b/c.md`), "a b/c.md");
  assert.equal(pathWithin(ROOT, `${ROOT}/notes/C:x`), "notes/C:x");
});

Deno.test("pathWithin knows no path that leads out of a directory, on any system", () => {
  const strange = ["/", "//etc", "/a//b", "/../x", "/./x", "/%2e%2e/x", "/a%2F..%2Fb", "/a%5C..%5Cb", "/%00", "/C:/x", "/c%3Ax"];
  for (const path of strange) assert.equal(pathWithin(ROOT, ROOT + path), undefined, path);
  for (const uri of [`${ROOT}x/a`, `${ROOT}?x`, `${ROOT}/a?x`, `${ROOT}/a#x`, "other://daily/a"]) {
    assert.equal(pathWithin(ROOT, uri), undefined, uri);
  }
});
