/** Tests of `server/input/questions.ts`. */
import assert from "node:assert/strict";
import { ProtocolError } from "../../../protocol/errors.ts";
import { ERROR_TEXT_LENGTH, resolveLimits } from "../../../protocol/limits.ts";
import type { JsonObject } from "../../../protocol/types.ts";
import { Questions } from "../../../server/input/questions.ts";
import { createSession } from "../../../transports/session.ts";

function open(limits: Parameters<typeof resolveLimits>[0] = {}) {
  return { questions: new Questions(resolveLimits(limits)), session: createSession({ send: () => undefined }) };
}

/** Lets time pass in which no timer fires. */
function standStill(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

async function failure(answer: Promise<unknown>): Promise<ProtocolError> {
  try {
    await answer;
  } catch (error) {
    assert.ok(error instanceof ProtocolError);
    return error;
  }
  throw new Error("Expected a rejection, found none");
}

Deno.test("Questions matches a response within its session only, by an id of the same type (L-BASE-003)", async () => {
  const { questions, session } = open();
  const other = createSession({ send: () => undefined });
  const one = questions.open(session, 1, undefined);
  const response = (id: string | number, result: JsonObject) => ({ jsonrpc: "2.0" as const, id, result });
  assert.equal(questions.answer(other, response(1, {})), false);
  assert.equal(questions.answer(session, response("1", {})), false);
  assert.equal(questions.answer(session, { jsonrpc: "2.0", error: { code: -1, message: "x" } }), false);
  assert.equal(one.answered, false);
  assert.equal(questions.answer(session, response(1, { roots: [] })), true);
  assert.equal(one.answered, true);
  assert.deepEqual(await one.answer, { roots: [] });
  assert.equal(questions.answer(session, response(1, {})), false);
  assert.equal(questions.size, 0);
});

Deno.test("Questions turns the client's error into a ProtocolError with its code, message and data", async () => {
  const { questions, session } = open();
  const one = questions.open(session, "q", undefined);
  questions.answer(session, {
    jsonrpc: "2.0",
    id: "q",
    error: { code: -1, message: "User rejected sampling request", data: [1] },
  });
  const error = await failure(one.answer);
  assert.deepEqual([error.code, error.message, error.data], [-1, "User rejected sampling request", [1]]);
});

Deno.test("Questions gives up after the time, which names the limit only when it is the limit's (limit answerTimeout)", async () => {
  const { questions, session } = open({ answerTimeout: 5 });
  const usual = await failure(questions.open(session, 1, undefined).answer);
  assert.equal(usual.message, "Asking the client: no answer for 5 ms (limit answerTimeout)");
  const own = await failure(questions.open(session, 1, 3).answer);
  assert.deepEqual([own.message, own.data], ["Asking the client: no answer for 3 ms", { reason: "timeout", limit: 3 }]);
  assert.equal(questions.size, 0);
});

Deno.test("Questions begins the time again with each report of progress, but not for ever (B071, L-PROG-001)", async () => {
  const { questions, session } = open({ answerTimeout: 200, sessionAge: 1000 });
  const patient = questions.open(session, "q", undefined);
  standStill(210);
  assert.equal(questions.progress(session, "q", 1), true);
  assert.equal(questions.progress(session, "other", 1), false);
  await new Promise((resolve) => setTimeout(resolve, 1));
  assert.equal(questions.size, 1);
  patient.drop(new Error("enough"));
  assert.equal(questions.progress(session, "q", 2), false);

  const strict = open({ answerTimeout: 20, sessionAge: 20 });
  const one = strict.questions.open(strict.session, "q", undefined);
  standStill(30);
  strict.questions.progress(strict.session, "q", 1);
  await failure(one.answer);
});

Deno.test("Questions takes only progress that grows for any", async () => {
  for (const again of [1, 0, NaN, "2", undefined]) {
    const { questions, session } = open({ answerTimeout: 50, sessionAge: 10_000 });
    const one = questions.open(session, "q", undefined);
    questions.progress(session, "q", 1);
    standStill(60);
    questions.progress(session, "q", again);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(questions.size, 0, String(again));
    await failure(one.answer);
  }
});

Deno.test("Questions shortens the text of an error that nobody would read to its end", async () => {
  const { questions, session } = open();
  const one = questions.open(session, "q", undefined);
  questions.answer(session, { jsonrpc: "2.0", id: "q", error: { code: -1, message: "x".repeat(100_000) } });
  assert.equal((await failure(one.answer)).message.length, ERROR_TEXT_LENGTH + 1);
});

Deno.test("Questions takes a time that no timer takes", () => {
  const { questions, session } = open();
  const one = questions.open(session, 1, Number.MAX_SAFE_INTEGER);
  one.drop(new Error("enough"));
  assert.equal(questions.size, 0);
});

Deno.test("Questions rejects what is open when the session ends, and leaves nothing behind (L-CANC-001)", async () => {
  const { questions, session } = open();
  const all = [1, 2, 3].map((id) => questions.open(session, id, undefined));
  assert.equal(questions.size, 3);
  session.end();
  for (const { answer } of all) assert.deepEqual((await failure(answer)).data, { reason: "session_ended" });
  assert.equal(questions.size, 0);
});

Deno.test("Questions opens so many in one session at most, and leaves other sessions alone", async () => {
  const { questions, session } = open({ handlers: 2, handlerQueue: 1 });
  const all = [1, 2, 3].map((id) => questions.open(session, id, undefined));
  assert.throws(() => questions.open(session, 4, undefined), /Capacity reached: 3 questions of one session are open/);
  const other = questions.open(createSession({ send: () => undefined }), 1, undefined);
  all[0]?.drop(new Error("enough"));
  const next = questions.open(session, 4, undefined);
  for (const one of [...all, other, next]) one.drop(new Error("enough"));
  await assert.rejects(next.answer, /enough/);
  assert.equal(questions.size, 0);
});

Deno.test("Questions needs nothing that Node 20 lacks", async () => {
  const own = Object.getOwnPropertyDescriptor(Promise, "withResolvers") as PropertyDescriptor;
  Object.defineProperty(Promise, "withResolvers", { ...own, value: undefined });
  try {
    const { questions, session } = open();
    const one = questions.open(session, 1, undefined);
    questions.answer(session, { jsonrpc: "2.0", id: 1, result: { roots: [] } });
    assert.deepEqual(await one.answer, { roots: [] });
  } finally {
    Object.defineProperty(Promise, "withResolvers", own);
  }
});
