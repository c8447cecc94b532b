/** Tests of `transports/sessions/session_record.ts`. */
import assert from "node:assert/strict";
import { memoryStore } from "../../../server/stores/memory.ts";
import { storedSessions } from "../../../server/stores/sessions.ts";
import type { HandshakeState } from "../../../transports/transport.ts";
import { createSession } from "../../../transports/session.ts";
import { KeptRecord } from "../../../transports/sessions/session_record.ts";
import type { SessionStore } from "../../../transports/sessions/session_stores.ts";
import { until } from "../../until.ts";

const STATE: HandshakeState = {
  version: "2025-11-25",
  clientInfo: { name: "c", version: "1" },
  clientCapabilities: {},
  initialized: false,
  subscriptions: ["a"],
};

/** One instance's view of a session, in a store that others share. */
async function instance(store: SessionStore, idle = 60_000) {
  await store.create("k", { state: STATE }, idle);
  return view(store, idle);
}

function view(store: SessionStore, idle = 60_000) {
  const events: string[] = [];
  const record = new KeptRecord(STATE, {
    store,
    key: "k",
    idle,
    onGone: () => events.push("gone"),
    onError: (error) => events.push(String(error)),
  });
  const session = createSession({ send: () => undefined, state: STATE, onUpdate: (state) => record.changed(state) });
  return { record, session, events };
}

const read = async (store: SessionStore): Promise<HandshakeState | undefined> => (await store.read("k"))?.state;

Deno.test("KeptRecord writes what the session sets, without anyone waiting", async () => {
  const store = storedSessions(memoryStore());
  const { session } = await instance(store);
  session.update({ ...STATE, initialized: true });
  session.update({ ...STATE, initialized: true, logLevel: "info", subscriptions: ["a", "b"] });
  let found = await read(store);
  while (found?.logLevel === undefined) found = await read(store);
  assert.deepEqual(found, { ...STATE, initialized: true, logLevel: "info", subscriptions: ["a", "b"] });
});

Deno.test("KeptRecord puts its changes on those of another instance", async () => {
  const store = storedSessions(memoryStore());
  const one = await instance(store);
  const two = view(store);
  one.session.update({ ...STATE, initialized: true, subscriptions: ["a", "b"] });
  two.session.update({ ...STATE, logLevel: "error", subscriptions: ["c"] });
  let found = await read(store);
  while (found?.initialized !== true || found.logLevel === undefined) found = await read(store);
  assert.deepEqual({ ...found, subscriptions: [...found.subscriptions].sort() }, {
    ...STATE,
    initialized: true,
    logLevel: "error",
    subscriptions: ["b", "c"],
  });
});

Deno.test("KeptRecord takes over what another instance has set, and does not write it again", async () => {
  let writes = 0;
  const inner = storedSessions(memoryStore());
  const store: SessionStore = {
    ...inner,
    update: (...given) => {
      writes++;
      return inner.update(...given);
    },
  };
  const { record, session } = await instance(store);
  record.adopt({ state: { ...STATE, logLevel: "debug" } }, session);
  assert.equal(session.state?.logLevel, "debug");
  record.adopt({ state: { ...STATE, logLevel: "debug" } }, session);
  await Promise.resolve();
  assert.equal(writes, 0);
  session.update({ ...STATE, logLevel: "info" });
  record.adopt({ state: STATE }, session);
  assert.equal(session.state?.logLevel, "info", "what is being written is newer");
});

Deno.test("KeptRecord looks into a record only when its version is another one, so that a large state costs nothing", async () => {
  const store = storedSessions(memoryStore());
  const { record, session } = await instance(store);
  const found = await store.read("k") ?? assert.fail("no record");
  record.adopt(found, session);
  let looks = 0;
  const watched = {
    version: found.version,
    get state(): HandshakeState {
      return {
        ...STATE,
        get subscriptions() {
          looks++;
          return STATE.subscriptions;
        },
      };
    },
  };
  record.adopt(watched, session);
  assert.equal(looks, 0);
  await store.update("k", (kept) => ({ ...kept, state: { ...STATE, logLevel: "debug" } }), 60_000);
  record.adopt(await store.read("k") ?? assert.fail("no record"), session);
  assert.equal(session.state?.logLevel, "debug");
});

Deno.test("KeptRecord notes every few moments that the session is used, not each time", async () => {
  let writes = 0;
  const inner = storedSessions(memoryStore());
  const store: SessionStore = {
    ...inner,
    update: (...given) => {
      writes++;
      return inner.update(...given);
    },
  };
  const { record } = await instance(store, 40);
  for (let at = 0; at < 1000; at++) record.used();
  assert.equal(writes, 0);
  await until(() => {
    record.used();
    return writes === 1;
  });
  assert.notEqual(await inner.read("k"), undefined);
});

Deno.test("KeptRecord says that the record has gone, and what a store throws", async () => {
  const store = storedSessions(memoryStore());
  const { session, events } = await instance(store);
  await store.end("k");
  session.update({ ...STATE, initialized: true });
  await until(() => events.length === 1);
  const broken = view({ ...store, update: () => Promise.reject(new Error("no store")) });
  broken.session.update({ ...STATE, initialized: true });
  await until(() => broken.events.length === 1);
  assert.deepEqual([...events, ...broken.events], ["gone", "Error: no store"]);
});

Deno.test("KeptRecord takes over nothing that was read before its own change was written", async () => {
  const store = storedSessions(memoryStore());
  const { record, session } = await instance(store);
  const since = record.changes;
  const old = await store.read("k");
  session.update({ ...STATE, initialized: true });
  await record.changed({ ...STATE, initialized: true });
  record.adopt(old ?? assert.fail("no record"), session, since);
  assert.equal(session.state?.initialized, true);
  record.adopt({ state: STATE }, session, record.changes);
  assert.equal(session.state?.initialized, false);
});

Deno.test("KeptRecord does not lose to the next read what the store did not take, and writes it then", async () => {
  let broken = true;
  const inner = storedSessions(memoryStore());
  const store: SessionStore = {
    ...inner,
    update: (...given) => broken ? Promise.reject(new Error("no store")) : inner.update(...given),
  };
  const { record, session, events } = await instance(store);
  session.update({ ...STATE, initialized: true, logLevel: "info", subscriptions: ["a", "b"] });
  await until(() => events.length === 1);
  await inner.update("k", ({ state }) => ({ state: { ...state, subscriptions: ["c"] } }), 60_000);
  const found = await inner.read("k") ?? assert.fail("no record");
  record.adopt(found, session);
  const all = { ...STATE, initialized: true, logLevel: "info", subscriptions: ["c", "b"] };
  assert.deepEqual(session.state, all);
  await until(() => events.length === 2);
  broken = false;
  record.adopt(found, session);
  await until(async () => JSON.stringify(await read(store)) === JSON.stringify(all));
  const changes = record.changes;
  record.adopt(await inner.read("k") ?? assert.fail("no record"), session);
  assert.deepEqual([session.state, record.changes], [all, changes], "nothing is left to write");
});

Deno.test("KeptRecord leaves alone what others keep in the record", async () => {
  const store = storedSessions(memoryStore());
  const { session } = await instance(store);
  const notices = [{ jsonrpc: "2.0" as const, method: "n" }];
  await store.update("k", (record) => ({ ...record, notices }), 60_000);
  session.update({ ...STATE, initialized: true });
  await until(async () => (await read(store))?.initialized === true);
  assert.deepEqual((await store.read("k"))?.notices, notices);
});
