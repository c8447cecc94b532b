/** Tests of `transports/sse_response.ts`. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { HttpExchange } from "../../transports/http_exchange.ts";
import { ReaderQueue } from "../../transports/reader_queue.ts";
import { SseResponses } from "../../transports/sse_response.ts";
import { until } from "../until.ts";

const NOTE: JsonRpcMessage = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } };
const RESULT: JsonRpcMessage = { jsonrpc: "2.0", id: 1, result: { text: "a".repeat(200) } };

/** An open answer, and what became of it. */
function open(limits: Limits = {}) {
  const events: string[] = [];
  const messages = new ReaderQueue<JsonRpcMessage>([], () => events.push("left"));
  const exchange = new HttpExchange(new Request("http://localhost/"), undefined, undefined);
  exchange.onDisconnect(() => events.push("gone"));
  const response = new SseResponses(resolveLimits(limits)).open(messages, exchange);
  return { events, messages, response };
}

Deno.test("SseResponses writes each message as one event, and ends with the last (M-HTTP-015, M-HTTP-017, M-HTTP-020)", async () => {
  const { messages, response, events } = open();
  messages.push(NOTE);
  messages.push(RESULT);
  messages.end();
  assert.equal(await response.text(), [NOTE, RESULT].map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""));
  assert.deepEqual(events, []);
});

Deno.test("SseResponses says that nothing may keep or delay the stream (M-HTTP-021, M-HTTP-024)", async () => {
  const { messages, response } = open();
  messages.end();
  assert.equal(response.status, 200);
  assert.deepEqual([...response.headers].sort(), [
    ["cache-control", "no-store"],
    ["content-type", "text/event-stream"],
    ["x-accel-buffering", "no"],
  ]);
  assert.equal(await response.text(), "");
});

Deno.test("SseResponses tells the messages and the exchange that the client has gone (M-CANC-005)", async () => {
  const { messages, response, events } = open();
  messages.push(NOTE);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  assert.deepEqual(events.sort(), ["gone", "left"]);
  await messages.push(NOTE);
});

Deno.test("SseResponses sends a comment while a stream is quiet (M-HTTP-022, B017)", async () => {
  const { messages, response } = open({ keepAlive: 4 });
  const reader = response.body?.getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
  assert.match(await read(), /^:.*\n\n$/);
  assert.match(await read(), /^:.*\n\n$/);
  messages.push(RESULT);
  messages.end();
  let text = await read();
  while (text.startsWith(":")) text = await read();
  assert.match(text, /^data: /);
});

Deno.test("SseResponses drops a reader that takes nothing, and its call ends (limit stalledReader)", async () => {
  const { messages, response, events } = open({ keepAlive: 4, stalledReader: 10 });
  messages.push(NOTE);
  messages.push(NOTE);
  await until(() => events.length === 2);
  assert.deepEqual(events.sort(), ["gone", "left"]);
  await assert.rejects(response.text(), ({ message, stack }: Error) => {
    assert.match(message, /its reader took nothing for 10 ms \(limit stalledReader\)$/);
    return stack === undefined;
  });
});

Deno.test("SseResponses looks for readers that take nothing as often as their own limit asks", async () => {
  const { messages, response, events } = open({ keepAlive: 3_600_000, stalledReader: 10 });
  messages.push(NOTE);
  await until(() => events.length === 2);
  await assert.rejects(response.text(), ({ message, stack }: Error) => {
    assert.match(message, /its reader took nothing for 10 ms \(limit stalledReader\)$/);
    return stack === undefined;
  });
});

Deno.test("SseResponses replaces a response over sseEvent by an error, and leaves a notification out", async () => {
  const { messages, response } = open({ sseEvent: 150 });
  messages.push({ ...NOTE, params: { text: "a".repeat(200) } } as JsonRpcMessage);
  messages.push(NOTE);
  messages.push(RESULT);
  messages.end();
  const events = (await response.text()).split("\n").filter((line) => line.startsWith("data: ")).map((line) =>
    JSON.parse(line.slice(6))
  );
  assert.equal(events.length, 2);
  assert.deepEqual(events[0], NOTE);
  assert.deepEqual([events[1].id, events[1].error.code, events[1].error.data], [1, -32603, {
    reason: "response_too_large",
    limit: 150,
  }]);
});

Deno.test("SseResponses counts the bytes of an event, not its characters", async () => {
  const text = "\u4e2d".repeat(60);
  const message: JsonRpcMessage = { jsonrpc: "2.0", id: 1, result: { text } };
  const bytes = new TextEncoder().encode(JSON.stringify(message)).length;
  for (const [limit, kind] of [[bytes, "result"], [bytes - 1, "error"]] as const) {
    const { messages, response } = open({ sseEvent: limit });
    messages.push(message);
    messages.end();
    assert.ok(kind in JSON.parse((await response.text()).slice(6)), `${limit}: ${kind}`);
  }
});
