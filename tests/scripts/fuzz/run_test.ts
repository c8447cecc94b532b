import assert from "node:assert/strict";
import { createRandom, mutateJson, randomJson } from "../../../scripts/fuzz/random.ts";
import { fuzz } from "../../../scripts/fuzz/run.ts";
import { closeServed } from "../../../scripts/fuzz/server_target.ts";
import { must, target } from "../../../scripts/fuzz/target.ts";
import { TARGETS } from "../../../scripts/fuzz/targets.ts";

Deno.test("fuzz feeds every target with 20,000 inputs in all: nothing crashes, and nothing forged is taken", async (t) => {
  try {
    const crash = await fuzz({ seed: 1, inputs: 20_000, targets: TARGETS });
    await t.step(`seed 1${crash === undefined ? "" : `: ${crash.target}, input ${crash.index}: ${crash.input}`}`, () => {
      if (crash !== undefined) throw crash.error;
    });
  } finally {
    await closeServed();
  }
});

Deno.test("fuzz stops at the first crash and names the input, which the seed and its number make again", async () => {
  const seen: number[] = [];
  const brittle = target<number>({
    name: "brittle",
    weight: 1,
    make: (random) => random.below(50),
    check(input) {
      seen.push(input);
      must(input !== 7, "there is no seven");
    },
  });
  const crash = await fuzz({ seed: 3, inputs: 10_000, targets: [brittle] });
  assert.equal(crash?.target, "brittle");
  assert.equal(crash?.input, "7");
  assert.equal(seen.at(-1), 7);
  assert.equal(crash.index, seen.length - 1);
  assert.equal((await fuzz({ seed: 3, inputs: 1, targets: [brittle], from: crash.index }))?.input, "7");
});

Deno.test("fuzz finds a promise that is rejected and that nobody takes", async () => {
  const loose = target<number>({
    name: "loose",
    weight: 1,
    make: () => 0,
    check() {
      void Promise.reject(new Error("nobody takes this"));
    },
  });
  const crash = await fuzz({ seed: 1, inputs: 1, targets: [loose] });
  assert.match(String(crash?.error), /nobody took it/);
});

Deno.test("createRandom makes the same input for the same seed and number, and different ones otherwise", () => {
  const make = (seed: number, index: number): string => {
    const random = createRandom(seed, index);
    return JSON.stringify(mutateJson(random, randomJson(random, 4), 3)) ?? "undefined";
  };
  const texts = Array.from({ length: 200 }, (_, index) => make(5, index));
  assert.deepEqual(Array.from({ length: 200 }, (_, index) => make(5, index)), texts);
  assert.ok(new Set(texts).size > 100);
});
