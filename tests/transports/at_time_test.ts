/** Tests of `transports/at_time.ts`. */
import assert from "node:assert/strict";
import { atTime } from "../../transports/at_time.ts";

Deno.test("atTime() acts once the time has come, also when that is past, and not before a time beyond what timers hold", async () => {
  const acted: string[] = [];
  const far = [2 ** 31, 2 ** 40, 2 ** 52].map((left) => atTime(Date.now() + left, () => acted.push("far")));
  const taken = atTime(Date.now(), () => acted.push("taken back"));
  taken();
  await new Promise<void>((resolve) => atTime(Date.now() - 1000, resolve));
  await new Promise<void>((resolve) => atTime(Date.now() + 20, resolve));
  assert.deepEqual(acted, []);
  for (const stop of far) stop();
});
