import assert from "node:assert/strict";
import { withExtensions } from "../../client/spoken_extensions.ts";
import { runRounds } from "../../client/input/run_rounds.ts";
import { connect } from "../../client/mod.ts";
import type { ClientCapabilities, ClientExtension } from "../../client/mod.ts";
import type { Transport } from "../../transports/transport.ts";
import { DISCOVERED } from "./scripted.ts";

function declared(extensions: readonly ClientExtension[], capabilities: ClientCapabilities = {}): unknown {
  return withExtensions({ capabilities }, extensions, runRounds).capabilities;
}

Deno.test("withExtensions declares extensions under prefixed identifiers (M-VER-008, M-VER-009, M-VER-010, M-VER-013)", () => {
  const extensions = [{ id: "io.modelcontextprotocol/tasks" }, { id: "com.example/audit", settings: { a: 1 } }];
  assert.deepEqual(declared(extensions, { roots: {}, extensions: { "com.example/other": {} } }), {
    roots: {},
    extensions: { "com.example/other": {}, "io.modelcontextprotocol/tasks": {}, "com.example/audit": { a: 1 } },
  });
  for (const id of ["tasks", "bad id!", "com..x/y", "com.mcp.tools/x", "io.modelcontextprotocol/-"]) {
    assert.throws(() => declared([{ id }]), /^TypeError: connect\.extensions: /, id);
  }
});

Deno.test("withExtensions refuses what is declared twice, and what is no list of objects", () => {
  assert.throws(() => declared([{ id: "a/b" }], { extensions: { "a/b": {} } }), /declared twice/);
  assert.throws(() => declared([{ id: "a/b" }, { id: "a/b" }]), /declared twice/);
  assert.throws(() => declared({} as never), /^TypeError: connect\.extensions: Expected a list/);
  assert.throws(() => declared([7 as never]), /^TypeError: connect\.extensions\[0\]: /);
});

Deno.test("withExtensions keeps what it declares, whatever becomes of the settings that were given", () => {
  const settings = { deep: { a: 1 } };
  const kept = declared([{ id: "a/b", settings }]);
  settings.deep.a = 2;
  assert.deepEqual(kept, { extensions: { "a/b": { deep: { a: 1 } } } });
  assert.ok(Object.isFrozen(kept));
});

Deno.test("withExtensions leaves settings without an extension as they are", () => {
  const settings = { capabilities: {} };
  assert.equal(withExtensions(settings, [], runRounds), settings);
});

Deno.test("withExtensions says which are declared in a handshake, and which member a header repeats", () => {
  const { extensions } = withExtensions({ capabilities: {} }, [
    { id: "a/new", headers: { "a/get": "id" } },
    { id: "a/old", handshake: true, settings: { b: 1 }, headers: { "b/get": "name" } },
  ], runRounds);
  assert.deepEqual(extensions?.inHandshake, { "a/old": { b: 1 } });
  assert.deepEqual(["a/get", "b/get", "c/get", "toString"].map((method) => extensions?.header(method)), [
    "id",
    "name",
    undefined,
    undefined,
  ]);
  assert.equal(withExtensions({ capabilities: {} }, [{ id: "a/new" }], runRounds).extensions?.inHandshake, undefined);
});

Deno.test("an extension that fails with its client ends the connection, which nobody else could close", async () => {
  let closed = 0;
  const transport: Transport = {
    incoming: (async function* () {})(),
    exchange: async function* ({ id }) {
      yield await Promise.resolve({ jsonrpc: "2.0", id, result: DISCOVERED } as const);
    },
    send: () => Promise.resolve(),
    close: () => Promise.resolve(void closed++),
  };
  const broken: ClientExtension = {
    id: "com.example/broken",
    attach: () => {
      throw new RangeError("not like this");
    },
  };
  await assert.rejects(connect(transport, { extensions: [broken] }), /^RangeError: not like this/);
  assert.equal(closed, 1);
});
