/** Tests of `server/json/json_fault.ts`. */
import assert from "node:assert/strict";
import { jsonFault } from "../../../server/json/json_fault.ts";

Deno.test("jsonFault accepts JSON, members that are undefined, and the same object twice", () => {
  const shared = { a: 1 };
  for (const value of [undefined, null, "", 0, -0, true, [], {}, { a: undefined }, [shared, shared], { a: shared, b: shared }]) {
    assert.equal(jsonFault(value, "v"), undefined);
  }
});

Deno.test("jsonFault names the first part that JSON can not carry", () => {
  const cycle: unknown[] = [];
  cycle.push([cycle]);
  const faults: readonly [unknown, string][] = [
    [NaN, "v: A number that is not finite cannot be written as JSON"],
    [{ a: [1, -Infinity] }, "v.a[1]: A number that is not finite cannot be written as JSON"],
    [1n, "v: A bigint cannot be written as JSON: use toJson() or String()"],
    [Symbol("s"), "v: A symbol cannot be written as JSON"],
    [() => 1, "v: A function cannot be written as JSON"],
    [[undefined], "v[0]: undefined cannot stand in a JSON array"],
    [cycle, "v[0][0]: A cycle cannot be written as JSON"],
    [new Uint8Array(), "v: Bytes cannot be written as JSON: use image(), audio() or embed()"],
    [new ArrayBuffer(1), "v: Bytes cannot be written as JSON: use image(), audio() or embed()"],
    [{ at: new Date() }, "v.at: A Date cannot be written as JSON: use toJson() or toISOString()"],
    [new Set(), "v: A Map or Set cannot be written as JSON: use toJson()"],
    [Promise.resolve(), "v: A Promise cannot be written as JSON: await it"],
  ];
  for (const [value, expected] of faults) assert.equal(jsonFault(value, "v"), expected);
});

Deno.test("jsonFault says of a nesting that no stack takes that it is too deep, and throws nothing (B040)", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = { a: deep };
  assert.match(jsonFault(deep, "v") ?? "", /^v.*: .*nesting this deep/);
});

Deno.test("jsonFault reports sparse arrays, and leaves values as they are", () => {
  const value = Object.freeze({ a: Object.freeze([1]) });
  assert.equal(jsonFault(value, "v"), undefined);
  assert.match(jsonFault(new Array(3), "v") ?? "", /^v\[0\]: undefined/);
});

Deno.test("jsonFault refuses errors, responses, streams and generators, which JSON would write as nothing, but not what writes itself", () => {
  const generator = (function* (): Generator<number> {
    yield 1;
  })();
  assert.equal(jsonFault({ a: new Error("b") }, "v"), "v.a: An Error cannot be written as JSON: throw it");
  assert.equal(jsonFault(new Response(), "v"), "v: An object of the kind Response cannot be written as JSON");
  assert.equal(jsonFault([new ReadableStream()], "v"), "v[0]: An object of the kind ReadableStream cannot be written as JSON");
  assert.equal(jsonFault({ a: generator }, "v"), "v.a: An object of the kind Generator cannot be written as JSON");
  assert.equal(jsonFault({ a: new URL("http://localhost/") }, "v"), undefined);
});
