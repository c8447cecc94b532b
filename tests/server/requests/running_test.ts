/** Tests of `server/requests/running.ts`. */
import assert from "node:assert/strict";
import { ProtocolError } from "../../../protocol/errors.ts";
import { Running } from "../../../server/requests/running.ts";
import { until } from "../../until.ts";

Deno.test("Running looks at what runs, and at nothing after it was deleted", async () => {
  const running = new Running();
  let looks = 0;
  const own = { look: () => looks++, fail: () => undefined };
  running.add(own);
  assert.equal(running.size, 1);
  await until(() => looks > 1);
  running.delete(own);
  running.delete(own);
  const before = looks;
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.deepEqual([looks, running.size], [before, 0]);
});

Deno.test("Running has a timer only while something runs", () => {
  const running = new Running();
  const first = { look: () => undefined, fail: () => undefined };
  const second = { look: () => undefined, fail: () => undefined };
  running.add(first);
  running.add(second);
  running.delete(first);
  running.delete(second);
  assert.equal(running.size, 0, "a timer left behind would fail this test");
});

Deno.test("Running fails everything, the youngest first, also what takes itself out meanwhile", () => {
  const running = new Running();
  const failed: unknown[] = [];
  for (const name of ["a", "b"]) {
    const own = {
      look: () => undefined,
      fail: (error: ProtocolError) => {
        failed.push([name, error]);
        running.delete(own);
      },
    };
    running.add(own);
  }
  const error = new ProtocolError(-32603, "Server is closing");
  running.failAll(error);
  assert.deepEqual([failed, running.size], [[["b", error], ["a", error]], 0]);
});
