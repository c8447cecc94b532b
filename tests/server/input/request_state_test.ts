/** Tests of `server/input/request_state.ts`. */
import assert from "node:assert/strict";
import { createSealer } from "../../../server/input/request_state.ts";
import type { SealerOptions, StateBinding, StateSealer } from "../../../server/input/request_state.ts";
import { createRandom } from "../../protocol/random.ts";

const BINDING: StateBinding = { principal: "anna", method: "tools/call", request: '["t",{}]' };
const KEY = new Uint8Array(32).fill(7);

function sealer(options: Partial<SealerOptions> = {}): StateSealer {
  return createSealer({ keys: [KEY], lifetime: 60_000, maxBytes: 65_536, onProcessKey: () => undefined, ...options });
}

Deno.test("createSealer gives back what was sealed", async () => {
  for (const state of [null, 0, "", [1, { a: "ü🦊" }], { step: 2 }]) {
    assert.deepEqual((await sealer().open(await sealer().seal(state, BINDING), BINDING))?.state, state);
  }
});

Deno.test("createSealer shows nothing of the state, and seals the same state differently each time", async () => {
  const sealed = await sealer().seal({ password: "SECRET" }, BINDING);
  assert.doesNotMatch(atob(sealed), /SECRET|password/);
  assert.notEqual(sealed, await sealer().seal({ password: "SECRET" }, BINDING));
});

Deno.test("createSealer opens nothing that was altered, whichever character it is (M-MRTR-009, M-MRTR-010, M-MRTR-011)", async () => {
  const own = sealer();
  const sealed = await own.seal({ step: 1 }, BINDING);
  const random = createRandom(5);
  for (let at = 0; at < sealed.length - 4; at++) {
    const other = "ABCDEFGHabcdefgh0123+/"[random.below(22)] as string;
    if (other === sealed[at]) continue;
    const altered = sealed.slice(0, at) + other + sealed.slice(at + 1);
    assert.equal(await own.open(altered, BINDING), undefined, String(at));
  }
  for (const text of ["", "x", "AAAA", sealed.slice(1), sealed.slice(0, -4), `${sealed}AAAA`, "ü", "=".repeat(40)]) {
    assert.equal(await own.open(text, BINDING), undefined);
  }
});

Deno.test("createSealer opens for the same caller, method and request alone (M-MRTR-013, M-MRTR-015)", async () => {
  const sealed = await sealer().seal(1, BINDING);
  for (const changed of [{ principal: "ben" }, { principal: "" }, { method: "prompts/get" }, { request: '["t",{"a":1}]' }]) {
    assert.equal(await sealer().open(sealed, { ...BINDING, ...changed }), undefined);
  }
});

Deno.test("createSealer opens for servers of the same name alone, though others have the same keys", async () => {
  const sealed = await sealer({ server: "mail" }).seal(1, BINDING);
  assert.equal((await sealer({ server: "mail" }).open(sealed, BINDING))?.state, 1);
  for (const server of ["bank", "", undefined]) assert.equal(await sealer({ server }).open(sealed, BINDING), undefined);
});

Deno.test("createSealer opens nothing after its time (M-MRTR-014)", async () => {
  const sealed = await sealer({ lifetime: -1 }).seal(1, BINDING);
  assert.equal(await sealer().open(sealed, BINDING), undefined);
});

Deno.test("createSealer seals with the newest key and opens with every one", async () => {
  const newer = new Uint8Array(32).fill(8);
  const old = await sealer().seal("old", BINDING);
  const rotated = sealer({ keys: [newer, KEY] });
  assert.deepEqual((await rotated.open(old, BINDING))?.state, "old");
  const fresh = await rotated.seal("new", BINDING);
  assert.equal(await sealer().open(fresh, BINDING), undefined);
  assert.deepEqual((await sealer({ keys: [newer] }).open(fresh, BINDING))?.state, "new");
});

Deno.test("createSealer derives keys from text", async () => {
  const text = sealer({ keys: ["a text that is long enough"] });
  assert.deepEqual((await text.open(await text.seal(1, BINDING), BINDING))?.state, 1);
});

Deno.test("createSealer makes a key of its own without one, and tells once", async () => {
  let told = 0;
  for (const keys of [undefined, []]) {
    told = 0;
    const own = sealer({ keys, onProcessKey: () => told++ });
    assert.equal(told, 0);
    const sealed = await own.seal(1, BINDING);
    await own.seal(2, BINDING);
    assert.deepEqual((await own.open(sealed, BINDING))?.state, 1);
    assert.equal(told, 1);
    assert.equal(await sealer({ keys }).open(sealed, BINDING), undefined);
  }
});

Deno.test("createSealer refuses short keys at definition, naming the place", () => {
  assert.throws(() => sealer({ keys: [KEY, new Uint8Array(16)] }), /^TypeError: stateKeys\[1\]: Expected 32 bytes/);
  assert.throws(() => sealer({ keys: ["short"] }), /^TypeError: stateKeys\[0\]: /);
});

Deno.test("createSealer takes no more bytes than allowed, in and out", async () => {
  const sealed = await sealer().seal("a".repeat(300), BINDING);
  await assert.rejects(
    sealer({ maxBytes: 100 }).seal("a".repeat(300), BINDING),
    /at most 100 bytes when sealed \(limit requestState\)/,
  );
  assert.equal(await sealer({ maxBytes: sealed.length - 1 }).open(sealed, BINDING), undefined);
  assert.ok(await sealer({ maxBytes: sealed.length }).open(sealed, BINDING));
});

Deno.test("createSealer gives each sealing an id of its own, whoever opens it, and tells its end", async () => {
  const [first, second] = await Promise.all([sealer().seal(1, BINDING), sealer().seal(1, BINDING)]);
  const before = Date.now();
  const [a, again, b] = await Promise.all([first, first, second].map((sealed) => sealer().open(sealed, BINDING)));
  assert.equal(a?.id, again?.id);
  assert.notEqual(a?.id, b?.id);
  assert.ok((a?.until ?? 0) > before && (a?.until ?? 0) <= before + 60_000);
});

Deno.test("createSealer opens a state only in the very text in which it was sealed", async () => {
  const { seal, open } = sealer();
  // Base64 of such lengths ends in bits that count for nothing.
  for (const state of ["", "a", "ab", "abc"]) {
    const sealed = await seal(state, BINDING);
    assert.equal((await open(sealed, BINDING))?.state, state);
    const [text = "", padding = ""] = sealed.split(/(?==+$)/);
    for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
      const other = text.slice(0, -1) + last + padding;
      if (other !== sealed) assert.equal(await open(other, BINDING), undefined, "another text of the same bytes");
    }
  }
});
