/** Tests of `transports/sessions/notice_box.ts`. */
import assert from "node:assert/strict";
import { memoryStore } from "../../../server/stores/memory.ts";
import { storedSessions } from "../../../server/stores/sessions.ts";
import { NoticeBox } from "../../../transports/sessions/notice_box.ts";
import type { SessionStore } from "../../../transports/sessions/session_stores.ts";

const STATE = {
  version: "2025-11-25",
  clientInfo: { name: "c", version: "1" },
  clientCapabilities: {},
  initialized: true,
  subscriptions: [],
};
const note = (method: string) => ({ jsonrpc: "2.0" as const, method });
const yes = (): boolean => true;
const no = (): boolean => false;

/** Instances that share a record. */
async function boxes(bound = 10, store: SessionStore = storedSessions(memoryStore())) {
  await store.create("k", { state: STATE }, 60_000);
  const errors: unknown[] = [];
  const make = () => new NoticeBox({ store, key: "k", idle: 60_000, bound, onError: (error) => errors.push(String(error)) });
  return { one: make(), two: make(), store, errors };
}

Deno.test("NoticeBox keeps what nobody writes, each notice once, for the first instance that listens", async () => {
  const { one, two, store } = await boxes(2);
  for (const method of ["a", "b", "b", "c"]) {
    assert.deepEqual(await Promise.all([one.claim(note(method), no), two.claim(note(method), no)]), [[], []]);
  }
  assert.deepEqual(await two.hold(), [note("b"), note("c")]);
  assert.deepEqual(await one.hold(), []);
  assert.deepEqual((await store.read("k"))?.state, STATE);
});

Deno.test("NoticeBox lets the instance that listens write, and no other", async () => {
  const { one, two } = await boxes();
  await one.hold();
  assert.deepEqual(await Promise.all([one.claim(note("a"), yes), two.claim(note("a"), no)]), [[note("a")], []]);
  await two.hold();
  assert.deepEqual(await Promise.all([one.claim(note("b"), yes), two.claim(note("b"), yes)]), [[], [note("b")]]);
  await one.leave(no);
  assert.deepEqual(await two.claim(note("c"), yes), [note("c")], "the leaving of an older one changes nothing");
  await two.leave(yes);
  assert.deepEqual(await one.claim(note("d"), no), [], "there is another stream by now");
  await two.leave(no);
  await one.claim(note("e"), no);
  assert.deepEqual(await one.hold(), [note("e")]);
});

Deno.test("NoticeBox keeps what comes between the reader's going and the word of it", async () => {
  const { one, two } = await boxes();
  await one.hold();
  assert.deepEqual(await one.claim(note("a"), no), []);
  assert.deepEqual(await two.hold(), [note("a")]);
});

Deno.test("NoticeBox does not wait for an instance that has died", async () => {
  const { one, two, store } = await boxes();
  await one.hold();
  await store.update("k", (record) => ({ ...record, reader: { id: record.reader?.id ?? "", until: Date.now() - 1 } }), 60_000);
  assert.deepEqual(await two.claim(note("a"), no), []);
  assert.deepEqual(await one.claim(note("b"), yes), [note("a"), note("b")], "it has come back");
  one.renew();
  const { reader } = await store.read("k") ?? {};
  assert.ok(reader !== undefined && reader.until > Date.now());
});

Deno.test("NoticeBox lets every instance write while the store fails, and says so", async () => {
  const broken = () => Promise.reject(new Error("no store"));
  const inner = storedSessions(memoryStore());
  const { one, errors } = await boxes(10, { ...inner, read: broken, update: broken });
  assert.deepEqual(await one.claim(note("a"), no), [note("a")]);
  assert.deepEqual(await one.hold(), []);
  await one.leave(no);
  assert.deepEqual(errors, ["Error: no store", "Error: no store", "Error: no store"]);
});

Deno.test("NoticeBox writes nothing for a session that has ended", async () => {
  const { one, store } = await boxes();
  await store.end("k");
  assert.deepEqual([await one.claim(note("a"), yes), await one.hold()], [[], []]);
});
