/** What every store has to do, as one table that any backend is put through. */
import assert from "node:assert/strict";
import type { Store, StoreEntry } from "../../../server/stores/store.ts";

/** One thing that a store does. */
export interface StoreCase {
  /** The fact. */
  readonly name: string;
  /** Shows it on an empty store. */
  run(store: Store): Promise<void>;
}

/** Reads a list to its end. */
export async function entriesOf(store: Store, prefix: readonly string[]): Promise<StoreEntry[]> {
  const all: StoreEntry[] = [];
  for await (const entry of store.list(prefix)) all.push(entry);
  return all;
}

/** Waits for longer than some milliseconds. */
export async function later(ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() <= until) await new Promise((resolve) => setTimeout(resolve, 1));
}

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  "",
  "text",
  [1, [2]],
  { a: { b: [] }, "": 1 },
  JSON.parse('{"__proto__":1,"constructor":"own"}'),
];

/** The contract of {@linkcode Store}. */
export const STORE_CASES: readonly StoreCase[] = [
  {
    name: "gives what was set, and nothing for another key",
    async run(store) {
      for (const [at, value] of VALUES.entries()) {
        assert.equal(await store.set(["values", String(at)], value), true);
        assert.deepEqual((await store.get(["values", String(at)]))?.value, value);
      }
      assert.equal(await store.get(["values"]), undefined);
      assert.equal(await store.get(["values", "0", "more"]), undefined);
      assert.equal(await store.get(["other"]), undefined);
    },
  },
  {
    name: "keeps keys apart whatever their parts are",
    async run(store) {
      const keys = [["a", "b"], ["a,b"], ["a\0b"], ["a", "", "b"], ["a/b"], ["__proto__", "x"], ["constructor"], ["ab"], [
        "é\u{1F600}",
      ]];
      for (const [at, key] of keys.entries()) await store.set(key, at);
      for (const [at, key] of keys.entries()) assert.equal((await store.get(key))?.value, at, key.join("|"));
    },
  },
  {
    name: "gives copies that nobody else can change",
    async run(store) {
      const value = { list: [1] };
      await store.set(["k"], value);
      value.list.push(2);
      const first = (await store.get(["k"]))?.value as typeof value;
      assert.deepEqual(first, { list: [1] });
      try {
        first.list.push(3);
      } catch {
        // A frozen copy is as good.
      }
      assert.deepEqual((await store.get(["k"]))?.value, { list: [1] });
    },
  },
  {
    name: "replaces a value, and gives it another version",
    async run(store) {
      await store.set(["k"], 1);
      const first = await store.get(["k"]);
      await store.set(["k"], 1);
      const second = await store.get(["k"]);
      assert.equal(typeof first?.version, "string");
      assert.notEqual(first?.version, second?.version);
    },
  },
  {
    name: "sets with ifVersion only while the entry has that version",
    async run(store) {
      await store.set(["k"], 1);
      const version = (await store.get(["k"]))?.version ?? "";
      assert.equal(await store.set(["k"], 2, { ifVersion: version }), true);
      assert.equal(await store.set(["k"], 3, { ifVersion: version }), false);
      assert.equal(await store.set(["absent"], 3, { ifVersion: version }), false);
      assert.equal((await store.get(["k"]))?.value, 2);
      assert.equal(await store.get(["absent"]), undefined);
    },
  },
  {
    name: "sets with ifVersion null only where there is nothing, once among many at a time",
    async run(store) {
      const won = await Promise.all([1, 2, 3, 4].map((value) => store.set(["k"], value, { ifVersion: null })));
      assert.equal(won.filter(Boolean).length, 1);
      await store.delete(["k"]);
      assert.equal(await store.set(["k"], 5, { ifVersion: null }), true);
    },
  },
  {
    name: "forgets a key alone, and minds none that is not there",
    async run(store) {
      await store.set(["a"], 1);
      await store.set(["a", "b"], 2);
      await store.delete(["a"]);
      await store.delete(["a"]);
      await store.delete(["never"]);
      assert.equal(await store.get(["a"]), undefined);
      assert.equal((await store.get(["a", "b"]))?.value, 2);
    },
  },
  {
    name: "gives nothing whose time is over, and lets it be set as new",
    async run(store) {
      await store.set(["short"], 1, { ttl: 20 });
      await store.set(["long"], 2, { ttl: 60_000 });
      assert.equal((await store.get(["short"]))?.value, 1);
      await later(20);
      assert.equal(await store.get(["short"]), undefined);
      assert.deepEqual((await entriesOf(store, [])).map(({ value }) => value), [2]);
      assert.equal(await store.set(["short"], 3, { ifVersion: null }), true);
    },
  },
  {
    name: "keeps for good what is set again without a time",
    async run(store) {
      await store.set(["k"], 1, { ttl: 20 });
      await store.set(["k"], 2);
      await later(20);
      assert.equal((await store.get(["k"]))?.value, 2);
    },
  },
  {
    name: "lists what begins with the parts, in the order of the keys, with values and versions",
    async run(store) {
      for (const key of [["b"], ["a", "2"], ["a", "10"], ["a"], ["ab", "1"], ["a", "1", "x"]]) {
        await store.set(key, key.join("."));
      }
      const found = await entriesOf(store, ["a"]);
      const below = found.filter(({ key }) => key.length > 1);
      assert.deepEqual(below.map(({ key }) => key), [["a", "1", "x"], ["a", "10"], ["a", "2"]]);
      for (const { key, value, version } of found) {
        assert.deepEqual(await store.get(key), { value, version });
      }
      assert.deepEqual(await entriesOf(store, ["none"]), []);
    },
  },
  {
    name: "lists on while entries come and go",
    async run(store) {
      for (const part of ["1", "2", "3"]) await store.set(["l", part], part);
      const seen: unknown[] = [];
      for await (const { key, value } of store.list(["l"])) {
        seen.push(value);
        await store.delete(key);
        await store.set(["l", `new ${value}`], 0);
        if (seen.length > 10) break;
      }
      assert.deepEqual(seen.slice(0, 1), ["1"]);
      assert.ok(seen.length <= 6, String(seen.length));
    },
  },
];
