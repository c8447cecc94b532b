/** Tests of `server/input/requested_input.ts`. */
import assert from "node:assert/strict";
import type { Question } from "../../../protocol/context.ts";
import { ask } from "../../../server/input/ask.ts";
import type { Asker } from "../../../server/input/asker.ts";
import { RequestedInput } from "../../../server/input/requested_input.ts";
import { RunOnce } from "../../../server/input/run_once.ts";

/** Answers each question with how many were asked before, and keeps which keys were asked. */
function counting() {
  const asked: string[] = [];
  const once = new RunOnce();
  const asker: Asker = {
    ask: (questions) => Promise.resolve(new Map([...questions.keys()].map((key) => [key, { count: asked.push(key) }]))),
    once: (key, fn) => once.run(key, fn),
  };
  return { asked, input: new RequestedInput(asker) };
}

const questions = (...keys: string[]): Map<string, Question<unknown>> => new Map(keys.map((key) => [key, ask.form(key, {})]));

Deno.test("RequestedInput asks each question once over all runs", async () => {
  const { asked, input } = counting();
  assert.deepEqual([...await input.ask(questions("a"), {})], [["a", { count: 1 }]]);
  const next = await input.again(new Map(), { step: 1 });
  assert.deepEqual([next.state, next.runs, next.suspended], [{ step: 1 }, 2, false]);
  assert.deepEqual([...await next.ask(questions("b", "a"), {})], [["b", { count: 2 }], ["a", { count: 1 }]]);
  assert.deepEqual(asked, ["a", "b"]);
  assert.deepEqual([await input.once("k", () => 1), await next.once("k", () => 2)], [1, 1]);
});

Deno.test("RequestedInput gives the answers to what was asked by hand to the next run alone, and to the same question alone", async () => {
  const { input } = counting();
  const [by, other] = [{ u: ask.form("u", {}) }, { u: ask.form("another", {}) }];
  assert.deepEqual(input.answers(by), {});
  const next = await input.again(new Map(Object.entries(by)), undefined);
  assert.deepEqual([next.answers(by), next.answers(other), next.answers({ v: by.u })], [{ u: { count: 1 } }, {}, {}]);
  assert.deepEqual((await next.again(new Map(), 0)).answers(by), {});
});

Deno.test("RequestedInput refuses a question that differs from what was asked under its key", async () => {
  const { input } = counting();
  await input.ask(questions("a"), {});
  const next = await input.again(new Map(), 0);
  await assert.rejects(
    next.ask(new Map([["a", ask.form("b", {})]]), {}),
    /^TypeError: key: The question with the key "a" differs/,
  );
});
