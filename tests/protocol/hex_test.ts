/** Tests of `protocol/hex.ts`. */
import assert from "node:assert/strict";
import { encodeHex } from "../../protocol/hex.ts";

Deno.test("encodeHex writes two lowercase digits for each byte", () => {
  assert.equal(encodeHex(new Uint8Array([0, 9, 10, 127, 128, 255])), "00090a7f80ff");
  assert.equal(encodeHex(new Uint8Array([1, 2, 3]).subarray(1)), "0203");
  assert.equal(encodeHex(new Uint8Array([171]).buffer), "ab");
  assert.equal(encodeHex(new ArrayBuffer(0)), "");
});
