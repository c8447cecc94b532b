/** Tests of `server/options/check_sessions.ts`. */
import assert from "node:assert/strict";
import { defineServer } from "../../../server/server.ts";
import { memoryStore } from "../../../server/stores/memory.ts";

const define = (sessions: unknown) => defineServer({ name: "a", version: "1", sessions: sessions as boolean });

Deno.test("defineServer takes sessions that are switched, or given a store", () => {
  for (const sessions of [undefined, true, false, {}, { store: undefined }, { store: memoryStore() }]) define(sessions);
});

Deno.test("defineServer refuses other sessions with their path", () => {
  for (const sessions of [null, 1, "yes"]) assert.throws(() => define(sessions), /^TypeError: sessions: Expected/);
  assert.throws(() => define({ stores: memoryStore() }), /^TypeError: sessions\.stores: Unknown option/);
  for (const store of [null, 1, {}, { ...memoryStore(), get: 1 }, new Map()]) {
    assert.throws(() => define({ store }), /^TypeError: sessions\.store: Expected an object with get, set, delete, list/);
  }
});
