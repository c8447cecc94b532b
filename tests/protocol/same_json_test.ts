/** Tests of `protocol/same_json.ts`. */
import assert from "node:assert/strict";
import { isSameJson } from "../../protocol/same_json.ts";

const parse = (text: string): unknown => JSON.parse(text);

Deno.test("isSameJson() compares members by name and lists by order, whatever the names are", () => {
  const texts = [
    "null",
    "0",
    '""',
    "false",
    "[]",
    "{}",
    "[1,2]",
    "[2,1]",
    '{"0":1,"1":2}',
    '{"a":{"b":[1]}}',
    '{"toString":1}',
    '{"valueOf":1}',
    '{"constructor":1}',
    '{"__proto__":{}}',
    '{"a":null}',
  ];
  for (const one of texts) {
    for (const other of texts) assert.equal(isSameJson(parse(one), parse(other)), one === other, `${one} and ${other}`);
  }
  assert.equal(isSameJson(parse('{"a":1,"b":[2]}'), parse('{"b":[2],"a":1}')), true);
  assert.equal(isSameJson(0, -0), true);
});
