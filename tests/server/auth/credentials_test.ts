import assert from "node:assert/strict";
import { readCredentials } from "../../../server/auth/credentials.ts";
import { createRandom } from "../../protocol/random.ts";

Deno.test("readCredentials gives a token, a fault, or nothing", () => {
  assert.deepEqual(readCredentials(null), { kind: "none" });
  assert.deepEqual(readCredentials("Basic a, Bearer b"), { kind: "none" });
  assert.deepEqual(readCredentials("bEARER a.b-c_d~e+f/g=="), { kind: "token", scheme: "bearer", token: "a.b-c_d~e+f/g==" });
  assert.deepEqual(readCredentials("dpop x"), { kind: "token", scheme: "dpop", token: "x" });
  assert.equal(readCredentials("Bearer a b").kind, "malformed");
  assert.equal(readCredentials(`Bearer ${"a".repeat(8 * 1024 - 7)}`).kind, "token");
  assert.equal(readCredentials(`Bearer ${"a".repeat(8 * 1024 - 6)}`).kind, "malformed");
});

Deno.test("readCredentials finds a token only where the header is one scheme and one token", () => {
  const random = createRandom(11);
  const pieces = ["Bearer", "bearer", "DPoP", "Basic", " ", "  ", "\t", ",", "=", "==", "abc", "a.b", '"', "é", ";", "%41"];
  for (let round = 0; round < 5000; round++) {
    const header = Array.from({ length: random.below(7) }, () => random.pick(pieces)).join("");
    const read = readCredentials(header);
    const isToken = /^(?:bearer|dpop) +[a-z0-9\-._~+/]+=*$/i.test(header);
    assert.equal(read.kind === "token", isToken, header);
    if (read.kind === "token") assert.ok(header.toLowerCase().startsWith(read.scheme) && header.endsWith(` ${read.token}`));
    if (read.kind === "malformed") assert.doesNotMatch(read.fault, /abc|a\.b/);
  }
});
