/** Tests of `server/stores/memory.ts`. */
import assert from "node:assert/strict";
import { memoryBus } from "../../../server/stores/memory.ts";

Deno.test("memoryBus hands events to every listener of the topic, until it stops", async () => {
  const bus = memoryBus();
  const heard: unknown[] = [];
  const stop = bus.subscribe("a", (event) => heard.push(["one", event]));
  bus.subscribe("a", (event) => heard.push(["two", event]));
  bus.subscribe("b", (event) => heard.push(["other", event]));
  await bus.publish("a", 1);
  stop();
  stop();
  await bus.publish("a", 2);
  await bus.publish("__proto__", 3);
  assert.deepEqual(heard, [["one", 1], ["two", 1], ["two", 2]]);
});

Deno.test("memoryBus counts a function that listens twice as two listeners", async () => {
  const bus = memoryBus();
  let heard = 0;
  const listener = () => heard++;
  const stop = bus.subscribe("a", listener);
  bus.subscribe("a", listener);
  stop();
  await bus.publish("a", 1);
  assert.equal(heard, 1);
});

Deno.test("memoryBus reaches the others when one listener throws", async () => {
  const bus = memoryBus();
  const heard: unknown[] = [];
  bus.subscribe("a", () => {
    throw new Error("listener");
  });
  bus.subscribe("a", (event) => heard.push(event));
  await assert.rejects(bus.publish("a", 1), /listener/);
  assert.deepEqual(heard, [1]);
});
