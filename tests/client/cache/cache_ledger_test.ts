import assert from "node:assert/strict";
import { CacheLedger } from "../../../client/cache/cache_ledger.ts";

Deno.test("CacheLedger takes out what was used longest ago, at the number of entries and at the bytes", () => {
  const ledger = new CacheLedger<number>({ entries: 3, bytes: 100 });
  assert.deepEqual([ledger.add("a", 1, 10), ledger.add("b", 2, 10), ledger.add("c", 3, 10)], [[], [], []]);
  ledger.touch("a");
  ledger.touch("nothing");
  assert.deepEqual(ledger.add("d", 4, 10), ["b"]);
  assert.equal(ledger.peek("a"), 1);
  // Looking was no use: "c" is still the oldest.
  ledger.peek("c");
  assert.deepEqual(ledger.add("e", 5, 81), ["c", "a"]);
  assert.deepEqual([ledger.size, ledger.bytes], [2, 91]);
  assert.deepEqual(ledger.add("d", 6, 19), []);
  assert.deepEqual([ledger.size, ledger.bytes], [2, 100]);
  assert.deepEqual(ledger.keys((item) => item > 5), ["d"]);
  ledger.delete("e");
  ledger.delete("e");
  assert.deepEqual([ledger.size, ledger.bytes], [1, 19]);
});

Deno.test("CacheLedger fits a quarter of all bytes and not one more, and nothing without entries", () => {
  const ledger = new CacheLedger({ entries: 1, bytes: 400 });
  assert.equal(ledger.fits(100), true);
  assert.equal(ledger.fits(101), false);
  assert.equal(new CacheLedger({ entries: 0, bytes: 400 }).fits(0), false);
  assert.equal(new CacheLedger({ entries: 1, bytes: 0 }).fits(1), false);
});

Deno.test("CacheLedger keeps its books right in any order of operations (seeded)", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = generator(seed);
    const below = (n: number): number => Math.floor(random() * n);
    const entries = 1 + below(8);
    const bytes = 40 + below(400);
    const ledger = new CacheLedger<number>({ entries, bytes });
    /** The plainest books: the one that was used longest ago comes first. */
    let model: { key: string; item: number; bytes: number }[] = [];
    for (let step = 0; step < 400; step++) {
      const key = `k${below(12)}`;
      switch (below(6)) {
        case 0: {
          ledger.delete(key);
          model = model.filter((line) => line.key !== key);
          break;
        }
        case 1: {
          ledger.touch(key);
          const line = model.find((line) => line.key === key);
          if (line !== undefined) model = [...model.filter((other) => other !== line), line];
          break;
        }
        case 2: {
          assert.equal(ledger.peek(key), model.find((line) => line.key === key)?.item);
          break;
        }
        default: {
          const size = below(Math.ceil(bytes / 3));
          assert.equal(ledger.fits(size), size * 4 <= bytes);
          if (!ledger.fits(size)) break;
          const gone = ledger.add(key, step, size);
          model = [...model.filter((line) => line.key !== key), { key, item: step, bytes: size }];
          const dropped: string[] = [];
          while (model.length > entries || sum(model) > bytes) dropped.push(model.shift()?.key ?? "");
          assert.deepEqual(gone, dropped);
        }
      }
      assert.deepEqual(ledger.keys(() => true), model.map((line) => line.key), `seed ${seed}, step ${step}`);
      assert.deepEqual([ledger.size, ledger.bytes], [model.length, sum(model)]);
      assert.ok(ledger.size <= entries && ledger.bytes <= bytes);
    }
  }
});

function sum(lines: readonly { readonly bytes: number }[]): number {
  return lines.reduce((total, { bytes }) => total + bytes, 0);
}

/** Mulberry32: small, seeded, good enough for tests. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
