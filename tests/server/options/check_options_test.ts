/** Tests of the option `extensions`: what is no extension is refused when the server is defined. */
import assert from "node:assert/strict";
import { extension } from "../../../protocol/extensions/extension.ts";
import { serverOf } from "../calls.ts";

const described = extension({
  id: "com.example/a",
  methods: { "a/do": { params: { type: "object" }, result: { type: "object" } } },
  listenKeys: { as: { type: "array" } },
});
const served = described.serve({ "a/do": () => ({}) });

function fault(...extensions: readonly unknown[]): string {
  try {
    serverOf({}, { extensions: extensions as never });
  } catch (error) {
    return String(error);
  }
  return "none";
}

Deno.test("defineServer refuses what serve() did not return, wherever it stands in the list", () => {
  const sentence = "Expected what serve() of an extension returns";
  for (const wrong of [undefined, null, described, { ...described }, "com.example/a"]) {
    assert.equal(fault(wrong), `TypeError: extensions[0]: ${sentence}`);
    assert.equal(fault(served, wrong), `TypeError: extensions[1]: ${sentence}`);
  }
  assert.throws(() => serverOf({}, { extensions: served as never }), /^TypeError: extensions: Expected a list/);
  assert.equal(fault(), "none");
  assert.equal(fault(served), "none");
  assert.equal(fault({ ...served, settings: { a: 1 } }), "none");
});

Deno.test("defineServer refuses two extensions with one identifier, method or key, and a method of the protocol", () => {
  assert.match(fault(served, served), /extensions\[1\]: The identifier "com.example\/a" is taken by extensions\[0\] already/);
  const methods = { "a/do": { params: { type: "object" }, result: { type: "object" } } } as const;
  const doing = extension({ id: "com.example/b", methods }).serve({ "a/do": () => ({}) });
  assert.match(fault(served, doing), /extensions\[1\]: The method "a\/do" is taken by com.example\/a already/);
  const listening = extension({ id: "com.example/b", listenKeys: { as: {} } }).serve({}, { as: () => true });
  const first = described.serve({ "a/do": () => ({}) }, { as: () => true });
  assert.match(fault(first, listening), /extensions\[1\]: The key "as" is taken by com.example\/a already/);
  const own = extension({ id: "com.example/b", methods: { "tools/list": methods["a/do"] } }).serve({ "tools/list": () => ({}) });
  assert.match(fault(served, own), /extensions\[1\]: The method "tools\/list" is the protocol's own/);
});
