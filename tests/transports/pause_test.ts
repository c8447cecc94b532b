/** Tests of `transports/pause.ts`. */
import assert from "node:assert/strict";
import { pause } from "../../transports/pause.ts";

Deno.test("pause() ends by itself, at an abort, and at once for an aborted signal", async () => {
  const abort = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = abort.signal;
  abort.signal.addEventListener = (...args: unknown[]) => (listeners++, Reflect.apply(addEventListener, abort.signal, args));
  abort.signal.removeEventListener = (
    ...args: unknown[]
  ) => (listeners--, Reflect.apply(removeEventListener, abort.signal, args));
  await pause(1, abort.signal);
  assert.equal(listeners, 0);
  const ended: string[] = [];
  // A timer with such a number would fire at once if it were not cut.
  const long = pause(Number.MAX_SAFE_INTEGER, abort.signal).then(() => ended.push("long"));
  await pause(20, new AbortController().signal).then(() => ended.push("short"));
  abort.abort();
  await long;
  await pause(1e6, abort.signal);
  assert.deepEqual([ended, listeners], [["short", "long"], 0]);
});
