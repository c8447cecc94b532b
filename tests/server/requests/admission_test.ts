/** Tests of `server/requests/admission.ts`. */
import assert from "node:assert/strict";
import { Admission } from "../../../server/requests/admission.ts";

Deno.test("Admission hands out as many slots as there are", () => {
  const admission = new Admission(2, 0);
  assert.deepEqual([admission.take(), admission.take(), admission.take()], [true, true, false]);
  admission.give();
  assert.deepEqual([admission.take(), admission.take()], [true, false]);
});

Deno.test("Admission gives a slot to the call that waits longest, and keeps count", () => {
  const admission = new Admission(1, 2);
  const started: string[] = [];
  admission.take();
  assert.ok(admission.wait(() => started.push("first")));
  assert.ok(admission.wait(() => started.push("second")));
  assert.equal(admission.wait(() => started.push("third")), undefined);
  assert.deepEqual(admission.state, { running: 1, waiting: 2, handlers: 1, handlerQueue: 2 });
  admission.give();
  assert.deepEqual(started, ["first"]);
  assert.equal(admission.take(), false, "the slot went to the call that waited");
  admission.give();
  admission.give();
  assert.deepEqual([started, admission.take()], [["first", "second"], true]);
});

Deno.test("Admission forgets a call that leaves the queue", () => {
  const admission = new Admission(1, 1);
  const started: string[] = [];
  admission.take();
  const leave = admission.wait(() => started.push("left"));
  leave?.();
  leave?.();
  assert.ok(admission.wait(() => started.push("stayed")), "the place is free again");
  admission.give();
  assert.deepEqual(started, ["stayed"]);
});

Deno.test("Admission lets handlers that come back go on before calls that wait to begin, in the order of their coming", () => {
  const admission = new Admission(1, 2);
  const order: string[] = [];
  assert.ok(admission.take());
  admission.wait(() => order.push("new"));
  admission.comeBack(() => order.push("first"));
  const leave = admission.comeBack(() => order.push("gone"));
  admission.comeBack(() => order.push("second"));
  leave();
  for (let turn = 0; turn < 4; turn++) admission.give();
  assert.deepEqual(order, ["first", "second", "new"]);
  assert.equal(admission.state.running, 0);
});

Deno.test("Admission hands a slot through a queue of any length, whose calls end at once, in order", () => {
  const admission = new Admission(1, 100_000);
  const order: number[] = [];
  assert.ok(admission.take());
  for (let call = 0; call < 100_000; call++) {
    admission.wait(() => {
      admission.give();
      order.push(call);
    });
  }
  admission.give();
  assert.equal(order.length, 100_000);
  assert.ok(order.every((call, at) => call === at));
  assert.equal(admission.state.running, 0);
  assert.ok(admission.take());
});

Deno.test("Admission loses no slot when a call that begins throws", () => {
  const admission = new Admission(2, 2);
  assert.ok(admission.take() && admission.take());
  admission.wait(() => {
    admission.give();
    throw new Error("It could not begin");
  });
  assert.throws(() => admission.give(), /could not begin/);
  admission.give();
  assert.equal(admission.state.running, 0);
});

Deno.test("Admission lets those that can be held wait beyond the places, and releases them when a place is free", async () => {
  const admission = new Admission(1, 1);
  const told: string[] = [];
  admission.take();
  admission.wait(() => told.push("first"));
  const hold = (room: Promise<void>): void => void room.then(() => told.push("room"));
  const leave = admission.wait(() => told.push("held"), hold);
  assert.equal(admission.wait(() => undefined), undefined, "what can not be held is refused");
  admission.give();
  await undefined;
  await undefined;
  assert.deepEqual(told, ["first", "room"]);
  admission.wait(() => told.push("second"), hold);
  leave?.();
  await undefined;
  await undefined;
  assert.deepEqual(told, ["first", "room", "room"]);
});
