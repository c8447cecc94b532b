import assert from "node:assert/strict";
import { deepItemFault, itemFault, leftOut, placeOf, withoutDeepItems } from "../../protocol/deep_items.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";

/** A value of so many levels: the text of lists, and of objects, within each other. */
const nested = (levels: number): JsonValue =>
  JSON.parse(levels % 2 === 0 ? "[".repeat(levels) + "]".repeat(levels) : `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);

const answer = (member: string, items: readonly JsonValue[]): JsonObject => ({
  jsonrpc: "2.0",
  id: 1,
  result: { nextCursor: "next", [member]: items },
});

/** What is left of a message. */
function shallow(method: string, message: unknown, jsonDepth: number, list?: string) {
  return withoutDeepItems({ method, list }, message, jsonDepth, (rest) => rest);
}

Deno.test("withoutDeepItems leaves out of each list what passes the limit there, keeps the order, and names each (B040)", () => {
  const lists = { "tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources" };
  for (const [method, member] of Object.entries({ ...lists, "resources/templates/list": "resourceTemplates" })) {
    const items = [{ name: "a", b: nested(6) }, { name: "c" }, nested(7), nested(8), nested(100_000), {
      name: "d",
      b: nested(7),
    }, { name: "e" }];
    const given = answer(member, items);
    const listing = shallow(method, given, 10);
    assert.deepEqual(listing?.message, answer(member, [{ name: "a", b: nested(6) }, { name: "c" }, nested(7), { name: "e" }]));
    const why = "is left out: it nests deeper than 10 levels (limit jsonDepth)";
    assert.equal(
      listing?.fault.message,
      `Reading the answer to ${method}: ${member}[3] ${why}; ${member}[4] ${why}; ${member}[5] ("d") ${why}`,
    );
    assert.deepEqual([listing.fault.reason, listing.fault.data], ["limit", { limit: "jsonDepth", value: 10 }]);
    assert.equal(((given.result as JsonObject)[member] as JsonValue[]).length, 7);
  }
});

Deno.test("placeOf says where an item stood in the list as it came, of a copy too, and of any other list as it is", () => {
  const given = answer("tools", [nested(8), { name: "a" }, nested(8), { name: "b" }]);
  const copy = (rest: JsonObject): JsonObject => structuredClone(rest);
  for (const finish of [(rest: JsonObject) => rest, copy]) {
    const { result } = withoutDeepItems({ method: "tools/list" }, given, 10, finish)?.message ?? {};
    const { tools } = result as { tools: readonly JsonValue[] };
    assert.deepEqual(tools.map((_tool, index) => placeOf(tools, index)), [1, 3]);
  }
  assert.deepEqual([placeOf(["a"], 0), placeOf([], 7)], [0, 7]);
});

Deno.test("withoutDeepItems gives nothing when the rest is no good", () => {
  const given = answer("tools", [nested(8)]);
  assert.equal(withoutDeepItems({ method: "tools/list" }, given, 10, () => undefined), undefined);
});

Deno.test("withoutDeepItems reads the list of another method where its member is named, and of the protocol's own its own alone", () => {
  const given = answer("entries", [nested(8), 1]);
  assert.equal(shallow("audit/list", given, 10), undefined);
  assert.deepEqual(shallow("audit/list", given, 10, "entries")?.message, answer("entries", [1]));
  for (const list of ["nothing", "nextCursor", "__proto__", "constructor"]) {
    assert.equal(shallow("audit/list", given, 10, list), undefined);
  }
  assert.equal(shallow("tools/list", given, 10, "entries"), undefined);
});

Deno.test("leftOut names the first five of many, and counts the others", () => {
  const fault = leftOut("a/list", Array.from({ length: 1000 }, (_, index) => `b[${index}] is left out: c`));
  assert.equal(
    fault.message,
    `Reading the answer to a/list: ${[0, 1, 2, 3, 4].map((at) => `b[${at}] is left out: c`).join("; ")}; and 995 more`,
  );
  assert.deepEqual([fault.reason, fault.data], ["not_mcp", undefined]);
});

Deno.test("withoutDeepItems has nothing to say where no item is too deep, and of what is no list", () => {
  const deep = nested(100);
  assert.equal(shallow("tools/list", answer("tools", [nested(7)]), 10), undefined);
  assert.equal(shallow("tools/list", answer("prompts", [deep]), 10), undefined);
  assert.equal(shallow("tools/call", answer("content", [deep]), 10), undefined);
  assert.equal(shallow("constructor", answer("tools", [deep]), 10), undefined);
  for (const result of [undefined, null, [deep], { tools: { a: deep } }]) {
    assert.equal(shallow("tools/list", { jsonrpc: "2.0", id: 1, result }, 10), undefined);
  }
  for (const message of [undefined, null, 1, "a", [deep]]) assert.equal(shallow("tools/list", message, 10), undefined);
});

Deno.test("withoutDeepItems keeps names that a prototype has as they came", () => {
  const text = `{"jsonrpc":"2.0","id":1,"__proto__":{"a":1},"result":{"__proto__":{"b":2},"tools":[${
    JSON.stringify(nested(9))
  }]}}`;
  const listing = shallow("tools/list", JSON.parse(text), 10);
  assert.equal(
    JSON.stringify(listing?.message),
    '{"jsonrpc":"2.0","id":1,"__proto__":{"a":1},"result":{"__proto__":{"b":2},"tools":[]}}',
  );
});

Deno.test("deepItemFault names the item and the limit, and takes what refers to itself for too deep", () => {
  const loop: { [name: string]: unknown } = { name: "loop" };
  loop.self = loop;
  assert.equal(
    deepItemFault({ member: "tools", index: 7 }, loop, 64),
    'tools[7] ("loop") is left out: it nests deeper than 64 levels (limit jsonDepth)',
  );
  assert.equal(deepItemFault({ member: "tools", index: 0 }, nested(3), 6), undefined);
});

Deno.test("itemFault shows the beginning of a long name, and nothing of what has none", () => {
  const fault = (item: unknown): string => itemFault({ member: "tools", index: 0 }, item, "why");
  assert.equal(fault({ name: 'a"b' }), 'tools[0] ("a\\"b") is left out: why');
  assert.ok(fault({ name: "a".repeat(1_000_000) }).length < 200);
  for (const item of [{}, { name: 1 }, [], null, "a"]) assert.equal(fault(item), "tools[0] is left out: why");
});
