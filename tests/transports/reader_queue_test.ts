/** Tests of `transports/reader_queue.ts`. */
import assert from "node:assert/strict";
import { ANSWER_BACKLOG } from "../../protocol/limits.ts";
import { ReaderQueue } from "../../transports/reader_queue.ts";
import { collect } from "./support.ts";

Deno.test("ReaderQueue gives what waits from the beginning, then what comes, then the end", async () => {
  const queue = new ReaderQueue<string>(["a", "b"], () => assert.fail("left"));
  queue.push("c");
  queue.end();
  queue.push("d");
  assert.deepEqual(await collect(queue), ["a", "b", "c"]);
  await queue.return();
});

Deno.test("ReaderQueue hands an event to a reader that waits, and tells it of the end", async () => {
  const queue = new ReaderQueue<string>([], () => undefined);
  const first = queue.next();
  await queue.push("a");
  assert.deepEqual(await first, { done: false, value: "a" });
  const second = queue.next();
  queue.end();
  assert.deepEqual(await second, { done: true, value: undefined });
});

Deno.test("ReaderQueue says once that its reader has left, and how much it had not taken", async () => {
  const left: number[] = [];
  const queue = new ReaderQueue<string>(["a", "b", "c"], (unread) => left.push(unread));
  await queue.next();
  await queue.return();
  await queue.return();
  assert.deepEqual(left, [2]);
  assert.deepEqual(await queue.next(), { done: true, value: undefined });
  const ended = new ReaderQueue<string>(["a"], (unread) => left.push(unread));
  ended.end();
  await ended.return();
  assert.deepEqual(left, [2, 1]);
});

Deno.test("ReaderQueue lets its writer wait while it is full, until there is room or its reader has left", async () => {
  const queue = new ReaderQueue<string>([], () => undefined);
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

Deno.test("ReaderQueue keeps the order, whether the reader or the sender is first", async () => {
  const stream = new ReaderQueue<string>([], () => assert.fail("the reader did not leave"));
  stream.push(String(1));
  stream.push(String(2));
  const reading = collect(stream);
  await Promise.resolve();
  await Promise.resolve();
  stream.push(String(3));
  stream.end();
  stream.push(String(4));
  stream.end();
  assert.deepEqual(await reading, ["1", "2", "3"]);
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
});

Deno.test("ReaderQueue lets nobody wait after its end, however it comes", async () => {
  for (const end of ["end", "drop", "return"] as const) {
    const stream = new ReaderQueue<string>([], () => undefined);
    let waiting: Promise<void> = Promise.resolve();
    for (let at = 0; at < 70; at++) waiting = stream.push(String(at));
    stream[end]();
    await waiting;
    await stream.push(String(99));
  }
});

Deno.test("ReaderQueue drops what waits, and ends a waiting reader", async () => {
  const stream = new ReaderQueue<string>([], () => undefined);
  stream.push(String(1));
  stream.drop();
  assert.deepEqual(await collect(stream), []);
  const idle = new ReaderQueue<string>([], () => undefined);
  const reading = collect(idle);
  await Promise.resolve();
  idle.drop();
  assert.deepEqual(await reading, []);
});

Deno.test("ReaderQueue gives items in order and counts them, however many wait and whenever more come", async () => {
  let unread: number | undefined;
  const queue = new ReaderQueue<string>(["0"], (left) => unread = left);
  let pushed = 1;
  for (let taken = 0; taken < 100_000; taken++) {
    // Some come between two reads, so that the queue grows and shrinks.
    while (pushed < Math.min(200_000, 3 * taken + 2)) void queue.push(String(pushed++));
    assert.equal((await queue.next()).value, String(taken));
    assert.equal(queue.size, pushed - taken - 1);
  }
  await queue.return();
  assert.deepEqual([unread, queue.size], [100_000, 0]);
});
