/** Tests of `server/input/question_keys.ts` and `server/input/digest.ts`. */
import assert from "node:assert/strict";
import { ask } from "../../../server/input/ask.ts";
import { digestOf } from "../../../server/input/digest.ts";
import { digestOfQuestion, QuestionKeys } from "../../../server/input/question_keys.ts";
import { createRandom } from "../../protocol/random.ts";

Deno.test("digestOf names equal texts alike, and a change of one bit or of the order changes about half of it", () => {
  const random = createRandom(3);
  let changed = 0;
  for (let turn = 0; turn < 500; turn++) {
    const units = Array.from({ length: 1 + random.below(40) }, () => random.below(0x10000));
    const at = random.below(units.length);
    const other = units.with(at, (units[at] as number) ^ (1 << random.below(16)));
    const [one, two] = [units, other].map((list) => digestOf(String.fromCharCode(...list))) as [string, string];
    assert.match(one, /^[0-9a-f]{32}$/);
    assert.equal(digestOf(String.fromCharCode(...units)), one);
    const bits = (BigInt(`0x${one}`) ^ BigInt(`0x${two}`)).toString(2).replaceAll("0", "").length;
    assert.ok(bits > 24, `${bits} of 128 bits`);
    changed += bits;
  }
  assert.ok(Math.abs(changed / 500 - 64) < 4, String(changed / 500));
});

Deno.test("digestOf gives 200,000 similar texts as many names", () => {
  const names = new Set<string>();
  for (let at = 0; at < 100_000; at++) {
    names.add(digestOf(`["elicitation/create",{"message":"No ${at}"}]`)).add(digestOf(`${at}`));
  }
  assert.equal(names.size, 200_000);
  assert.equal(new Set([...names].map((name) => name.slice(0, 16))).size, 200_000);
});

Deno.test("digestOfQuestion tells questions by kind and params", () => {
  const questions = [
    ask.form("a", {}),
    ask.form("b", {}),
    ask.form("a", { n: { type: "string" } }),
    ask.url("a", "https://a.example"),
    ask.sampling({ messages: [], maxTokens: 1 }),
    ask.sampling({ messages: [], maxTokens: 2 }),
    ask.roots(),
  ];
  assert.equal(new Set(questions.map(digestOfQuestion)).size, questions.length);
  assert.equal(digestOfQuestion(ask.form("a", {})), digestOfQuestion(ask.form("a", {})));
});

Deno.test("QuestionKeys makes the same keys in each run, and none twice", () => {
  const make = () => {
    const keys = new QuestionKeys();
    return [ask.roots(), ask.form("a", {}), ask.roots(), ask.roots()].map((question) => keys.keyOf(question, undefined, "q"));
  };
  assert.deepEqual(make(), make());
  const [first, form, second, third] = make();
  assert.match(form ?? "", /^form-[0-9a-f]{16}$/);
  assert.match(first ?? "", /^roots-[0-9a-f]{16}$/);
  assert.deepEqual([second, third], [`${first}-2`, `${first}-3`]);
});
