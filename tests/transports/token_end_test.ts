/** Tests of `transports/token_end.ts`. */
import assert from "node:assert/strict";
import { TOKEN_LIMITS } from "../../protocol/limits.ts";
import { tokenEnd } from "../../transports/token_end.ts";

const caller = { principal: "a", scopes: [], claims: {} };
const seconds = (): number => Date.now() / 1000;

Deno.test("tokenEnd() is when the server stops to take the token, and none for callers without an end or past it", () => {
  const expiresAt = Math.floor(seconds()) + 100;
  assert.equal(tokenEnd({ ...caller, expiresAt }), (expiresAt + TOKEN_LIMITS.clockSkew) * 1000);
  assert.equal(tokenEnd({ ...caller, expiresAt: Math.floor(seconds()) - TOKEN_LIMITS.clockSkew - 1 }), undefined);
  assert.equal(tokenEnd(caller), undefined);
  assert.equal(tokenEnd(undefined), undefined);
});
