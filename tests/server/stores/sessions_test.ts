/** Tests of `server/stores/sessions.ts`. */
import assert from "node:assert/strict";
import { memoryStore } from "../../../server/stores/memory.ts";
import { storedSessions } from "../../../server/stores/sessions.ts";
import type { Store } from "../../../server/stores/store.ts";
import { later } from "./store_contract.ts";

const STATE = {
  version: "2025-11-25",
  clientInfo: { name: "c", version: "1" },
  clientCapabilities: {},
  initialized: false,
  subscriptions: [],
};

Deno.test("storedSessions gives what was created, until it ends or its time is over (L-SES-008)", async () => {
  const sessions = storedSessions(memoryStore());
  assert.equal(await sessions.read("a"), undefined);
  await sessions.create("a", { state: STATE }, 60_000);
  const found = await sessions.read("a");
  assert.deepEqual({ ...found, version: undefined }, { state: STATE, version: undefined });
  await sessions.update("a", (record) => record, 60_000);
  assert.notEqual((await sessions.read("a"))?.version, found?.version);
  await sessions.end("a");
  await sessions.end("a");
  assert.equal(await sessions.read("a"), undefined);
  await sessions.create("b", { state: STATE }, 10);
  await later(10);
  assert.equal(await sessions.read("b"), undefined);
});

Deno.test("storedSessions changes a record and renews its time, and makes none", async () => {
  const sessions = storedSessions(memoryStore());
  await sessions.create("a", { state: STATE }, 10);
  assert.equal(await sessions.update("a", ({ state }) => ({ state: { ...state, initialized: true } }), 60_000), true);
  await later(10);
  assert.equal((await sessions.read("a"))?.state.initialized, true);
  assert.equal(await sessions.update("none", (record) => record, 60_000), false);
  assert.equal(await sessions.read("none"), undefined);
});

Deno.test("storedSessions loses no change of two instances at once", async () => {
  const store = memoryStore();
  const [one, two] = [storedSessions(store), storedSessions(store)];
  await one.create("a", { state: STATE }, 60_000);
  const subscribe = (sessions: typeof one, uri: string): Promise<boolean> =>
    sessions.update("a", ({ state }) => ({ state: { ...state, subscriptions: [...state.subscriptions, uri] } }), 60_000);
  await Promise.all([1, 2, 3, 4].map((at) => subscribe(at % 2 === 0 ? one : two, `r:${at}`)));
  assert.deepEqual([...(await one.read("a"))?.state.subscriptions ?? []].sort(), ["r:1", "r:2", "r:3", "r:4"]);
});

Deno.test("storedSessions gives up, with a sentence, when others are always faster", async () => {
  const inner = memoryStore();
  const store: Store = {
    ...bound(inner),
    set: (key, value, options) => options?.ifVersion === undefined ? inner.set(key, value, options) : Promise.resolve(false),
  };
  const sessions = storedSessions(store);
  await sessions.create("a", { state: STATE }, 60_000);
  await assert.rejects(
    sessions.update("a", (record) => record, 60_000),
    /^Error: Changing a session: other instances were faster/,
  );
});

function bound(store: Store): Store {
  return {
    get: (key) => store.get(key),
    set: (key, value, options) => store.set(key, value, options),
    delete: (key) => store.delete(key),
    list: (prefix) => store.list(prefix),
  };
}
