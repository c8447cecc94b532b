/** Tests of the names of tools. */
import assert from "node:assert/strict";
import { toolNameFault } from "../../protocol/tool_name.ts";

Deno.test("toolNameFault accepts letters, digits, underscore, hyphen and dot, up to 128 of them (M-TOOL-023, M-TOOL-025)", () => {
  for (const name of ["a", "getUser", "get-user_2.v1", "A".repeat(128), "constructor"]) {
    assert.equal(toolNameFault(name), undefined);
  }
});

Deno.test("toolNameFault refuses the empty and the overlong name (M-TOOL-023)", () => {
  assert.match(toolNameFault("") ?? "", /1 to 128 characters, received 0/);
  assert.match(toolNameFault("a".repeat(129)) ?? "", /received 129/);
});

Deno.test("toolNameFault names the character that is not allowed (M-TOOL-025, M-TOOL-026)", () => {
  assert.match(toolNameFault("a b") ?? "", /U\+0020/);
  for (const name of ["a,b", "é", "a/b", "a\n", "🦊"]) assert.match(toolNameFault(name) ?? "", /found U\+/);
});

Deno.test("toolNameFault refuses what is no string", () => {
  for (const name of [undefined, null, 1, {}, []]) assert.match(toolNameFault(name) ?? "", /Expected a string/);
});
