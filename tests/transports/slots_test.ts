/** Tests of `transports/slots.ts`. */
import assert from "node:assert/strict";
import { Slots } from "../../transports/slots.ts";

Deno.test("Slots lets so many in at once, and the others in the order of coming", async () => {
  const slots = new Slots(2);
  const { signal } = new AbortController();
  const entered: number[] = [];
  const places = [1, 2, 3, 4].map(async (n) => {
    const leave = await slots.take(signal);
    entered.push(n);
    return leave;
  });
  const [first, second] = await Promise.all(places.slice(0, 2));
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(entered, [1, 2]);
  second?.();
  second?.();
  const third = await places[2];
  assert.deepEqual(entered, [1, 2, 3]);
  first?.();
  third?.();
  (await places[3])?.();
  assert.deepEqual(entered, [1, 2, 3, 4]);
});

Deno.test("Slots ends a wait by its signal, and keeps no place for it", async () => {
  const slots = new Slots(1);
  const abort = new AbortController();
  const leave = await slots.take(new AbortController().signal);
  const waiting = slots.take(abort.signal);
  abort.abort(new Error("enough"));
  await assert.rejects(waiting, { message: "enough" });
  await assert.rejects(slots.take(abort.signal), { message: "enough" });
  leave();
  (await slots.take(new AbortController().signal))();
});
