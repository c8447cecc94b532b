/** Tests of `server/input/answers.ts`. */
import assert from "node:assert/strict";
import * as z from "zod";
import type { JsonValue } from "../../../protocol/types.ts";
import { loadInterpreter } from "../../../protocol/validators/interpreter.ts";
import { readAnswers } from "../../../server/input/answers.ts";
import { ask } from "../../../server/input/ask.ts";

const CITY = { u: ask.form("Which city?", { city: { type: "string", required: true } }) };

async function read(answer: JsonValue | undefined): Promise<unknown> {
  const validator = await loadInterpreter();
  return readAnswers({ u: answer, zz: { action: "accept" } }, CITY, (schema) => validator.compile(schema));
}

Deno.test("readAnswers gives decline and cancel as such, whatever comes with them (B065)", async () => {
  assert.deepEqual(await read({ action: "decline" }), { u: { action: "decline" } });
  assert.deepEqual(await read({ action: "cancel" }), { u: { action: "cancel" } });
  assert.deepEqual(await read({ action: "cancel", content: {} }), { u: { action: "cancel" } });
});

Deno.test("readAnswers gives accepted content that fits, and leaves everything else out so that it is asked again (B065, M-MRTR-032, M-MRTR-034, M-MRTR-035)", async () => {
  assert.deepEqual(await read({ action: "accept", content: { city: "Bern" } }), {
    u: { action: "accept", content: { city: "Bern" } },
  });
  const unfit: (JsonValue | undefined)[] = [
    { action: "accept" },
    { action: "accept", content: { city: 5 } },
    { action: "accept", content: [] },
    { action: "accept", content: null },
    { action: "maybe" },
    {},
    "accept",
    null,
    undefined,
  ];
  for (const answer of unfit) assert.deepEqual(await read(answer), {}, JSON.stringify(answer));
});

Deno.test("readAnswers takes a URL's acceptance without content", () => {
  const questions = { u: ask.url("Visit", "https://example.com/") };
  const compile = () => () => [];
  assert.deepEqual(readAnswers({ u: { action: "accept" } }, questions, compile), { u: { action: "accept" } });
  assert.deepEqual(readAnswers({ u: { action: "decline" } }, questions, compile), { u: { action: "decline" } });
});

Deno.test("readAnswers checks samples and roots for their shape", () => {
  const questions = { s: ask.sampling({ messages: [], maxTokens: 1 }), r: ask.roots() };
  const compile = () => () => [];
  const sample = { role: "assistant", model: "m", content: { type: "text", text: "hi" } };
  const answers = { s: sample, r: { roots: [{ uri: "file:///a" }] } };
  assert.deepEqual(readAnswers(answers, questions, compile), { s: sample, r: [{ uri: "file:///a" }] });
  for (const s of [{ ...sample, role: "system" }, { ...sample, model: 7 }, { ...sample, content: "hi" }]) {
    assert.deepEqual(readAnswers({ s, r: { roots: [{}] } }, questions, compile), {});
  }
});

Deno.test("readAnswers reads own keys alone", () => {
  const questions = { constructor: ask.roots(), toString: ask.roots() };
  assert.deepEqual(readAnswers({}, questions, () => () => []), {});
  for (const responses of [undefined, null, [], "x"]) assert.deepEqual(readAnswers(responses, CITY, () => () => []), {});
});

Deno.test("readAnswers gives what a form's Standard Schema makes of the answer: defaults, transforms, refinements (API § 2.3)", async () => {
  const form = z.object({
    days: z.number().default(5),
    city: z.string().transform((city) => city.toUpperCase()),
    even: z.number().refine((value) => value % 2 === 0),
  });
  const questions = { u: ask.form("Where, and how long?", form) };
  const validator = await loadInterpreter();
  const given = (content: JsonValue) =>
    readAnswers({ u: { action: "accept", content } }, questions, (schema) => validator.compile(schema));
  assert.deepEqual(given({ city: "bern", even: 2 }), { u: { action: "accept", content: { days: 5, city: "BERN", even: 2 } } });
  for (const content of [{ city: "bern", even: 3 }, { city: 1, even: 2 }, {}]) assert.deepEqual(given(content), {});
});

Deno.test("readAnswers refuses a form whose library checks asynchronously", async () => {
  const questions = { u: ask.form("?", z.object({ a: z.string().refine(() => Promise.resolve(true)) })) };
  const validator = await loadInterpreter();
  const answers = { u: { action: "accept", content: { a: "x" } } };
  assert.throws(() => readAnswers(answers, questions, (schema) => validator.compile(schema)), TypeError);
});
