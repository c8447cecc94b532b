/** Tests of `transports/sessions/standing_stream.ts`. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../../protocol/limits.ts";
import { storedEvents } from "../../../server/stores/events.ts";
import { memoryStore } from "../../../server/stores/memory.ts";
import { storedSessions } from "../../../server/stores/sessions.ts";
import { NoticeBox } from "../../../transports/sessions/notice_box.ts";
import { SessionEvents, vitalBudget } from "../../../transports/sessions/session_events.ts";
import { StandingStream } from "../../../transports/sessions/standing_stream.ts";
import { collect } from "../support.ts";

const STATE = {
  version: "2025-11-25",
  clientInfo: { name: "c", version: "1" },
  clientCapabilities: {},
  initialized: true,
  subscriptions: [],
};
const note = (method: string) => ({ jsonrpc: "2.0" as const, method });
const methods = (events: readonly string[]) => events.map((event) => /"method":"(\w+)"/.exec(event)?.[1]);

/** Streams of instances that share a session. */
async function streams(sessionEvents = 10) {
  const store = memoryStore();
  const records = storedSessions(store);
  await records.create("k", { state: STATE }, 60_000);
  const limits = resolveLimits({ sessionEvents });
  const onError = (error: unknown): void => assert.fail(String(error));
  const make = (id: string) =>
    new StandingStream({
      id,
      events: new SessionEvents({ store: storedEvents(store), session: "k", limits, vital: vitalBudget(limits), onError }),
      notices: new NoticeBox({ store: records, key: "k", idle: 60_000, bound: sessionEvents, onError }),
      limits,
      onReader: () => undefined,
    });
  return { one: make("one"), two: make("two"), records };
}

Deno.test("StandingStream writes what all instances hear of at the one that is read, once, and what is its own always", async () => {
  const { one, two } = await streams();
  await Promise.all([one.send(note("early"), true), two.send(note("early"), true)]);
  const reader = await two.listen();
  await Promise.all([one.send(note("late"), true), two.send(note("late"), true)]);
  await one.send(note("own"), false);
  two.finish();
  assert.deepEqual(methods(await collect(reader)), ["early", "late"]);
  const other = await one.listen();
  one.finish();
  assert.deepEqual(methods(await collect(other)), ["own"]);
});

Deno.test("StandingStream that is taken up again hears what has come meanwhile", async () => {
  const { one, two } = await streams();
  const reader = await one.listen();
  await one.send(note("a"), true);
  await reader.next();
  await reader.return();
  assert.equal(one.read, false);
  await Promise.all([one.send(note("b"), true), two.send(note("b"), true)]);
  const again = await one.resume(0);
  assert.ok(again !== undefined);
  assert.deepEqual(methods([(await again.next()).value as string]), ["b"]);
  one.finish();
});

Deno.test("StandingStream keeps a question that waits for its reader, whatever else is sent", async () => {
  const { one } = await streams(2);
  await one.send({ jsonrpc: "2.0", id: "q", method: "question" }, false);
  for (let at = 0; at < 10; at++) await one.send(note("chatter"), false);
  const reader = await one.listen();
  one.finish();
  assert.equal(methods(await collect(reader))[0], "question");
});
