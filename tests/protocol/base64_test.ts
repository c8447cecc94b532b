/** Tests of Base64. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { decodeBase64, encodeBase64 } from "../../protocol/base64.ts";
import { createRandom } from "./random.ts";

/** RFC 4648 § 10. */
const VECTORS: readonly (readonly [text: string, base64: string])[] = [
  ["", ""],
  ["f", "Zg=="],
  ["fo", "Zm8="],
  ["foo", "Zm9v"],
  ["foob", "Zm9vYg=="],
  ["fooba", "Zm9vYmE="],
  ["foobar", "Zm9vYmFy"],
];

Deno.test("encodeBase64 writes the test vectors of RFC 4648", () => {
  for (const [text, base64] of VECTORS) assert.equal(encodeBase64(new TextEncoder().encode(text)), base64);
});

Deno.test("decodeBase64 reads the test vectors of RFC 4648", () => {
  for (const [text, base64] of VECTORS) assert.deepEqual(decodeBase64(base64), new TextEncoder().encode(text));
});

Deno.test("encodeBase64 uses the alphabet with plus and slash", () => {
  assert.equal(encodeBase64(new Uint8Array([0xfb, 0xff, 0xbf])), "+/+/");
});

Deno.test("decodeBase64 refuses the URL-safe alphabet, blanks, and characters outside of ASCII", () => {
  for (const text of ["-_-_", "Zg =", "Zg\n=", " Zg==", "Zg==\n", "Zgé=", "Zg=\u0000"]) {
    assert.equal(decodeBase64(text), undefined);
  }
});

Deno.test("decodeBase64 refuses missing, surplus and misplaced padding", () => {
  for (const text of ["Zg", "Zg=", "Zg===", "Z===", "====", "=Zg=", "Zg==Zg==", "Z"]) assert.equal(decodeBase64(text), undefined);
});

Deno.test("encodeBase64 and decodeBase64 agree with Node for arrays of every length around a chunk", () => {
  const random = createRandom(4648);
  for (const length of [0, 1, 2, 3, 31, 0x7fff, 0x8000, 0x8001, 0x10001]) {
    const bytes = Uint8Array.from({ length }, () => random.below(256));
    const text = encodeBase64(bytes);
    assert.equal(text, Buffer.from(bytes).toString("base64"));
    assert.deepEqual(decodeBase64(text), bytes);
  }
});

Deno.test("encodeBase64 looks at the view, not at the buffer behind it", () => {
  const buffer = new TextEncoder().encode("xfoox");
  assert.equal(encodeBase64(buffer.subarray(1, 4)), "Zm9v");
});

Deno.test("decodeBase64 never throws", () => {
  const random = createRandom(64);
  for (let round = 0; round < 2000; round++) {
    const decoded = decodeBase64(random.text(12));
    assert.ok(decoded === undefined || decoded instanceof Uint8Array);
  }
});
