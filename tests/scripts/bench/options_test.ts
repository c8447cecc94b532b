/** The command line of the bench. */
import assert from "node:assert/strict";
import { PARTS, readOptions } from "../../../scripts/bench/options.ts";

Deno.test("readOptions has defaults and reads what is given", () => {
  assert.deepEqual(readOptions([]), { rounds: 7, seconds: 1, warmUp: 6, only: PARTS, ours: false, draw: false });
  assert.deepEqual(readOptions(["--rounds", "3", "--seconds=2", "--only", "http,list", "--ours"]), {
    rounds: 3,
    seconds: 2,
    warmUp: 6,
    only: ["http", "list"],
    ours: true,
    draw: false,
  });
});

Deno.test("readOptions refuses unknown parts, numbers and options", () => {
  assert.throws(() => readOptions(["--only", "http,tcp"]), /tcp is not one of http/);
  assert.throws(() => readOptions(["--rounds", "0"]), /0 is not a positive number/);
  assert.throws(() => readOptions(["--seconds", "x"]), TypeError);
  assert.throws(() => readOptions(["--loud"]), TypeError);
});

Deno.test("readOptions measures nothing else against another checkout", () => {
  const { only, against } = readOptions(["--against", "../before"]);
  assert.deepEqual(only, ["against"]);
  assert.equal(against, "../before");
});
