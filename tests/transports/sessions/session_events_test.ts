/** Tests of `transports/sessions/session_events.ts`. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../../protocol/limits.ts";
import type { Limits } from "../../../protocol/limits.ts";
import { storedEvents } from "../../../server/stores/events.ts";
import { memoryStore } from "../../../server/stores/memory.ts";
import type { EventStore } from "../../../transports/sessions/session_stores.ts";
import { SessionEvents, vitalBudget } from "../../../transports/sessions/session_events.ts";

function events(
  given: Limits,
  store: EventStore = storedEvents(memoryStore()),
  vital = vitalBudget(resolveLimits(given)),
  session = "s",
) {
  const errors: unknown[] = [];
  const limits = resolveLimits(given);
  const kept = new SessionEvents({ store, session, limits, vital, onError: (error) => errors.push(error) });
  return { kept, errors, store, vital };
}

Deno.test("SessionEvents keeps sessionEvents events over all streams; the oldest go (L-HTTP-018)", async () => {
  const { kept } = events({ sessionEvents: 3 });
  await kept.append("a", { sequence: 0, text: "a0" });
  await kept.append("b", { sequence: 0, text: "b0" });
  await kept.append("a", { sequence: 1, text: "a1" });
  assert.deepEqual((await kept.read("a", 0)).map(({ text }) => text), ["a0", "a1"]);
  await kept.append("b", { sequence: 1, text: "b1" });
  await kept.append("b", { sequence: 2, text: "b2" });
  assert.deepEqual((await kept.read("a", 0)).map(({ text }) => text), ["a1"]);
  assert.deepEqual((await kept.read("b", 0)).map(({ text }) => text), ["b1", "b2"]);
});

Deno.test("SessionEvents keeps sessionEventBytes bytes, not characters; what is larger than all is not kept", async () => {
  const { kept } = events({ sessionEventBytes: 8 });
  await kept.append("a", { sequence: 0, text: "éé" });
  await kept.append("a", { sequence: 1, text: "éé" });
  assert.equal((await kept.read("a", 0)).length, 2);
  await kept.append("a", { sequence: 2, text: "x" });
  assert.deepEqual((await kept.read("a", 0)).map(({ sequence }) => sequence), [1, 2]);
  await kept.append("a", { sequence: 3, text: "123456789" });
  assert.deepEqual((await kept.read("a", 0)).map(({ sequence }) => sequence), [1, 2]);
});

Deno.test("SessionEvents keeps what is vital beside the rest, sessionEvents of it, whatever the rest is", async () => {
  const { kept } = events({ sessionEvents: 2, sessionEventBytes: 8 });
  await kept.append("a", { sequence: 0, text: "1234567890" }, true);
  for (let sequence = 0; sequence < 5; sequence++) await kept.append("b", { sequence, text: "x" });
  assert.deepEqual((await kept.read("a", 0)).map(({ text }) => text), ["1234567890"]);
  await kept.append("a", { sequence: 1, text: "y" }, true);
  await kept.append("a", { sequence: 2, text: "z" }, true);
  assert.deepEqual((await kept.read("a", 0)).map(({ text }) => text), ["y", "z"]);
  assert.equal((await kept.read("b", 0)).length, 2);
});

Deno.test("SessionEvents of all sessions keep as many bytes of what is vital as running handlers may answer", async () => {
  const limits = { handlers: 2, responseBody: 10 };
  const one = events(limits);
  const two = events(limits, one.store, one.vital, "t");
  const seen = async () => [await one.kept.read("a", 0), await two.kept.read("a", 0)].map((all) => all.map(({ text }) => text));
  await one.kept.append("a", { sequence: 0, text: "first of one" }, true);
  await two.kept.append("a", { sequence: 0, text: "of two" }, true);
  assert.deepEqual(await seen(), [["first of one"], ["of two"]]);
  await two.kept.append("a", { sequence: 1, text: "more" }, true);
  assert.deepEqual(await seen(), [[], ["of two", "more"]]);
  await two.kept.append("a", { sequence: 2, text: "more than all together" }, true);
  assert.deepEqual(await seen(), [[], ["of two", "more"]]);
  two.kept.release();
  assert.equal(one.vital.size, 0);
  await one.kept.append("a", { sequence: 1, text: "again" }, true);
  await one.kept.clear();
  assert.deepEqual([await seen(), one.vital.size], [[[], ["of two", "more"]], 0]);
});

Deno.test("SessionEvents forgets all it has kept", async () => {
  const { kept, store } = events({});
  await kept.append("a", { sequence: 0, text: "x" });
  await kept.append("b", { sequence: 0, text: "y" });
  await kept.clear();
  assert.deepEqual([await store.read({ session: "s", stream: "a" }, 0), await store.read({ session: "s", stream: "b" }, 0)], [
    [],
    [],
  ]);
});

Deno.test("SessionEvents tells what a store throws, and goes on", async () => {
  const broken: EventStore = {
    append: () => Promise.reject(new Error("append")),
    read: () => Promise.reject(new Error("read")),
    remove: () => Promise.reject(new Error("remove")),
  };
  const { kept, errors } = events({}, broken);
  await kept.append("a", { sequence: 0, text: "x" });
  assert.deepEqual(await kept.read("a", 0), []);
  await kept.clear();
  assert.deepEqual(errors.map(String), ["Error: append", "Error: read", "Error: remove"]);
});
