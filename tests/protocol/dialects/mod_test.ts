/** Tests of the list of dialects and of the choice from it. */
import assert from "node:assert/strict";
import { dialect20260728 } from "../../../protocol/dialects/2026-07-28.ts";
import { chooseDialects, DIALECTS, SUPPORTED_VERSIONS } from "../../../protocol/dialects/mod.ts";

Deno.test("DIALECTS holds each revision once, newest first, stateless ones before those that begin with a handshake", () => {
  assert.deepEqual(SUPPORTED_VERSIONS, ["2026-07-28", "2025-11-25", "2025-06-18"]);
  assert.deepEqual(DIALECTS.map(({ handshake }) => handshake !== undefined), [false, true, true]);
  for (const { handshake, era } of DIALECTS) assert.equal(era, handshake === undefined ? "modern" : "legacy");
  assert.deepEqual([...SUPPORTED_VERSIONS].sort().reverse(), SUPPORTED_VERSIONS);
  assert.equal(new Set(SUPPORTED_VERSIONS).size, SUPPORTED_VERSIONS.length);
  assert.deepEqual(DIALECTS.map(({ version }) => version), SUPPORTED_VERSIONS);
});

Deno.test("chooseDialects gives all of them when nothing is asked for", () => {
  assert.deepEqual(chooseDialects(undefined, "versions"), DIALECTS);
});

Deno.test("chooseDialects gives the revisions that are asked for, each once", () => {
  assert.deepEqual(chooseDialects(["2026-07-28", "2026-07-28"], "versions"), [dialect20260728]);
});

Deno.test("chooseDialects refuses a revision that is not spoken, naming the path", () => {
  for (const version of ["1900-01-01", "", "constructor"]) {
    assert.throws(() => chooseDialects(["2026-07-28", version], "versions"), {
      name: "TypeError",
      message: /^versions: Expected revisions of /,
    });
  }
});

Deno.test("chooseDialects refuses an empty list", () => {
  assert.throws(() => chooseDialects([], "a.versions"), {
    name: "TypeError",
    message: "a.versions: Expected at least one revision",
  });
});

Deno.test("a dialect gives the reason for the code that it alone has, in answers about resources", () => {
  const reasons = DIALECTS.map((dialect) => [
    dialect.version,
    dialect.errorReason(-32002, "resources/read"),
    dialect.errorReason(-32002, "tools/call"),
    dialect.errorReason(-32602, "resources/read"),
  ]);
  assert.deepEqual(reasons, [
    ["2026-07-28", undefined, undefined, undefined],
    ["2025-11-25", "resource_not_found", undefined, undefined],
    ["2025-06-18", "resource_not_found", undefined, undefined],
  ]);
});
