import assert from "node:assert/strict";
import { untilAborted } from "../../../client/waits/until_aborted.ts";
import { countListeners } from "../scripted.ts";

Deno.test("untilAborted rejects with the reason of the signal, before and while it waits", async () => {
  const pending = new Promise<never>(() => undefined);
  await assert.rejects(untilAborted(pending, AbortSignal.abort(new Error("before"))), { message: "before" });
  const abort = new AbortController();
  const waiting = untilAborted(pending, abort.signal);
  abort.abort(new Error("while"));
  await assert.rejects(waiting, { message: "while" });
  await assert.rejects(untilAborted(Promise.reject(new Error("late")), AbortSignal.abort(new Error("before"))), {
    message: "before",
  });
});

Deno.test("untilAborted gives what it waited for, and leaves no listener", async () => {
  const { signal } = new AbortController();
  const listeners = countListeners(signal);
  assert.equal(await untilAborted(Promise.resolve(1), signal), 1);
  await assert.rejects(untilAborted(Promise.reject(new Error("x")), signal), { message: "x" });
  await Promise.resolve();
  assert.equal(listeners(), 0);
  assert.equal(await untilAborted(Promise.resolve(2), undefined), 2);
});
