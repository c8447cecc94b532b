/** Tests of `server/stores/events.ts`. */
import assert from "node:assert/strict";
import { storedEvents } from "../../../server/stores/events.ts";
import { memoryStore } from "../../../server/stores/memory.ts";
import { later } from "./store_contract.ts";

const ONE = { session: "s", stream: "a" };

Deno.test("storedEvents gives what followed on the same stream alone, in order (L-SSE-005, L-SSE-006)", async () => {
  const events = storedEvents(memoryStore());
  for (const sequence of [0, 1, 2, 9, 10, 11]) await events.append(ONE, { sequence, text: `a${sequence}` }, 60_000);
  await events.append({ session: "s", stream: "b" }, { sequence: 3, text: "other stream" }, 60_000);
  await events.append({ session: "t", stream: "a" }, { sequence: 3, text: "other session" }, 60_000);
  assert.deepEqual(await events.read(ONE, 2), [2, 9, 10, 11].map((sequence) => ({ sequence, text: `a${sequence}` })));
  assert.deepEqual(await events.read(ONE, 12), []);
  assert.deepEqual(await events.read({ session: "s", stream: "" }, 0), []);
});

Deno.test("storedEvents forgets an event alone, and all of them in time", async () => {
  const events = storedEvents(memoryStore());
  await events.append(ONE, { sequence: 0, text: "" }, 60_000);
  await events.append(ONE, { sequence: 1, text: "x" }, 60_000);
  await events.remove(ONE, 0);
  assert.deepEqual(await events.read(ONE, 0), [{ sequence: 1, text: "x" }]);
  await events.append(ONE, { sequence: 2, text: "y" }, 10);
  await later(10);
  assert.deepEqual(await events.read(ONE, 2), []);
});
