/** Tests of `server/stores/memory_store.ts`. */
import assert from "node:assert/strict";
import { memoryStore } from "../../../server/stores/memory.ts";
import { MemoryStore } from "../../../server/stores/memory_store.ts";
import { entriesOf, later, STORE_CASES } from "./store_contract.ts";

for (const { name, run } of STORE_CASES) Deno.test(`memoryStore ${name}`, () => run(memoryStore()));

Deno.test("memoryStore refuses what is no JSON, a key without parts, and a bound that is none", async () => {
  const store = memoryStore();
  await assert.rejects(store.set(["k"], undefined), /^TypeError: value: Expected JSON/);
  await assert.rejects(store.set(["k"], () => 1), /^TypeError: value: Expected JSON/);
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  await assert.rejects(store.set(["k"], cycle), TypeError);
  await assert.rejects(store.set([], 1), /^TypeError: key:/);
  for (const maxEntries of [0, -1, 1.5, NaN]) assert.throws(() => memoryStore({ maxEntries }), /^TypeError: maxEntries:/);
});

Deno.test("memoryStore refuses an entry beyond maxEntries, not a change, and takes new ones when old ones have expired", async () => {
  const store = memoryStore({ maxEntries: 2 });
  await store.set(["a"], 1, { ttl: 10 });
  await store.set(["b"], 2);
  await store.set(["b"], 3);
  await assert.rejects(store.set(["c"], 4), /^RangeError: Setting an entry: the store holds 2 \(option maxEntries\)$/);
  await later(10);
  assert.equal(await store.set(["c"], 4), true);
  await store.delete(["b"]);
  assert.equal(await store.set(["d"], 5), true);
});

Deno.test("MemoryStore forgets what has expired while others are set, and the branches that led there", async () => {
  const store = new MemoryStore(100_000);
  for (let at = 0; at < 1000; at++) await store.set(["old", String(at), "x"], at, { ttl: 5 });
  await later(5);
  for (let at = 0; at < 2000; at++) await store.set(["one"], at);
  assert.equal(store.size, 1);
  await store.delete(["one"]);
  assert.equal(store.size, 0);
});

Deno.test("memoryStore forgets the oldest expendable entry for another one, and nothing else", async () => {
  const store = new MemoryStore(3);
  await store.set(["session"], 1);
  await store.set(["event", "1"], 1, { expendable: true });
  await store.set(["event", "2"], 2, { expendable: true });
  await store.set(["event", "1"], 3, { expendable: true });
  await store.set(["event", "3"], 4, { expendable: true });
  assert.deepEqual((await entriesOf(store, [])).map(({ value }) => value), [3, 4, 1]);
  await store.set(["other session"], 5);
  await store.set(["third session"], 6);
  assert.deepEqual((await entriesOf(store, [])).map(({ value }) => value), [5, 1, 6]);
  await assert.rejects(store.set(["event", "4"], 7, { expendable: true }), RangeError);
  assert.equal(store.size, 3);
});

Deno.test("MemoryStore forgets expendable entries, the oldest first, while values are too long together", async () => {
  const store = new MemoryStore(100, 40);
  const values = async () => (await entriesOf(store, [])).map(({ value }) => value);
  await store.set(["running"], "r".repeat(8));
  for (const key of ["1", "2", "3", "4"]) await store.set(["ended", key], key.repeat(8), { expendable: true });
  assert.deepEqual(await values(), ["22222222", "33333333", "44444444", "rrrrrrrr"]);
  await store.set(["ended", "4"], "4", { expendable: true });
  await store.set(["ended", "5"], "55555", { expendable: true });
  assert.equal((await values()).length, 5);
  await store.set(["ended", "6"], "6".repeat(100), { expendable: true });
  await store.set(["running"], "r".repeat(100));
  assert.deepEqual(await values(), ["r".repeat(100)]);
});

Deno.test("MemoryStore does not walk a full store for each entry that goes for another one", async () => {
  const store = new MemoryStore(50_000);
  for (let at = 0; at < 150_000; at++) await store.set(["k", String(at)], at, { ttl: 3_600_000, expendable: true });
  assert.equal(store.size, 50_000);
  assert.equal(await store.get(["k", "99999"]), undefined);
  assert.equal((await store.get(["k", "100000"]))?.value, 100_000);
});

Deno.test("MemoryStore stays linear: a hundred thousand writes do not walk it as often", async () => {
  const store = new MemoryStore(200_000);
  for (let at = 0; at < 100_000; at++) await store.set(["k", String(at % 50_000)], at);
  assert.equal(store.size, 50_000);
  assert.equal((await store.get(["k", "49999"]))?.value, 99_999);
});
