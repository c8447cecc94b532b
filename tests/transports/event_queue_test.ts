/** Tests of `transports/event_queue.ts`. */
import assert from "node:assert/strict";
import { ANSWER_BACKLOG } from "../../protocol/limits.ts";
import { EventQueue } from "../../transports/event_queue.ts";
import { collect } from "./support.ts";

Deno.test("EventQueue gives what waits from the beginning, then what comes, then the end", async () => {
  const queue = new EventQueue(["a", "b"], () => assert.fail("left"));
  queue.push("c");
  queue.end();
  queue.push("d");
  assert.deepEqual(await collect(queue), ["a", "b", "c"]);
  await queue.return();
});

Deno.test("EventQueue hands an event to a reader that waits, and tells it of the end", async () => {
  const queue = new EventQueue([], () => undefined);
  const first = queue.next();
  await queue.push("a");
  assert.deepEqual(await first, { done: false, value: "a" });
  const second = queue.next();
  queue.end();
  assert.deepEqual(await second, { done: true, value: undefined });
});

Deno.test("EventQueue says once that its reader has left, and how much it had not taken", async () => {
  const left: number[] = [];
  const queue = new EventQueue(["a", "b", "c"], (unread) => left.push(unread));
  await queue.next();
  await queue.return();
  await queue.return();
  assert.deepEqual(left, [2]);
  assert.deepEqual(await queue.next(), { done: true, value: undefined });
  const ended = new EventQueue(["a"], (unread) => left.push(unread));
  ended.end();
  await ended.return();
  assert.deepEqual(left, [2, 1]);
});

Deno.test("EventQueue lets its writer wait while it is full, until there is room or its reader has left", async () => {
  const queue = new EventQueue([], () => undefined);
  let waiting = 0;
  const push = (): void => {
    waiting++;
    queue.push("x").then(() => waiting--);
  };
  for (let at = 0; at < ANSWER_BACKLOG + 2; at++) push();
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(waiting, 3);
  for (let at = 0; at < 3; at++) await queue.next();
  await Promise.resolve();
  assert.equal(waiting, 0);
  push();
  await Promise.resolve();
  assert.equal(waiting, 1);
  await queue.return();
  await Promise.resolve();
  assert.equal(waiting, 0);
});
