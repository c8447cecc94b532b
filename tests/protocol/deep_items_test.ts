import assert from "node:assert/strict";
import { deepItemFault, itemName, withoutDeepItems } from "../../protocol/deep_items.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";

/** A value of so many levels: the text of lists, and of objects, within each other. */
const nested = (levels: number): JsonValue =>
  JSON.parse(levels % 2 === 0 ? "[".repeat(levels) + "]".repeat(levels) : `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);

const answer = (member: string, items: readonly JsonValue[]): JsonObject => ({
  jsonrpc: "2.0",
  id: 1,
  result: { nextCursor: "next", [member]: items },
});

Deno.test("withoutDeepItems leaves out of each list what passes the limit there, keeps the order, and names each (B040)", () => {
  const lists = { "tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources" };
  for (const [method, member] of Object.entries({ ...lists, "resources/templates/list": "resourceTemplates" })) {
    const items = [{ name: "a", b: nested(6) }, { name: "c" }, nested(7), nested(8), nested(100_000), {
      name: "d",
      b: nested(7),
    }];
    const given = answer(member, items);
    const listing = withoutDeepItems(method, given, 10);
    assert.deepEqual(listing?.message, answer(member, [{ name: "a", b: nested(6) }, { name: "c" }, nested(7)]));
    assert.deepEqual(listing?.faults.map(({ message }) => message.split(" is left")[0]), [
      `Reading the answer to ${method}: ${member}[3]`,
      `Reading the answer to ${method}: ${member}[4]`,
      `Reading the answer to ${method}: ${member}[5] ("d")`,
    ]);
    assert.equal(((given.result as JsonObject)[member] as JsonValue[]).length, 6);
  }
});

Deno.test("withoutDeepItems has nothing to say where no item is too deep, and of what is no list", () => {
  const deep = nested(100);
  assert.equal(withoutDeepItems("tools/list", answer("tools", [nested(7)]), 10), undefined);
  assert.equal(withoutDeepItems("tools/list", answer("prompts", [deep]), 10), undefined);
  assert.equal(withoutDeepItems("tools/call", answer("content", [deep]), 10), undefined);
  assert.equal(withoutDeepItems("constructor", answer("tools", [deep]), 10), undefined);
  for (const result of [undefined, null, [deep], { tools: { a: deep } }]) {
    assert.equal(withoutDeepItems("tools/list", { jsonrpc: "2.0", id: 1, result }, 10), undefined);
  }
  for (const message of [undefined, null, 1, "a", [deep]]) assert.equal(withoutDeepItems("tools/list", message, 10), undefined);
});

Deno.test("withoutDeepItems keeps names that a prototype has as they came", () => {
  const text = `{"jsonrpc":"2.0","id":1,"__proto__":{"a":1},"result":{"__proto__":{"b":2},"tools":[${
    JSON.stringify(nested(9))
  }]}}`;
  const listing = withoutDeepItems("tools/list", JSON.parse(text), 10);
  assert.equal(
    JSON.stringify(listing?.message),
    '{"jsonrpc":"2.0","id":1,"__proto__":{"a":1},"result":{"__proto__":{"b":2},"tools":[]}}',
  );
});

Deno.test("deepItemFault is an error of the limit with its value, and takes what refers to itself for too deep", () => {
  const loop: { [name: string]: unknown } = { name: "loop" };
  loop.self = loop;
  const fault = deepItemFault({ method: "tools/list", member: "tools", index: 0 }, loop, 64);
  assert.deepEqual([fault?.reason, fault?.data], ["limit", { limit: "jsonDepth", value: 64 }]);
  assert.equal(deepItemFault({ method: "tools/list", member: "tools", index: 0 }, nested(3), 6), undefined);
});

Deno.test("itemName shows the beginning of a long name, and nothing of what has none", () => {
  assert.equal(itemName({ name: 'a"b' }), ' ("a\\"b")');
  assert.ok(itemName({ name: "a".repeat(1_000_000) }).length < 200);
  for (const item of [{}, { name: 1 }, [], null, "a"]) assert.equal(itemName(item), "");
});
