/** Tests of `logging` and `timing`. */
import assert from "node:assert/strict";
import { ProtocolError, ToolError } from "../../../protocol/errors.ts";
import type { JsonObject } from "../../../protocol/types.ts";
import { logging } from "../../../server/middleware/logging.ts";
import { defineServer } from "../../../server/server.ts";
import { resource } from "../../../server/components/resource.ts";
import { timing } from "../../../server/middleware/timing.ts";
import { tool } from "../../../server/components/tool.ts";
import { until } from "../../until.ts";
import { answerOf, errorOf, gate, request, serverOf, toolCall } from "../calls.ts";
import { onEveryWay } from "../eras.ts";

const fails: { readonly [name: string]: () => unknown } = {
  refused: () => {
    throw new ProtocolError(7, "no");
  },
  sorry: () => {
    throw new ToolError("no");
  },
  broken: () => {
    throw new Error("token 123");
  },
};

const COMPONENTS = {
  tools: [
    tool({ name: "greet", args: { secret: { type: "string" } }, handler: ({ secret }) => `it is ${secret}` }),
    ...Object.entries(fails).map(([name, handler]) => tool({ name, handler: handler as () => string })),
    tool({ name: "asks", handler: async (_args, ctx) => JSON.stringify(await ctx.roots()) }),
  ],
  resources: [resource({ uri: "x:a", name: "a", read: () => "" })],
};

/** The lines without their milliseconds. */
const bare = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/ \d+\.\d ms /, " _ "));

Deno.test("logging writes one line per request: revision, carrier, method, name, time, outcome; no argument and no result", async () => {
  const lines: string[] = [];
  const server = serverOf(COMPONENTS, { use: [logging((line) => lines.push(line))] });
  const roots = { "io.modelcontextprotocol/clientCapabilities": { roots: {} } };
  for (
    const message of [
      toolCall("greet", { secret: "hunter2" }),
      toolCall("sorry"),
      toolCall("refused"),
      toolCall("broken"),
      toolCall("nobody"),
      request("tools/call", { name: "asks", _meta: roots }),
      request("resources/read", { uri: "x:a" }),
      request("tools/list"),
    ]
  ) await answerOf(server, message);
  assert.deepEqual(bare(lines), [
    '2026-07-28 memory tools/call "greet" _ ok',
    '2026-07-28 memory tools/call "sorry" _ tool error',
    '2026-07-28 memory tools/call "refused" _ error 7',
    '2026-07-28 memory tools/call "broken" _ failed',
    '2026-07-28 memory tools/call "nobody" _ error -32602',
    '2026-07-28 memory tools/call "asks" _ input required',
    '2026-07-28 memory resources/read "x:a" _ ok',
    "2026-07-28 memory tools/list _ ok",
  ]);
});

Deno.test("logging keeps names of the client on one line, quoted and cut", async () => {
  const lines: string[] = [];
  const server = serverOf(COMPONENTS, { use: [logging((line) => lines.push(line))] });
  await answerOf(server, toolCall(`a"\n2026-07-28 http tools/call "admin" 1.0 ms ok${"x".repeat(10_000)}`));
  const [line] = lines;
  assert.ok(line !== undefined && !line.includes("\n") && line.length < 300);
  assert.match(line, / error -32602$/);
});

const spent: [string, number][] = [];
onEveryWay(
  "timing reports every request, failed ones included",
  () => {
    spent.length = 0;
    return serverOf(COMPONENTS, { use: [timing((method, ms) => spent.push([method, ms]))] });
  },
  async (way) => {
    for (const name of ["greet", "broken"]) await way.call("tools/call", { name });
    await way.call("tools/list");
    const methods = spent.map(([method]) => method).filter((method) => method !== "initialize");
    assert.deepEqual(methods, ["tools/call", "tools/call", "tools/list"]);
    assert.ok(spent.every(([, ms]) => ms >= 0 && Number.isFinite(ms)));
  },
);

Deno.test("logging and timing: what the application's function throws, or rejects, changes nothing", async () => {
  const use = [
    logging(() => {
      throw new Error("disk full");
    }),
    timing(() => Promise.reject(new Error("gone")) as never),
  ];
  const { response } = await answerOf(serverOf(COMPONENTS, { use }), toolCall("greet"));
  assert.ok(response !== undefined && "result" in response && (response.result as JsonObject).isError === undefined);
});

Deno.test("logging says of a request that was cancelled that it was", async () => {
  const lines: string[] = [];
  const began = gate();
  const waits = tool({
    name: "waits",
    handler: (_args, { signal }) => {
      began.open();
      return new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const server = serverOf({ tools: [waits] }, { use: [logging((line) => lines.push(line))] });
  const connection = { transport: "stdio" as const };
  const answer = answerOf(server, toolCall("waits", {}, 9), { connection });
  await began.passed;
  await answerOf(server, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } }, { connection });
  await answer;
  await until(() => lines.length > 0);
  assert.deepEqual(bare(lines), ['2026-07-28 stdio tools/call "waits" _ cancelled']);
});

Deno.test("logging, timing and onError tell of a deadline when the client hears of it, though the handler goes on (limit handlerDeadline)", async () => {
  const lines: string[] = [];
  const times: number[] = [];
  const told: unknown[] = [];
  let wake: () => void = () => undefined;
  const deaf = tool({ name: "deaf", handler: () => new Promise<string>((resolve) => wake = () => resolve("late")) });
  const server = serverOf({ tools: [deaf] }, {
    limits: { handlerDeadline: 20 },
    use: [logging((line) => lines.push(line)), timing((_method, ms) => times.push(ms))],
    onError: (error, { method, name }) => told.push([(error as Error).message, method, name]),
  });
  assert.equal((await errorOf(server, toolCall("deaf"))).code, -32603);
  assert.deepEqual(bare(lines), ['2026-07-28 memory tools/call "deaf" _ error -32603']);
  assert.equal(times.length, 1);
  assert.deepEqual(told, [
    ["Internal error: the handler ran longer than 20 ms (limit handlerDeadline)", "tools/call", "deaf"],
  ]);
  wake();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual([lines.length, times.length, told.length], [1, 1, 1]);
});

Deno.test("logging tells of a handler that is deaf to its cancellation when it is cancelled", async () => {
  const lines: string[] = [];
  const began = gate();
  const deaf = tool({ name: "deaf", handler: () => (began.open(), new Promise<string>(() => {})) });
  const server = serverOf({ tools: [deaf] }, { use: [logging((line) => lines.push(line))] });
  const connection = { transport: "stdio" as const };
  const answer = answerOf(server, toolCall("deaf", {}, 9), { connection });
  await began.passed;
  await answerOf(server, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } }, { connection });
  await answer;
  assert.deepEqual(bare(lines), ['2026-07-28 stdio tools/call "deaf" _ cancelled']);
});

Deno.test("logging and timing do not ask for the signal of a request that is answered, which costs as much as the request", async () => {
  const use = [logging(() => undefined), timing(() => undefined)];
  const server = defineServer({ name: "a", version: "1", ...COMPONENTS, use });
  const message = toolCall("greet");
  const http = new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "accept": "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "greet",
    },
    body: JSON.stringify(message),
  });
  let asked = 0;
  Object.defineProperty(http, "signal", { get: () => (asked++, new AbortController().signal) });
  const response = await server.fetch(http);
  assert.equal(response.status, 200);
  await response.body?.cancel();
  assert.equal(asked, 0);
});
