/** Tests of `server/message_stream.ts`. */
import assert from "node:assert/strict";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { MessageStream } from "../../server/message_stream.ts";

function note(at: number): JsonRpcMessage {
  return { jsonrpc: "2.0", method: "note", params: { at } };
}

async function read(stream: MessageStream): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const message of stream) all.push(("params" in message ? message.params : undefined)?.at);
  return all;
}

Deno.test("MessageStream keeps the order, whether the reader or the sender is first", async () => {
  const stream = new MessageStream(() => assert.fail("the reader did not leave"));
  stream.push(note(1));
  stream.push(note(2));
  const reading = read(stream);
  await Promise.resolve();
  await Promise.resolve();
  stream.push(note(3));
  stream.end();
  stream.push(note(4));
  stream.end();
  assert.deepEqual(await reading, [1, 2, 3]);
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
});

Deno.test("MessageStream lets a sender wait while many messages wait, until the reader took some", async () => {
  const stream = new MessageStream(() => undefined);
  let waiting: Promise<void> | undefined;
  let released = false;
  for (let at = 0; at < 64; at++) waiting = stream.push(note(at));
  waiting?.then(() => released = true);
  await Promise.resolve();
  assert.equal(released, false);
  await stream.next();
  await Promise.resolve();
  assert.equal(released, true);
});

Deno.test("MessageStream lets nobody wait after its end, however it comes", async () => {
  for (const end of ["end", "drop", "return"] as const) {
    const stream = new MessageStream(() => undefined);
    let waiting: Promise<void> = Promise.resolve();
    for (let at = 0; at < 70; at++) waiting = stream.push(note(at));
    stream[end]();
    await waiting;
    await stream.push(note(99));
  }
});

Deno.test("MessageStream drops what waits, and ends a waiting reader", async () => {
  const stream = new MessageStream(() => undefined);
  stream.push(note(1));
  stream.drop();
  assert.deepEqual(await read(stream), []);
  const idle = new MessageStream(() => undefined);
  const reading = read(idle);
  await Promise.resolve();
  idle.drop();
  assert.deepEqual(await reading, []);
});

Deno.test("MessageStream tells once that the reader left early, and nothing when it left at the end", async () => {
  let left = 0;
  const stream = new MessageStream(() => left++);
  stream.push(note(1));
  for await (const _ of stream) break;
  await stream.return();
  assert.equal(left, 1);
  const ended = new MessageStream(() => left++);
  ended.push(note(1));
  ended.end();
  for await (const _ of ended) break;
  assert.equal(left, 1);
});
