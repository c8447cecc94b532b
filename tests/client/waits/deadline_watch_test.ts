import assert from "node:assert/strict";
import { DeadlineWatch } from "../../../client/waits/deadline_watch.ts";
import type { Deadline } from "../../../client/waits/deadline_watch.ts";
import { deferred } from "../scripted.ts";

function deadline(inMs: number, log: string[], name: string, now = performance.now()): Deadline {
  return { due: now + inMs, onDue: () => void log.push(name), fail: () => void log.push(`${name} failed`) };
}

Deno.test("DeadlineWatch ends what is due, soonest first, and leaves no timer", async () => {
  const watch = new DeadlineWatch();
  const log: string[] = [];
  const over = deferred();
  const now = performance.now();
  watch.add(deadline(20, log, "late", now));
  watch.add(deadline(5, log, "soon", now));
  const deleted = deadline(1, log, "deleted");
  watch.add(deleted);
  watch.delete(deleted);
  watch.add({ due: performance.now() + 30, onDue: () => over.resolve(), fail: () => undefined });
  await over.promise;
  assert.deepEqual(log, ["soon", "late"]);
});

Deno.test("DeadlineWatch follows a deadline that moves (M-CANC-011)", async () => {
  const watch = new DeadlineWatch();
  const log: string[] = [];
  const moved = deadline(1, log, "moved");
  const over = deferred();
  watch.add(moved);
  moved.due += 60_000;
  watch.add({ due: performance.now() + 12, onDue: () => over.resolve(), fail: () => undefined });
  await over.promise;
  assert.deepEqual(log, []);
  moved.due = performance.now();
  watch.add({ due: performance.now(), onDue: () => undefined, fail: () => undefined });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(log, ["moved"]);
});

Deno.test("DeadlineWatch drops its timer once nothing waits (B089)", async () => {
  const watch = new DeadlineWatch();
  for (let i = 0; i < 3; i++) {
    const one = deadline(60_000, [], "never");
    watch.add(one);
    await Promise.resolve();
    watch.delete(one);
  }
});

Deno.test("DeadlineWatch takes delays that no timer can", async () => {
  const watch = new DeadlineWatch();
  const log: string[] = [];
  const endless = deadline(2 ** 40, log, "endless");
  watch.add(endless);
  await new Promise((resolve) => setTimeout(resolve, 5));
  watch.delete(endless);
  assert.deepEqual(log, []);
});

Deno.test("DeadlineWatch fails everything at once", () => {
  const watch = new DeadlineWatch();
  const log: string[] = [];
  for (const name of ["a", "b"]) {
    const one: Deadline = {
      due: performance.now() + 60_000,
      onDue: () => undefined,
      fail: () => {
        log.push(name);
        watch.delete(one);
      },
    };
    watch.add(one);
  }
  watch.failAll(new Error("over"));
  assert.deepEqual(log, ["a", "b"]);
});

Deno.test("DeadlineWatch lets the time stand still while it is held, for what waits and what comes meanwhile", async () => {
  const watch = new DeadlineWatch();
  const log: string[] = [];
  const release = watch.hold(60_000);
  const again = watch.hold(60_000);
  watch.add(deadline(1, log, "before"));
  await new Promise((resolve) => setTimeout(resolve, 15));
  release();
  release();
  await new Promise((resolve) => setTimeout(resolve, 15));
  assert.deepEqual(log, []);
  again();
  const over = deferred();
  watch.add({ due: performance.now() + 60, onDue: () => over.resolve(), fail: () => undefined });
  await over.promise;
  assert.deepEqual(log, ["before"]);
});

Deno.test("DeadlineWatch is not held for ever", async () => {
  const watch = new DeadlineWatch();
  const over = deferred();
  const release = watch.hold(5);
  watch.add({ due: performance.now(), onDue: () => over.resolve(), fail: () => undefined });
  await over.promise;
  release();
});

Deno.test("DeadlineWatch says with what everything was ended", () => {
  const watch = new DeadlineWatch();
  const before = watch.ended;
  const error = new Error("closed");
  watch.failAll(error);
  assert.deepEqual([before, watch.ended], [undefined, { error }]);
});
