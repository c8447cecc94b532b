import assert from "node:assert/strict";
import { parseChallenges } from "../../../protocol/auth/challenge.ts";

function read(header: string): unknown[] {
  return parseChallenges(header).map(({ scheme, params }) => [scheme, Object.fromEntries(params)]);
}

Deno.test("parseChallenges reads tokens, quoted strings and white space (B047, M-AUTH-020)", () => {
  const url = "https://h.example/m";
  assert.deepEqual(read(`Bearer resource_metadata = "${url}"`), [["bearer", { resource_metadata: url }]]);
  assert.deepEqual(read(`bearer scope="a b",resource_metadata=${url}`), [["bearer", { scope: "a b", resource_metadata: url }]]);
  assert.deepEqual(read(String.raw`Bearer error_description="say \"hi\", ok", resource_metadata="${url}"`), [
    ["bearer", { error_description: 'say "hi", ok', resource_metadata: url }],
  ]);
});

Deno.test("parseChallenges keeps several challenges apart (B047, M-AUTH-020)", () => {
  assert.deepEqual(read(String.raw`Basic realm="x, Bearer resource_metadata=\"https://evil.example\"", Bearer scope=a`), [
    ["basic", { realm: 'x, Bearer resource_metadata="https://evil.example"' }],
    ["bearer", { scope: "a" }],
  ]);
  assert.deepEqual(read("Negotiate, Bearer"), [["negotiate", {}], ["bearer", {}]]);
  assert.deepEqual(read("Negotiate YWJj==, Bearer scope=b"), [["negotiate", {}], ["bearer", { scope: "b" }]]);
  assert.deepEqual(read("Digest nonce=a, realm=b , ,Bearer error=c"), [
    ["digest", { nonce: "a", realm: "b" }],
    ["bearer", { error: "c" }],
  ]);
});

Deno.test("parseChallenges takes the first of a parameter that is given twice", () => {
  assert.deepEqual(read("Bearer scope=a, SCOPE=b"), [["bearer", { scope: "a" }]]);
});

Deno.test("parseChallenges ends on any text and in linear time", () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  const pieces = ["Bearer", "=", '"', "\\", ",", " ", "a", "é", "\t", "==", "scope=x", '"x"'];
  for (let run = 0; run < 2000; run++) {
    let header = "";
    for (let i = random(20); i > 0; i--) header += pieces[random(pieces.length)];
    for (const { scheme } of parseChallenges(header)) assert.match(scheme, /^[!-~]+$/);
  }
  const long = `Bearer ${"a=b,".repeat(50_000)}`;
  assert.equal(parseChallenges(long)[0]?.params.size, 1);
  assert.equal(parseChallenges(`Bearer a="${"\\".repeat(100_000)}`).length, 1);
});
