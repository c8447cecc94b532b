import assert from "node:assert/strict";
import { CacheKeys } from "../../../client/cache/cache_keys.ts";

const CALL = { version: "v", method: "m", params: { a: 1 } };
const HERE = { endpoint: "https://h/mcp", headers: [["a", "1"], ["b", "2"]], capabilities: {}, remembered: 2 } as const;

Deno.test("a public key is the same in every connection, and differs with whatever may change the answer (M-CACHE-002)", async () => {
  const key = await new CacheKeys(HERE).ofPublic(CALL);
  assert.equal(await new CacheKeys({ ...HERE, headers: [["b", "2"], ["a", "1"]] }).ofPublic(CALL), key);
  const others = [
    new CacheKeys({ ...HERE, endpoint: "https://h/other" }).ofPublic(CALL),
    new CacheKeys({ ...HERE, endpoint: undefined }).ofPublic(CALL),
    new CacheKeys({ ...HERE, endpoint: undefined }).ofPublic(CALL),
    new CacheKeys({ ...HERE, headers: [["a", "1"]] }).ofPublic(CALL),
    new CacheKeys({ ...HERE, capabilities: { sampling: {} } }).ofPublic(CALL),
    new CacheKeys(HERE).ofPublic({ ...CALL, version: "w" }),
    new CacheKeys(HERE).ofPublic({ ...CALL, method: "n" }),
    new CacheKeys(HERE).ofPublic({ ...CALL, params: { a: 2 } }),
    new CacheKeys(HERE).ofPublic({ ...CALL, params: {} }),
  ];
  assert.equal(new Set([key, ...await Promise.all(others)]).size, 1 + others.length);
});

Deno.test("a private key differs with the credential, and between connections (M-CACHE-018)", async () => {
  const [one, other] = [new CacheKeys(HERE), new CacheKeys(HERE)];
  const key = await one.ofPrivate(CALL, "A");
  assert.equal(await one.ofPrivate(CALL, "A"), key);
  const others = [one.ofPrivate(CALL, "B"), one.ofPrivate(CALL, ""), other.ofPrivate(CALL, "A"), one.ofPublic(CALL)];
  assert.equal(new Set([key, ...await Promise.all(others)]).size, 5);
  assert.match(key, /^causeway\/cache\/1\/[0-9a-f]{64}$/);
});

Deno.test("a key stays the same, whether it is remembered, forgotten or too long to be", async () => {
  const keys = new CacheKeys(HERE);
  const calls = [...Array(5).keys(), "x".repeat(5000)].map((a) => ({ ...CALL, params: { a } }));
  const all = (): Promise<string[]> => Promise.all(calls.flatMap((call) => [keys.ofPublic(call), keys.ofPrivate(call, "A")]));
  const first = await all();
  assert.equal(new Set(first).size, 12);
  assert.deepEqual(await all(), first);
  // The last one is remembered, the first ones are not.
  for (const call of calls.toReversed()) {
    assert.equal(await keys.ofPublic(call), first[2 * calls.indexOf(call)]);
    assert.equal(await keys.ofPublic(call), first[2 * calls.indexOf(call)]);
  }
});
