import assert from "node:assert/strict";
import { EventBuffer } from "../../../client/changes/event_buffer.ts";
import type { ChangeEvent } from "../../../client/mod.ts";

const updated = (uri: string): ChangeEvent => ({ type: "resourceUpdated", uri });

function drain(buffer: EventBuffer): string[] {
  const shown: string[] = [];
  for (let event = buffer.shift(); event !== undefined; event = buffer.shift()) {
    shown.push(event.type === "resourceUpdated" ? event.uri : event.type === "dropped" ? `dropped ${event.count}` : event.type);
  }
  return shown;
}

Deno.test("EventBuffer drops the oldest and tells it first", () => {
  const buffer = new EventBuffer({ capacity: 2, overflow: "drop_oldest", coalesce: true });
  for (const uri of "abcd") assert.equal(buffer.push(updated(uri)), true);
  assert.deepEqual(drain(buffer), ["dropped 2", "c", "d"]);
});

Deno.test("EventBuffer drops the newest and tells it where they are missing", () => {
  const buffer = new EventBuffer({ capacity: 2, overflow: "drop_newest", coalesce: true });
  for (const uri of "abcd") buffer.push(updated(uri));
  assert.deepEqual(buffer.shift(), updated("a"));
  buffer.push(updated("e"));
  buffer.push(updated("f"));
  assert.deepEqual(drain(buffer), ["b", "dropped 2", "e", "dropped 1"]);
});

Deno.test("EventBuffer says when it is full and may not drop", () => {
  const buffer = new EventBuffer({ capacity: 1, overflow: "close", coalesce: true });
  assert.equal(buffer.push(updated("a")), true);
  assert.equal(buffer.push(updated("a")), true);
  assert.equal(buffer.push(updated("b")), false);
});

Deno.test("EventBuffer merges identical events that wait, and no others", () => {
  const note = (params: { a: number }): ChangeEvent => ({ type: "notification", method: "own/x", params });
  const merging = new EventBuffer({ capacity: 100, overflow: "drop_oldest", coalesce: true });
  const all = [
    updated("a"),
    updated("b"),
    updated("a"),
    note({ a: 1 }),
    note({ a: 2 }),
    note({ a: 1 }),
    { type: "toolsListChanged" } as const,
  ];
  for (const event of [...all, ...all]) merging.push(event);
  assert.deepEqual(drain(merging), ["a", "b", "notification", "notification", "toolsListChanged"]);
  merging.push(updated("a"));
  assert.deepEqual(drain(merging), ["a"]);
  const keeping = new EventBuffer({ capacity: 100, overflow: "drop_oldest", coalesce: false });
  for (const event of all) keeping.push(event);
  assert.equal(drain(keeping).length, 7);
});

Deno.test("EventBuffer accounts for every event, whatever the order", () => {
  let seed = 11;
  const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  for (const overflow of ["drop_oldest", "drop_newest"] as const) {
    for (let run = 0; run < 200; run++) {
      const capacity = 1 + random(5);
      const buffer = new EventBuffer({ capacity, overflow, coalesce: false });
      let pushed = 0;
      let seen = 0;
      const take = (event: ChangeEvent): void => void (seen += event.type === "dropped" ? event.count : 1);
      for (let step = random(60); step > 0; step--) {
        if (random(3) > 0) buffer.push(updated(String(pushed++)));
        else {
          const event = buffer.shift();
          if (event !== undefined) take(event);
        }
      }
      let left = 0;
      for (let event = buffer.shift(); event !== undefined; event = buffer.shift()) {
        if (event.type !== "dropped") left++;
        take(event);
      }
      assert.equal(seen, pushed);
      assert.ok(left <= capacity);
    }
  }
});
