/** Tests of `server/results/read_return.ts`: what a resource's `read` may return (API § 2.2). */
import assert from "node:assert/strict";
import { writeReadResult } from "../../../server/results/read_return.ts";

const URI = "x://a";

Deno.test("a string is text, bytes are a blob, each with the definition's type (M-RES-023, M-RES-029)", () => {
  assert.deepEqual(writeReadResult("hi", URI, undefined), { contents: [{ uri: URI, text: "hi" }] });
  assert.deepEqual(writeReadResult("", URI, "text/css"), { contents: [{ uri: URI, mimeType: "text/css", text: "" }] });
  assert.deepEqual(writeReadResult(new Uint8Array([255, 0]), URI, "image/png"), {
    contents: [{ uri: URI, mimeType: "image/png", blob: "/wA=" }],
  });
  assert.deepEqual(writeReadResult(new Uint8Array(), URI, undefined), { contents: [{ uri: URI, blob: "" }] });
});

Deno.test("other JSON is text of application/json, unless the definition has a type", () => {
  for (const value of [null, 0, false, [], {}, { a: [1] }, { contents: "x" }, { contents: [{ a: 1 }] }]) {
    const written = { uri: URI, mimeType: "application/json", text: JSON.stringify(value) };
    assert.deepEqual(writeReadResult(value, URI, undefined), { contents: [written] });
  }
  assert.deepEqual(writeReadResult({ a: 1 }, URI, "application/ld+json"), {
    contents: [{ uri: URI, mimeType: "application/ld+json", text: '{"a":1}' }],
  });
});

Deno.test("contents written out go as they are, with bytes encoded, and hints beside them (M-RES-008, M-CACHE-009)", () => {
  const value = {
    contents: [{ uri: "x://b", text: "b" }, { uri: "x://c", mimeType: "image/png", blob: new Uint8Array([1]) }],
    ttlMs: 5,
    cacheScope: "public",
    _meta: { own: 1 },
  };
  assert.deepEqual(writeReadResult(value, URI, "text/plain"), {
    contents: [{ uri: "x://b", text: "b" }, { uri: "x://c", mimeType: "image/png", blob: "AQ==" }],
    ttlMs: 5,
    cacheScope: "public",
    _meta: { own: 1 },
  });
  assert.deepEqual(writeReadResult({ contents: [] }, URI, undefined), { contents: [] });
});

Deno.test("faults name the path", () => {
  const faults: readonly [unknown, RegExp][] = [
    [{ at: new Date() }, /^TypeError: read\.at: A Date/],
    [NaN, /^TypeError: read: A number/],
    [{ contents: [{ uri: URI, text: 7 }] }, /^TypeError: read\.contents\[0\]: Expected text/],
    [{ contents: [{ uri: URI, text: "a" }, { uri: URI, blob: 7 }] }, /^TypeError: read\.contents\[1\]: /],
    [{ contents: [{ uri: URI, text: "a", _meta: { n: 1n } }] }, /^TypeError: read\.contents\[0\]\._meta\.n: A bigint/],
    [{ contents: [], ttlMs: -1 }, /^TypeError: read\.ttlMs: /],
    [{ contents: [], cacheScope: "all" }, /^TypeError: read\.cacheScope: /],
    [{ contents: [], _meta: { f: () => 1 } }, /^TypeError: read\._meta\.f: A function/],
  ];
  for (const [value, expected] of faults) assert.throws(() => writeReadResult(value, URI, undefined), expected);
});
