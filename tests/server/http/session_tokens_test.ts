/** Tests of `server/http/session_tokens.ts`. */
import assert from "node:assert/strict";
import { SESSION_ID_LENGTH } from "../../../protocol/limits.ts";
import { createSealer } from "../../../server/input/request_state.ts";
import { createSessionTokens } from "../../../server/http/session_tokens.ts";

const CLAIMS = {
  key: "k",
  instance: "i",
  issuedAt: 1,
  state: {
    version: "2025-11-25",
    clientInfo: { name: "c\u{1F600}", version: "1" },
    clientCapabilities: { roots: {} },
    initialized: false,
    subscriptions: [],
  },
};
const KEYS = ["a key that is long enough"];

function tokens(keys: readonly string[] | undefined = KEYS, lifetime = 60_000) {
  let warned = 0;
  return { ...createSessionTokens({ keys, lifetime, onProcessKey: () => warned++ }), warned: () => warned };
}

Deno.test("session tokens are visible ASCII for headers and URLs, each another (L-SES-002, L-SES-003, L-SES-004)", async () => {
  const { seal } = tokens();
  const made = await Promise.all(Array.from({ length: 50 }, () => seal(CLAIMS, undefined)));
  for (const token of made) assert.match(token, /^[A-Za-z0-9_-]+$/);
  assert.equal(new Set(made).size, made.length);
  assert.ok(!made[0]?.includes(btoa("2025-11-25").slice(0, 8)));
});

Deno.test("session tokens say what was sealed, on every instance with the key", async () => {
  const token = await tokens().seal(CLAIMS, "anna");
  assert.deepEqual(await tokens(["a newer key, long enough", ...KEYS]).open(token, "anna"), CLAIMS);
  assert.equal(await tokens(["another key, long enough"]).open(token, "anna"), undefined);
});

Deno.test("session tokens open on servers of the same name alone", async () => {
  const named = (server: string) => createSessionTokens({ keys: KEYS, server, lifetime: 60_000, onProcessKey: () => undefined });
  const token = await named("mail").seal(CLAIMS, undefined);
  assert.deepEqual(await named("mail").open(token, undefined), CLAIMS);
  assert.equal(await named("bank").open(token, undefined), undefined);
});

Deno.test("session tokens open for their caller alone, anonymous ones for nobody else", async () => {
  const { seal, open } = tokens();
  const [named, anonymous, empty] = [await seal(CLAIMS, "anna"), await seal(CLAIMS, undefined), await seal(CLAIMS, "")];
  for (
    const [token, principal] of [[named, "ben"], [named, undefined], [named, ""], [anonymous, "anna"], [anonymous, ""], [
      empty,
      undefined,
    ]] as const
  ) {
    assert.equal(await open(token, principal), undefined);
  }
});

Deno.test("session tokens are refused when they are altered, too old, request state, or anything else", async () => {
  const { seal, open } = tokens();
  const token = await seal(CLAIMS, undefined);
  const middle = token.length >> 1;
  const altered = token.slice(0, middle) + (token[middle] === "A" ? "B" : "A") + token.slice(middle + 1);
  const state = await createSealer({ keys: KEYS, lifetime: 60_000, maxBytes: 65_536, onProcessKey: () => undefined })
    .seal(CLAIMS, { principal: "", method: "tools/call", request: "anonymous" });
  for (const bad of [altered, token.slice(1), `${token}=`, `${token} `, "", "nope", "a".repeat(SESSION_ID_LENGTH + 1), state]) {
    assert.equal(await open(bad, undefined), undefined, bad.slice(0, 40));
  }
  const old = tokens(KEYS, -1);
  assert.equal(await old.open(await old.seal(CLAIMS, undefined), undefined), undefined);
});

Deno.test("session tokens stay short: what does not fit is left out", async () => {
  const { seal, open } = tokens();
  const clientInfo = { name: "c", version: "1", description: "a".repeat(SESSION_ID_LENGTH) };
  const token = await seal({ ...CLAIMS, state: { ...CLAIMS.state, clientInfo } }, undefined);
  assert.ok(token.length <= SESSION_ID_LENGTH);
  assert.deepEqual(await open(token, undefined), { key: "k", instance: "i", issuedAt: 1 });
});

Deno.test("session tokens without keys are sealed for this process, which is told once", async () => {
  const own = createSessionTokensWithoutKeys();
  const token = await own.seal(CLAIMS, undefined);
  assert.deepEqual(await own.open(token, undefined), CLAIMS);
  assert.equal(own.warned(), 1);
  assert.equal(await createSessionTokensWithoutKeys().open(token, undefined), undefined);
});

function createSessionTokensWithoutKeys() {
  let warned = 0;
  return { ...createSessionTokens({ keys: undefined, lifetime: 60_000, onProcessKey: () => warned++ }), warned: () => warned };
}
