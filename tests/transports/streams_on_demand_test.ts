/** Tests of `transports/streams_on_demand.ts`: what becomes of streams while what writes them is loaded. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { HttpExchange } from "../../transports/http_exchange.ts";
import { ReaderQueue } from "../../transports/reader_queue.ts";
import { SseResponses } from "../../transports/sse_response.ts";
import { streamsOnDemand } from "../../transports/streams_on_demand.ts";
import { until } from "../until.ts";

const LIMITS = resolveLimits({});
const NOTE: JsonRpcMessage = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } };
const RESULT: JsonRpcMessage = { jsonrpc: "2.0", id: 1, result: {} };

/** An answer with the messages, and what became of it. */
function answer(request = new Request("http://localhost/"), listens = true) {
  const events: string[] = [];
  const messages = new ReaderQueue<JsonRpcMessage>([], () => events.push("left"));
  const exchange = new HttpExchange(request, undefined, undefined);
  if (listens) exchange.onDisconnect(() => events.push("gone"));
  return { events, messages, exchange };
}

/** The messages of a response that has ended. */
async function read(response: Response): Promise<unknown[]> {
  return (await response.text()).split("\n\n").filter((text) => text !== "").map((text) =>
    JSON.parse(text.slice("data: ".length))
  );
}

Deno.test("streamsOnDemand loads once for the streams that are opened at once, and writes all that came meanwhile", async () => {
  const loading = Promise.withResolvers<SseResponses>();
  let loads = 0;
  const streams = streamsOnDemand(LIMITS, undefined, () => (loads++, loading.promise));
  const [one, other] = [answer(), answer()];
  const responses = [streams.open(1, one.messages, one.exchange), streams.open(2, other.messages, other.exchange)];
  one.messages.push(NOTE);
  one.messages.push(RESULT);
  one.messages.end();
  other.messages.end();
  loading.resolve(new SseResponses(LIMITS));
  const texts = await Promise.all(responses.map(async (response) => await read(await response)));
  assert.deepEqual(texts, [[NOTE, RESULT], []]);
  assert.deepEqual([loads, one.events, other.events], [1, [], []]);
});

Deno.test("streamsOnDemand opens a stream at once when what writes it is loaded", async () => {
  const streams = streamsOnDemand(LIMITS, undefined);
  const [first, second] = [answer(), answer()];
  first.messages.end();
  await (await streams.open(1, first.messages, first.exchange)).text();
  const response = streams.open(2, second.messages, second.exchange);
  assert.ok(response instanceof Response);
  second.messages.end();
  assert.equal(await response.text(), "");
});

Deno.test("streamsOnDemand ends a stream at its time, also one that it was loaded for", async () => {
  const { messages, exchange, events } = answer();
  const response = await streamsOnDemand(LIMITS, undefined).open(1, messages, exchange, Date.now() + 20);
  assert.equal(await response.text(), "");
  assert.deepEqual(events.sort(), ["gone", "left"]);
});

Deno.test("streamsOnDemand gives an answer up when the load fails, and loads again for the next one", async () => {
  const results = [Promise.reject<SseResponses>(new Error("no module")), Promise.resolve(new SseResponses(LIMITS))];
  const errors: unknown[] = [];
  const streams = streamsOnDemand(
    LIMITS,
    (error) => errors.push(error),
    () => results.shift() ?? assert.fail("loaded again"),
  );
  const lost = answer();
  const failed = await streams.open("a", lost.messages, lost.exchange);
  const error = { code: -32603, message: "Internal error" };
  assert.deepEqual([failed.status, await failed.json()], [500, { jsonrpc: "2.0", id: "a", error }]);
  assert.deepEqual([lost.events.sort(), errors.map(String)], [["gone", "left"], ["Error: no module"]]);
  for (let time = 0; time < 2; time++) {
    const next = answer();
    next.messages.push(RESULT);
    next.messages.end();
    assert.deepEqual(await read(await streams.open(1, next.messages, next.exchange)), [RESULT]);
  }
});

Deno.test("a client that hangs up while what writes its stream is loaded is heard, whether or not somebody listens (M-CANC-005)", async () => {
  for (const listens of [true, false]) {
    const loading = Promise.withResolvers<SseResponses>();
    const streams = streamsOnDemand(LIMITS, undefined, () => loading.promise);
    let open: ReturnType<typeof answer> | undefined;
    const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, async (request) => {
      open = answer(request, listens);
      return await streams.open(1, open.messages, open.exchange);
    });
    const hangUp = new AbortController();
    const gone = fetch(`http://127.0.0.1:${http.addr.port}/`, { signal: hangUp.signal });
    await until(() => open !== undefined);
    hangUp.abort();
    await assert.rejects(gone, { name: "AbortError" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    loading.resolve(new SseResponses(LIMITS));
    await until(() => open?.events.includes(listens ? "gone" : "left") === true);
    await open?.messages.push(NOTE);
    await until(() => open?.events.includes("left") === true);
    await http.shutdown();
  }
});
