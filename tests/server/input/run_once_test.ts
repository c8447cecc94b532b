/** Tests of `server/input/run_once.ts`. */
import assert from "node:assert/strict";
import { RunOnce } from "../../../server/input/run_once.ts";

Deno.test("RunOnce runs a function once for a key, also when both callers come at once", async () => {
  let ran = 0;
  const once = new RunOnce();
  const made = await Promise.all([once.run("k", () => ++ran), once.run("k", () => ++ran), once.run("other", () => "x")]);
  assert.deepEqual([made, ran, await once.run("k", () => ++ran)], [[1, 1, "x"], 1, 1]);
  assert.deepEqual([...once.results], [["k", 1], ["other", "x"]]);
});

Deno.test("RunOnce begins with earlier results, undefined ones too, and hands out copies", async () => {
  const once = new RunOnce([["list", [1]], ["none", undefined]]);
  const list = await once.run("list", () => "again") as number[];
  list.push(2);
  assert.deepEqual(await once.run("list", () => "again"), [1]);
  assert.equal(await once.run("none", () => "again"), undefined);
});

Deno.test("RunOnce keeps nothing of what fails, and waits for what runs", async () => {
  const once = new RunOnce();
  await assert.rejects(once.run("k", () => Promise.reject(new RangeError("no"))), RangeError);
  await assert.rejects(once.run("k", () => new Map()), /^TypeError: ctx\.once\("k"\): A Map or Set cannot be written as JSON/);
  const failing = once.run("k", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    throw new RangeError("late");
  });
  failing.catch(() => undefined);
  await once.settled();
  assert.deepEqual([...once.results], []);
  assert.equal(await once.run("k", () => "then"), "then");
});
