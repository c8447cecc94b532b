/** Tests of `transports/token_end.ts`. */
import assert from "node:assert/strict";
import { TOKEN_LIMITS } from "../../protocol/limits.ts";
import { atTime, tokenEnd } from "../../transports/token_end.ts";

const caller = { principal: "a", scopes: [], claims: {} };
const seconds = (): number => Date.now() / 1000;

Deno.test("tokenEnd() is when the server stops to take the token, and none for callers without an end or past it", () => {
  const expiresAt = Math.floor(seconds()) + 100;
  assert.equal(tokenEnd({ ...caller, expiresAt }), (expiresAt + TOKEN_LIMITS.clockSkew) * 1000);
  assert.equal(tokenEnd({ ...caller, expiresAt: Math.floor(seconds()) - TOKEN_LIMITS.clockSkew - 1 }), undefined);
  assert.equal(tokenEnd(caller), undefined);
  assert.equal(tokenEnd(undefined), undefined);
});

Deno.test("atTime() acts once the time has come, also when that is past, and not before a time beyond what timers hold", async () => {
  const acted: string[] = [];
  const far = [2 ** 31, 2 ** 40, 2 ** 52].map((left) => atTime(Date.now() + left, () => acted.push("far")));
  const taken = atTime(Date.now(), () => acted.push("taken back"));
  taken();
  await new Promise<void>((resolve) => atTime(Date.now() - 1000, resolve));
  await new Promise<void>((resolve) => atTime(Date.now() + 20, resolve));
  assert.deepEqual(acted, []);
  for (const stop of far) stop();
});
