/** Tests of `transports/sessions/follow_stream.ts`. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../../protocol/limits.ts";
import { storedEvents } from "../../../server/stores/events.ts";
import { memoryStore } from "../../../server/stores/memory.ts";
import { followStream } from "../../../transports/sessions/follow_stream.ts";
import { createSession } from "../../../transports/session.ts";
import { SessionEvents, vitalBudget } from "../../../transports/sessions/session_events.ts";
import { collect } from "../support.ts";

const NOTE = '{"jsonrpc":"2.0","method":"n"}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';

function follow(options: { readonly age?: number } = {}) {
  const store = storedEvents(memoryStore());
  const limits = resolveLimits({});
  const onError = (error: unknown): void => assert.fail(String(error));
  const make = () => new SessionEvents({ store, session: "s", limits, vital: vitalBudget(limits), onError });
  const session = createSession({ send: () => undefined });
  const readers: number[] = [];
  const begin = () =>
    followStream(make(), { id: "x", after: 0, session, age: options.age ?? 0, onReader: (change) => readers.push(change) });
  const read = () => begin().queue;
  return { writer: make(), session, begin, read, readers };
}

Deno.test("followStream gives what another instance has kept and adds, up to the response (L-SSE-005)", async () => {
  const { writer, read, readers } = follow();
  await writer.append("x", { sequence: 0, text: "" });
  await writer.append("x", { sequence: 1, text: NOTE });
  await writer.append("y", { sequence: 1, text: NOTE });
  const all = collect(read());
  await writer.append("x", { sequence: 2, text: NOTE });
  await writer.append("x", { sequence: 3, text: RESULT });
  assert.deepEqual(await all, [`id: x-1\ndata: ${NOTE}\n\n`, `id: x-2\ndata: ${NOTE}\n\n`, `id: x-3\ndata: ${RESULT}\n\n`]);
  assert.deepEqual(readers, [1, -1]);
});

Deno.test("followStream ends with the session, with its reader, and at what is no message", async () => {
  const ended = follow();
  const reading = collect(ended.read());
  ended.session.end();
  assert.deepEqual(await reading, []);
  const left = follow();
  const reader = left.read();
  const next = reader.next();
  await reader.return();
  assert.deepEqual(await next, { done: true, value: undefined });
  const foreign = follow();
  await foreign.writer.append("x", { sequence: 1, text: "no message" });
  assert.equal((await collect(foreign.read())).length, 1);
  assert.deepEqual([ended.readers, left.readers, foreign.readers], [[1, -1], [1, -1], [1, -1]]);
});

Deno.test("followStream sends its reader away when it is told to", async () => {
  const { begin, readers } = follow();
  const { queue, stop } = begin();
  const all = collect(queue);
  stop();
  stop();
  assert.deepEqual(await all, []);
  assert.deepEqual(readers, [1, -1]);
});

Deno.test("followStream goes on over what is not kept any more, so that the response is not lost", async () => {
  const { writer, read } = follow();
  await writer.append("x", { sequence: 2, text: NOTE });
  await writer.append("x", { sequence: 5, text: RESULT });
  assert.deepEqual(await collect(read()), [`id: x-2\ndata: ${NOTE}\n\n`, `id: x-5\ndata: ${RESULT}\n\n`]);
});

Deno.test("followStream tells its reader after a while to come back (L-HTTP-008)", async () => {
  const { read } = follow({ age: 1 });
  assert.deepEqual(await collect(read()), ["retry: 1000\n\n"]);
});
