/** Stores that give no answer. */
import assert from "node:assert/strict";
import type { Store } from "../../../server/stores/store.ts";
import { memoryStore } from "../../../server/stores/memory.ts";
import { timedStore } from "../../../server/http/timed_store.ts";

const never = (): Promise<never> => new Promise(() => {});
const MUTE: Store = {
  get: never,
  set: never,
  delete: never,
  list: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }),
};

Deno.test("timedStore fails every call of a store that gives no answer", async () => {
  const store = timedStore(MUTE, 5);
  const refusal = /Using the store of the sessions: it gave no answer within 5 ms/;
  await assert.rejects(store.get(["a"]), refusal);
  await assert.rejects(store.set(["a"], 1), refusal);
  await assert.rejects(store.delete(["a"]), refusal);
  await assert.rejects(Array.fromAsync(store.list(["a"])), refusal);
});

Deno.test("timedStore gives what the store gives", async () => {
  const store = timedStore(memoryStore(), 1_000);
  assert.equal(await store.set(["a", "b"], { c: 1 }), true);
  assert.deepEqual((await store.get(["a", "b"]))?.value, { c: 1 });
  assert.deepEqual((await Array.fromAsync(store.list(["a"]))).map(({ key }) => key), [["a", "b"]]);
  await store.delete(["a", "b"]);
  assert.equal(await store.get(["a", "b"]), undefined);
});

Deno.test("timedStore passes on what the store throws", async () => {
  const store = timedStore({ ...MUTE, get: () => Promise.reject(new RangeError("full")) }, 1_000);
  await assert.rejects(store.get(["a"]), RangeError);
});
