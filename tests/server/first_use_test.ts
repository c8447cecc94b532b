/** Tests of what is loaded at its first use: messages that come meanwhile are answered as ever. */
import assert from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { ROOT, runDeno } from "../../scripts/command.ts";

/** What came of a first use, in a process of its own. */
// deno-lint-ignore no-explicit-any -- each case prints its own
async function outcomeOf(name: string, options: readonly string[] = []): Promise<any> {
  const program = `${ROOT}/tests/server/programs/first_use.ts`;
  const { code, output } = await runDeno(["run", "-A", "--no-check", ...options, program, name]);
  assert.equal(code, 0, output);
  return JSON.parse(output);
}

/** The same where one file of ours can not be loaded. */
// deno-lint-ignore no-explicit-any -- each case prints its own
async function outcomeWithout(file: string, name: string): Promise<any> {
  const map = await Deno.makeTempFile({ suffix: ".json" });
  const lost = { [`file://${ROOT}/${file}`]: `data:text/javascript,throw new Error("${file} is gone")` };
  try {
    const ajv = { "ajv/dist/2020.js": `${config.imports.ajv}/dist/2020.js` };
    await Deno.writeTextFile(map, JSON.stringify({ imports: { ...config.imports, ...ajv, ...lost } }));
    return await outcomeOf(name, ["--import-map", map]);
  } finally {
    await Deno.remove(map);
  }
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

Deno.test("the first questions of a process are asked as they were when the handler asked them", async () => {
  const { result } = await outcomeOf("changed question");
  // deno-lint-ignore no-explicit-any -- what a wire has
  const asked = Object.entries<any>(result.inputRequests).map(([key, { method, params }]) =>
    method === "roots/list" ? key : Object.keys(params.requestedSchema.properties)
  );
  assert.deepEqual(asked, [["first"], "a", ["first", "second"]]);
});

Deno.test("the first questions of a process hold what was in the objects that they were asked with", async () => {
  const { result } = await outcomeOf("changed objects");
  assert.equal(Object.keys(result.inputRequests).length, 4);
  const text = JSON.stringify(result.inputRequests);
  assert.equal(text.match(/first/g)?.length, 5);
  assert.doesNotMatch(text, /second|"maxTokens":3/);
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

Deno.test("what nobody asked for takes no place among the changes that the first change stream is told", async () => {
  assert.deepEqual(await outcomeOf("flooded"), {
    methods: [
      "notifications/subscriptions/acknowledged",
      "notifications/resources/updated",
      "notifications/tools/list_changed",
    ],
    listeners: 0,
  });
});

Deno.test("a call whose question can not be loaded fails, though the handler did not wait for it", async () => {
  const { response, reported } = await outcomeWithout("server/input/asking.ts", "question lost");
  assert.equal(response.error?.code, -32603);
  assert.deepEqual(reported, ["Error: server/input/asking.ts is gone"]);
});

Deno.test("a change stream that can not be loaded fails, and leaves nobody on the bus", async () => {
  const { response, listeners, reported } = await outcomeWithout("server/changes/subscriptions.ts", "stream lost");
  assert.equal(response.error?.code, -32603);
  assert.deepEqual([listeners, reported], [0, ["Error: server/changes/subscriptions.ts is gone"]]);
});

Deno.test("an answer over HTTP whose stream can not be loaded has the status 500 and an error, and the server tells why", async () => {
  assert.deepEqual(await outcomeWithout("transports/sse_response.ts", "events lost"), {
    status: 500,
    body: { jsonrpc: "2.0", id: 7, error: { code: -32603, message: "Internal error" } },
    reported: ["Error: transports/sse_response.ts is gone"],
  });
});
