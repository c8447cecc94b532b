/** Tests of `protocol/peer_error.ts`. */
import assert from "node:assert/strict";
import { ERROR_TEXT_LENGTH } from "../../protocol/limits.ts";
import { peerError } from "../../protocol/peer_error.ts";

Deno.test("peerError keeps code, text and data, and shortens a text that nobody would read to its end", () => {
  const error = peerError({ code: -32602, message: "no", data: { a: 1 } });
  assert.deepEqual([error.code, error.message, error.data], [-32602, "no", { a: 1 }]);
  assert.equal(peerError({ code: 1, message: "x".repeat(ERROR_TEXT_LENGTH) }).message.length, ERROR_TEXT_LENGTH);
  const long = peerError({ code: 1, message: "x".repeat(2_000_000) });
  assert.equal(long.message, "x".repeat(ERROR_TEXT_LENGTH) + "…");
});
