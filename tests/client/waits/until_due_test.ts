/** Tests of `client/waits/until_due.ts`. */
import assert from "node:assert/strict";
import { DeadlineWatch } from "../../../client/waits/deadline_watch.ts";
import { untilDue } from "../../../client/waits/until_due.ts";

const NEVER = new Promise<void>(() => undefined);
const late = (): Error => new Error("late");
const terms = (watch: DeadlineWatch, timeout: number) => ({ watch, due: performance.now() + timeout, late });

Deno.test("untilDue gives what comes in time, and what it fails with, and leaves nothing behind", async () => {
  const watch = new DeadlineWatch();
  assert.equal(await untilDue(Promise.resolve(1), terms(watch, 60_000)), 1);
  const fault = new Error("no");
  await assert.rejects(untilDue(Promise.reject(fault), terms(watch, 60_000)), fault);
});

Deno.test("untilDue ends by its time, its signal and the end of what watches it", async () => {
  const watch = new DeadlineWatch();
  await assert.rejects(untilDue(NEVER, terms(watch, 5)), { message: "late" });
  const abort = new AbortController();
  const waiting = untilDue(NEVER, { ...terms(watch, 60_000), signal: abort.signal });
  abort.abort(new Error("enough"));
  await assert.rejects(waiting, { message: "enough" });
  await assert.rejects(untilDue(NEVER, { ...terms(watch, 60_000), signal: abort.signal }), { message: "enough" });
  const open = untilDue(NEVER, terms(watch, 60_000));
  watch.failAll(new Error("closed"));
  await assert.rejects(open, { message: "closed" });
});

Deno.test("untilDue tells when nobody waits any more", async () => {
  const watch = new DeadlineWatch();
  let left = 0;
  const onLeave = (): void => void left++;
  await untilDue(Promise.resolve(), { ...terms(watch, 60_000), onLeave });
  assert.equal(left, 0);
  await assert.rejects(untilDue(NEVER, { ...terms(watch, 5), onLeave }), { message: "late" });
  assert.equal(left, 1);
});
