import assert from "node:assert/strict";
import { CacheMarks } from "../../../client/cache/cache_marks.ts";
import { CacheShelf } from "../../../client/cache/cache_shelf.ts";
import type { CacheMoment } from "../../../client/cache/cache_shelf.ts";
import { spied } from "./cached.ts";

const SUBJECT = { method: "tools/list", uri: undefined, page: "first" } as const;
const RESULT = { tools: [] };

/** Shelves of two connections over one store, and the clock of both. */
function two(): {
  one: CacheShelf;
  other: CacheShelf;
  at: { steady: number; wall: number };
  store: ReturnType<typeof spied>;
  told: unknown[];
} {
  const at = { steady: 0, wall: 1e12 };
  const store = spied();
  const told: unknown[] = [];
  const limits = { cacheEntries: 10, cacheBytes: 10_000, cacheTtl: 500 };
  const shelf = (): CacheShelf =>
    new CacheShelf({ store, limits, report: (error) => told.push(error), now: (): CacheMoment => ({ ...at }) });
  return { one: shelf(), other: shelf(), at, store, told };
}

async function put(shelf: CacheShelf, ttlMs = 1000): Promise<void> {
  const now = shelf.now();
  shelf.put("k", { subject: SUBJECT, asked: now, arrived: now, ttlMs, text: JSON.stringify(RESULT) });
  await new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("CacheShelf reads what another one put there while it is fresh by its own cap, and only where that is allowed", async () => {
  const { one, other, at } = two();
  await put(one);
  assert.deepEqual(await other.read("k", SUBJECT, true), RESULT);
  assert.equal(await other.read("k", SUBJECT, false), undefined);
  at.wall += 499;
  assert.deepEqual(await other.read("k", SUBJECT, true), RESULT);
  at.wall += 1;
  assert.equal(await other.read("k", SUBJECT, true), undefined);
  // The one that put it there has no such cap on what it was allowed before.
  assert.deepEqual(await one.read("k", SUBJECT, true), RESULT);
});

Deno.test("CacheShelf does not use what seems to come from the future", async () => {
  const { one, other, at } = two();
  await put(one);
  at.wall -= 1;
  assert.equal(await other.read("k", SUBJECT, true), undefined);
});

Deno.test("CacheShelf does not use what others asked for before a change that it was told (M-CACHE-020)", async () => {
  const { one, other, at } = two();
  await put(one);
  at.wall += 1;
  other.dropStale({ methods: ["tools/list"], uri: undefined });
  assert.equal(await other.read("k", SUBJECT, true), undefined);
  at.wall += 1;
  await put(one);
  assert.deepEqual(await other.read("k", SUBJECT, true), RESULT);
});

Deno.test("CacheShelf uses the newer answer that another one has put in place of its own", async () => {
  const { one, other, at } = two();
  await put(one);
  at.wall += 10;
  at.steady += 10;
  await put(other);
  assert.deepEqual(await one.read("k", SUBJECT, true), RESULT);
  assert.equal(await one.read("k", SUBJECT, false), undefined);
});

Deno.test("CacheShelf keeps the answer that was asked for last", async () => {
  const { one, at } = two();
  const early = one.now();
  at.steady += 5;
  await put(one);
  one.put("k", { subject: SUBJECT, asked: early, arrived: one.now(), ttlMs: 1000, text: '{"tools":[],"old":true}' });
  assert.deepEqual(await one.read("k", SUBJECT, true), RESULT);
});

Deno.test("CacheShelf takes out of the store what has become stale, once it is looked for", async () => {
  const { one, at, store } = two();
  await put(one, 10);
  at.steady += 9;
  assert.deepEqual(await one.read("k", SUBJECT, true), RESULT);
  at.steady += 1;
  assert.equal(await one.read("k", SUBJECT, true), undefined);
  assert.equal(store.values.size, 0);
  assert.equal(one.has("k"), false);
});

Deno.test("CacheShelf gives a copy every time", async () => {
  const { one } = two();
  await put(one);
  const read = await one.read("k", SUBJECT, true);
  assert.notEqual(await one.read("k", SUBJECT, true), read);
});

Deno.test("CacheMarks counts the oldest changes for all resources when there are too many", () => {
  const read = (uri: string): { method: string; uri: string; page: undefined } => ({
    method: "resources/read",
    uri,
    page: undefined,
  });
  const marks = new CacheMarks(2);
  marks.add({ methods: undefined, uri: "a:1" }, 10);
  marks.add({ methods: undefined, uri: "a:2" }, 20);
  assert.equal(marks.isStale(read("a:1"), 10), true);
  assert.equal(marks.isStale(read("a:1"), 11), false);
  assert.equal(marks.isStale(read("a:3"), 1), false);
  marks.add({ methods: undefined, uri: "a:1" }, 25);
  marks.add({ methods: undefined, uri: "a:3" }, 30);
  assert.equal(marks.isStale(read("a:9"), 20), true);
  assert.equal(marks.isStale(read("a:9"), 21), false);
  assert.equal(marks.isStale(read("a:1"), 25), true);
  assert.equal(marks.isStale({ method: "tools/list", uri: undefined, page: "first" }, 1), false);
});

Deno.test("CacheShelf reports a store that gives no answer in time, and goes on without it", async () => {
  const told: unknown[] = [];
  const store = { get: () => new Promise<unknown>(() => {}), set: () => {}, delete: () => {} };
  const limits = { cacheEntries: 10, cacheBytes: 10_000, cacheTtl: 500 };
  const shelf = new CacheShelf({ store, limits, report: (error) => told.push(error), storeWait: 5 });
  assert.equal(await shelf.read("k", SUBJECT, true), undefined);
  const [error] = told as [Error];
  assert.equal(error.message, "Using the cache: the store failed");
  assert.match(String(error.cause), /the store gave no answer within 5 ms/);
});
