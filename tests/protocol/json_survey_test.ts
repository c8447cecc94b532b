/** Tests of `protocol/json_survey.ts`. */
import assert from "node:assert/strict";
import { parseMessage } from "../../protocol/json_rpc.ts";
import { surveyJson } from "../../protocol/json_survey.ts";
import { createRandom } from "./random.ts";

/** Members and items of a value. */
function count(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce((sum: number, one) => sum + count(one), inner.length);
}

Deno.test("surveyJson counts what a walk over the value counts, for random values in any spelling", () => {
  const random = createRandom(7);
  const texts = ["", "a,b", "[{", '"', '\\"', "\\", "\\\\", ":", "\n,", "é,🦊", "id"];
  const values = (depth: number): unknown => {
    switch (random.below(depth > 4 ? 4 : 7)) {
      case 0:
        return random.pick(texts);
      case 1:
        return random.below(1000) - 500;
      case 2:
        return null;
      case 3:
        return random.below(2) === 0;
      case 4:
        return Array.from({ length: random.below(4) }, () => values(depth + 1));
      default:
        return Object.fromEntries(
          Array.from({ length: random.below(4) }, (_, at) => [`${random.pick(texts)}${at}`, values(depth + 1)]),
        );
    }
  };
  for (let round = 0; round < 3000; round++) {
    const value = values(0);
    for (const indent of [undefined, 1, "\t"]) {
      assert.equal(surveyJson(JSON.stringify(value, null, indent)).elements, count(value), JSON.stringify(value));
    }
  }
});

Deno.test("surveyJson finds the last id of the outermost object, and no other", () => {
  const ids: readonly (readonly [text: string, id: string | undefined])[] = [
    ['{"id":7,"a":[1]}', "7"],
    ['{ "a" : {"id":1} , "id" : "x\\"y" }', '"x\\"y"'],
    ['{"id":1,"id":-2}', "-2"],
    ['{"a":"id","b":{"id":3}}', undefined],
    ['[{"id":3}]', undefined],
    ['{"id":{"id":3}}', ""],
    ['{"id":["id"],"a":{"id":2}}', ""],
    ['{"id"', undefined],
    ['{"id":', ""],
    ['{"id":"', '"'],
    ["", undefined],
  ];
  for (const [text, id] of ids) assert.equal(surveyJson(text).id, id, text);
});

Deno.test("parseMessage refuses a text with too many elements before it is parsed, with the id, wherever that stands (B004)", () => {
  const bounds = { jsonDepth: 64, jsonElements: 200 };
  const many = (length: number): string => `{${Array.from({ length }, (_, at) => `"k${at}":0`).join(",")}}`;
  // jsonrpc, id, method and params are four.
  const texts = (length: number) => [
    `{"jsonrpc":"2.0","id":7,"method":"m","params":${many(length)}}`,
    `{"jsonrpc":"2.0","method":"m","params":${many(length)},"id":7}`,
  ];
  for (const text of texts(196)) assert.equal(parseMessage(text, bounds).ok, true);
  const error = { code: -32600, message: "Invalid request: more than 200 JSON elements (limit jsonElements)" };
  for (const text of texts(197)) assert.deepEqual(parseMessage(text, bounds), { ok: false, id: 7, kind: "request", error });
  const kinds: readonly (readonly [text: string, kind: string | undefined, id: number | undefined])[] = [
    [`{"jsonrpc":"2.0","id":7,"result":${many(300)}}`, "response", 7],
    [`{"jsonrpc":"2.0","error":{"data":${many(300)}},"id":7}`, "response", 7],
    [`{"jsonrpc":"2.0","method":"m","params":${many(300)}}`, "notification", undefined],
    [many(300), undefined, undefined],
    [`[${many(300)}]`, undefined, undefined],
  ];
  for (const [text, kind, id] of kinds) assert.deepEqual(parseMessage(text, bounds), { ok: false, id, kind, error });
});
