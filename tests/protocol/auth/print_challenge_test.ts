import assert from "node:assert/strict";
import { parseChallenges } from "../../../protocol/auth/challenge.ts";
import { printChallenge } from "../../../protocol/auth/print_challenge.ts";
import { createRandom } from "../random.ts";

Deno.test("printChallenge writes quoted values, and leaves out what is undefined", () => {
  assert.equal(printChallenge("Bearer", {}), "Bearer");
  assert.equal(printChallenge("Bearer", { error: undefined, scope: "a b" }), 'Bearer scope="a b"');
  assert.equal(printChallenge("DPoP", { a: 'say "hi" \\, ok', b: "" }), 'DPoP a="say \\"hi\\" \\\\, ok", b=""');
  assert.equal(printChallenge("Bearer", { a: 'x\r\nSet-Cookie: a=b\0\u007fé"' }), 'Bearer a="xSet-Cookie: a=b\\""');
});

Deno.test("printChallenge is read back by parseChallenges, and always fits into a header", () => {
  const random = createRandom(7);
  for (let round = 0; round < 500; round++) {
    const value = String.fromCharCode(...Array.from({ length: random.below(20) }, () => random.below(300)));
    const printed = printChallenge("Bearer", { error: "e", note: value });
    new Headers({ "www-authenticate": printed });
    const [challenge, ...more] = parseChallenges(printed);
    assert.deepEqual([challenge?.params.get("error"), more.length], ["e", 0]);
    assert.equal(challenge?.params.get("note"), value.replace(/[^\x20-\x7e]/g, ""));
  }
});
