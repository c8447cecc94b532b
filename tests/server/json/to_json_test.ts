/** Tests of `server/json/to_json.ts`. */
import assert from "node:assert/strict";
import { toJson } from "../../../server/json/to_json.ts";

Deno.test("toJson writes dates, bigints, maps, sets, bytes and toJSON in their usual forms", () => {
  assert.deepEqual(
    toJson({
      at: new Date(0),
      big: 12345678901234567890n,
      map: new Map<string, unknown>([["a", new Set([1])]]),
      bytes: new Uint8Array([1, 2]),
      buffer: new Uint8Array([3]).buffer,
      url: new URL("https://example.com/"),
      own: { toJSON: () => ({ at: new Date(0) }) },
      gone: undefined,
    }),
    {
      at: "1970-01-01T00:00:00.000Z",
      big: "12345678901234567890",
      map: { a: [1] },
      bytes: "AQI=",
      buffer: "Aw==",
      url: "https://example.com/",
      own: { at: "1970-01-01T00:00:00.000Z" },
      gone: undefined,
    },
  );
  assert.deepEqual([toJson(undefined), toJson(null), toJson([undefined, 1])], [null, null, [null, 1]]);
});

Deno.test("toJson keeps a key called __proto__ as a key", () => {
  const written = toJson(new Map([["__proto__", { polluted: true }]])) as object;
  assert.deepEqual(Object.keys(written), ["__proto__"]);
  assert.equal(JSON.stringify(written), '{"__proto__":{"polluted":true}}');
});

Deno.test("toJson takes the same object twice, and names cycles and what has no form", () => {
  const shared = { a: 1 };
  assert.deepEqual(toJson([shared, shared]), [shared, shared]);
  const cycle: { self?: unknown } = {};
  cycle.self = [cycle];
  assert.throws(() => toJson(cycle), /^TypeError: value\.self\[0\]: A cycle/);
  assert.throws(() => toJson({ a: () => 1 }), /^TypeError: value\.a: A function/);
  assert.throws(() => toJson([Symbol("s")]), /^TypeError: value\[0\]: A symbol/);
  assert.throws(() => toJson({ n: NaN }), /^TypeError: value\.n: A number/);
  assert.throws(() => toJson(new Map([[1, 2]])), /^TypeError: value: A key of a Map/);
  assert.throws(() => toJson(new Date(NaN)), /^TypeError: value: /);
});
