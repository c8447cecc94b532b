import assert from "node:assert/strict";
import { readTestCount, splitArguments } from "../../scripts/run_tests.ts";

Deno.test("readTestCount reads the closing line and leaves steps out", () => {
  assert.deepEqual(readTestCount("x\n\nok | 3 passed (12 steps) | 0 failed | 1 ignored (432ms)\n", 0), { passed: 3, failed: 0 });
  assert.deepEqual(readTestCount("\x1b[31mFAILED\x1b[0m | 3 passed | 2 failed (2 steps) \x1b[38m(1s)", 1), {
    passed: 3,
    failed: 2,
  });
});

Deno.test("readTestCount takes the last closing line, since a test may print one", () => {
  assert.deepEqual(readTestCount("ok | 9 passed | 0 failed\nok | 1 passed | 0 failed (1ms)", 0), { passed: 1, failed: 0 });
});

Deno.test("readTestCount counts a failure when nothing was counted or the exit code says so", () => {
  assert.deepEqual(readTestCount("error: Type checking failed.", 1), { passed: 0, failed: 1 });
  assert.deepEqual(readTestCount("ok | 3 passed | 0 failed (1ms)\nerror: the threshold", 1), { passed: 3, failed: 1 });
  assert.deepEqual(readTestCount("", 0), { passed: 0, failed: 1 });
});

Deno.test("splitArguments tells paths from flags and their values", () => {
  assert.deepEqual(splitArguments(["tests/scripts", "deno.json", "tests/none", "--filter", "a name", "--fail-fast"]), {
    paths: ["tests/scripts", "deno.json", "tests/none"],
    flags: ["--filter", "a name", "--fail-fast"],
  });
});
