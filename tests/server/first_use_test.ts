/** Tests of what is loaded at its first use: messages that come meanwhile are answered as ever. */
import assert from "node:assert/strict";
import { ROOT, runDeno } from "../../scripts/command.ts";

/** What came of a first use, in a process of its own. */
// deno-lint-ignore no-explicit-any -- each case prints its own
async function outcomeOf(name: string): Promise<any> {
  const program = `${ROOT}/tests/server/programs/first_use.ts`;
  const { code, output } = await runDeno(["run", "-A", "--no-check", program, name]);
  assert.equal(code, 0, output);
  return JSON.parse(output);
}

Deno.test("the first questions of a process are asked though the handler has ended, in their order", async () => {
  const { response, order } = await outcomeOf("unawaited");
  assert.equal(response.result.resultType, "input_required");
  const keys = Object.keys(response.result.inputRequests);
  const [first, second, third] = keys as [string, string, string];
  assert.equal(keys.length, 3);
  assert.equal(second, `${first}-2`);
  assert.equal(response.result.inputRequests[third].params.message, "other");
  // What runs once has run before its caller went on, as ever.
  assert.deepEqual(order, ["once", "after once", "same", "same", "other"]);
});

Deno.test("a call that is cancelled while its first question is loading gets no answer, and the next call does", async () => {
  const { response, order, next } = await outcomeOf("cancelled");
  assert.deepEqual([response, order], [null, ["AbortError"]]);
  assert.equal(next.result.content[0].text, "plain");
});

Deno.test("the end of the server overtakes a first question that is loading", async () => {
  const { response, order } = await outcomeOf("closed");
  // Either the question was ready in the turn that the end takes, or the call was given up.
  if (response.error === undefined) assert.equal(response.result.resultType, "input_required");
  else assert.deepEqual([response.error.data.reason, order.length], ["closing", 1]);
});

Deno.test("the first call of a process that goes on by itself gives the result of its work", async () => {
  const { texts: [first, second], order, reported } = await outcomeOf("deferred");
  assert.deepEqual([first.result.content[0].text, second.result.content[0].text], ["worked", "plain"]);
  assert.deepEqual([order, reported], [["work"], []]);
});

Deno.test("a call that is cancelled before it goes on by itself begins no work, and the next call does", async () => {
  const { response, order, next, reported } = await outcomeOf("deferred cancelled");
  assert.deepEqual([response, next.result.content[0].text, order, reported], [null, "worked", ["work"], []]);
});

Deno.test("the first change stream of a process tells what changed since its request", async () => {
  assert.deepEqual(await outcomeOf("changed"), {
    methods: ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"],
    ended: true,
    listeners: 0,
  });
});

Deno.test("a first change stream that is cancelled while it is loading leaves nobody on the bus", async () => {
  assert.deepEqual(await outcomeOf("stream cancelled"), { methods: [], response: null, listeners: 0 });
});

Deno.test("a first change stream that is loading when the server ends is acknowledged and ends with its result", async () => {
  assert.deepEqual(await outcomeOf("stream closed"), {
    methods: ["notifications/subscriptions/acknowledged"],
    ended: true,
    listeners: 0,
  });
});
