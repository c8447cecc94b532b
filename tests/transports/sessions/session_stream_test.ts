/** Tests of `transports/sessions/session_stream.ts`. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../../protocol/limits.ts";
import { storedEvents } from "../../../server/stores/events.ts";
import { memoryStore } from "../../../server/stores/memory.ts";
import { SessionEvents, vitalBudget } from "../../../transports/sessions/session_events.ts";
import { SessionStream } from "../../../transports/sessions/session_stream.ts";
import type { EventStore } from "../../../transports/sessions/session_stores.ts";
import { collect } from "../support.ts";

function streamOf(sessionEvents = 256, store: EventStore = storedEvents(memoryStore()), gaps = false) {
  const limits = resolveLimits({ sessionEvents });
  const vital = vitalBudget(limits);
  const events = new SessionEvents({ store, session: "s", limits, vital, onError: (error) => assert.fail(String(error)) });
  const readers: number[] = [];
  return { stream: new SessionStream("a", events, (change) => readers.push(change), gaps), readers };
}

/** The data and id of written events. */
function read(events: readonly string[]): string[] {
  return events.map((event) => event.replace(/^id: (.*)\ndata: (.*)\n\n$/, "$1=$2"));
}

Deno.test("SessionStream gives its reader each message as an event whose id tells the stream (L-SSE-001, L-SSE-003)", async () => {
  const { stream, readers } = streamOf();
  const reader = stream.open();
  await stream.write("x");
  await stream.write("y");
  stream.finish();
  assert.deepEqual(read(await collect(reader)), ["a-0=x", "a-1=y"]);
  assert.deepEqual(readers, [1, -1]);
  assert.equal(stream.finished, true);
});

Deno.test("SessionStream writes an empty event with an id and a retry (L-HTTP-005)", async () => {
  const { stream } = streamOf();
  const reader = stream.open();
  await stream.write("");
  assert.equal((await reader.next()).value, "retry: 1000\nid: a-0\ndata: \n\n");
});

Deno.test("SessionStream goes on without a reader, and gives another one what followed an event (L-SSE-005, L-HTTP-016)", async () => {
  const { stream, readers } = streamOf();
  const first = stream.open();
  await stream.write("x");
  await first.next();
  await first.return();
  await stream.write("y");
  const second = await stream.resume(0);
  assert.ok(second !== undefined);
  await stream.write("z");
  stream.finish();
  assert.deepEqual(read(await collect(second)), ["a-1=y", "a-2=z"]);
  const third = await stream.resume(1);
  assert.ok(third !== undefined);
  assert.deepEqual(read(await collect(third)), ["a-2=z"]);
  const last = await stream.resume(2);
  assert.ok(last !== undefined);
  assert.deepEqual(await collect(last), []);
  assert.deepEqual(readers, [1, -1, 1, -1]);
});

Deno.test("SessionStream does not take up what was never sent or is not kept any more", async () => {
  const { stream } = streamOf(2);
  assert.equal(await stream.resume(0), undefined);
  for (const text of ["x", "y", "z"]) await stream.write(text);
  assert.equal(await stream.resume(3), undefined);
  assert.equal(await stream.resume(-1), undefined);
  assert.deepEqual((await stream.resume(0))?.size, 2);
});

Deno.test("SessionStream of a call is taken up although notifications are gone, and not when something vital is", async () => {
  const { stream } = streamOf(2, undefined, true);
  for (const text of ["x", "y", "z"]) await stream.write(text);
  await stream.write("question", true);
  await stream.write("response", true);
  for (const text of ["u", "v", "w"]) await stream.write(text);
  const reader = await stream.resume(0);
  assert.ok(reader !== undefined);
  await stream.write("more", true);
  assert.equal(await stream.resume(2), undefined, "the question is gone");
  assert.equal((await stream.resume(3))?.size, 4);
});

Deno.test("SessionStream loses and repeats nothing while a reader comes in the middle of writes", async () => {
  const inner = storedEvents(memoryStore());
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
  const slow: EventStore = {
    append: async (name, event, ttl) => {
      await turn();
      await inner.append(name, event, ttl);
      await turn();
    },
    read: async (name, from) => {
      await turn();
      const found = await inner.read(name, from);
      await turn();
      return found;
    },
    remove: (name, sequence) => inner.remove(name, sequence),
  };
  for (let offset = 0; offset < 6; offset++) {
    const { stream } = streamOf(256, slow);
    await stream.write("0");
    const writing = (async () => {
      for (let at = 1; at < 8; at++) {
        await stream.write(String(at));
        await turn();
      }
      stream.finish();
    })();
    for (let at = 0; at < offset; at++) await turn();
    const reader = await stream.resume(0);
    assert.ok(reader !== undefined);
    assert.deepEqual(read(await collect(reader)), [1, 2, 3, 4, 5, 6, 7].map((at) => `a-${at}=${at}`));
    await writing;
  }
});

Deno.test("SessionStream has one reader: a newer one gets what the older one has not taken (L-HTTP-028)", async () => {
  const { stream, readers } = streamOf();
  const older = await stream.openUntaken();
  for (const text of ["x", "y", "z"]) await stream.write(text);
  await older.next();
  const newer = await stream.openUntaken();
  assert.deepEqual(await older.next(), { done: true, value: undefined });
  await stream.write("w");
  stream.finish();
  assert.deepEqual(read(await collect(newer)), ["a-1=y", "a-2=z", "a-3=w"]);
  assert.deepEqual(readers, [1, -1, 1, -1]);
});

Deno.test("SessionStream keeps what comes before a reader does, as far as it is kept", async () => {
  const { stream } = streamOf(2);
  for (const text of ["x", "y", "z"]) await stream.write(text);
  const reader = await stream.openUntaken(["before\n\n"]);
  assert.equal((await reader.next()).value, "before\n\n");
  await reader.next();
  await reader.return();
  const again = await stream.openUntaken();
  stream.finish();
  assert.deepEqual(read(await collect(again)), ["a-2=z"]);
});

Deno.test("SessionStream gives two readers that come at once no event twice", async () => {
  const { stream } = streamOf();
  for (const text of ["x", "y"]) await stream.write(text);
  const readers = await Promise.all([stream.openUntaken(), stream.openUntaken()]);
  stream.finish();
  const all = (await Promise.all(readers.map(collect))).flat();
  assert.deepEqual(read(all).sort(), ["a-0=x", "a-1=y"]);
});

Deno.test("SessionStream sends its reader away with a retry, and goes on (L-HTTP-006, L-HTTP-008)", async () => {
  const { stream } = streamOf();
  const reader = stream.open();
  await stream.write("x");
  stream.pause();
  assert.deepEqual(read(await collect(reader)), ["a-0=x", "retry: 1000\n\n"]);
  stream.pause();
  await stream.write("y");
  stream.finish();
  const rest = await stream.resume(0);
  assert.ok(rest !== undefined);
  assert.deepEqual(read(await collect(rest)), ["a-1=y"]);
});

Deno.test("SessionStream without events has no ids, and nothing to take up", async () => {
  const stream = new SessionStream("a", undefined, () => undefined);
  await stream.write("lost");
  const reader = await stream.openUntaken();
  await stream.write("x");
  assert.equal((await reader.next()).value, "data: x\n\n");
  assert.equal(await stream.resume(0), undefined);
});

Deno.test("SessionStream lets its writer wait for a reader that is slow, and not for one that has gone", async () => {
  const { stream } = streamOf();
  const reader = stream.open();
  let written = 0;
  const writing = (async () => {
    for (; written < 200; written++) await stream.write("x");
  })();
  for (let turn = 0; turn < 2000; turn++) await Promise.resolve();
  assert.ok(written < 100, String(written));
  await reader.return();
  await writing;
  assert.equal(written, 200);
});

Deno.test("SessionStream lets a reader in while messages are written without a pause, and none falls in between", async () => {
  const inner = storedEvents(memoryStore());
  const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
  const store: EventStore = {
    ...inner,
    append: (...given) => moment().then(() => inner.append(...given)),
    read: (...given) => moment().then(() => moment()).then(() => inner.read(...given)),
  };
  for (const take of ["resume", "openUntaken"] as const) {
    const { stream } = streamOf(10_000, store);
    let written = 0;
    let enough = false;
    await stream.write(String(written++));
    const writing = (async () => {
      while (!enough) await stream.write(String(written++));
    })();
    const reader = take === "resume" ? await stream.resume(0) : await stream.openUntaken();
    assert.ok(reader !== undefined);
    const first = Number(read([(await reader.next()).value as string])[0]?.split("=")[1]);
    assert.equal(first, take === "resume" ? 1 : 0);
    enough = true;
    const rest = collect(reader);
    await writing;
    stream.finish();
    assert.deepEqual(read(await rest).map((event) => Number(event.split("=")[1])), range(first + 1, written));
  }
});

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
