import assert from "node:assert/strict";
import type { Server } from "@causeway/mcp/server";
import { faulty, recorded, transportCases } from "@causeway/mcp/testing";
import { connectInMemory } from "@causeway/mcp/transports";
import type { JsonRpcMessage, Transport } from "@causeway/mcp/transports";
import { CARRIERS, overChannel, overLines } from "./carriers.ts";

const WRAPPED: typeof CARRIERS = {
  "a recorded carrier": (server) => recorded(connectInMemory(server)),
  "a carrier with faults that never happen": (server) => faulty(connectInMemory(server), {}),
  "lines of bytes with faults that never happen": (server) => overLines(server, (bytes) => faulty(bytes, {})),
  "a channel of messages with faults that never happen": (server) => overChannel(server, (channel) => faulty(channel, {})),
  "a slow carrier": (server) => faulty(connectInMemory(server), { delay: { chance: 1, ms: 1 } }),
  "a slow line": (server) => overLines(server, (bytes) => faulty(bytes, { delay: { chance: 1, ms: 1 } })),
};

for (const [carrier, connect] of Object.entries({ ...CARRIERS, ...WRAPPED })) {
  for (const { name, run } of transportCases((server) => Promise.resolve(connect(server)))) {
    Deno.test(`transportCases over ${carrier}: ${name}`, run);
  }
}

/** The cases that a carrier does not pass, and what they say. */
async function failing(connect: (server: Server) => Transport): Promise<readonly (readonly [name: string, message: string])[]> {
  const failed: (readonly [string, string])[] = [];
  for (const { name, run } of transportCases((server) => Promise.resolve(connect(server)))) {
    await run().catch((error) => failed.push([name, error.message]));
  }
  return failed;
}

/** A carrier in memory with one part of its own. */
function broken(part: (inner: Transport) => Partial<Transport>): (server: Server) => Transport {
  return (server) => {
    const inner = connectInMemory(server);
    return {
      exchange: (request, options) => inner.exchange(request, options),
      send: (message, options) => inner.send(message, options),
      incoming: inner.incoming,
      close: () => inner.close(),
      ...part(inner),
    };
  };
}

/** Changes what an exchange brings; one message becomes none, one or several. */
function mapped(
  messages: AsyncIterable<JsonRpcMessage>,
  change: (message: JsonRpcMessage) => readonly JsonRpcMessage[],
  fail: (error: unknown) => unknown = (error) => error,
): AsyncIterable<JsonRpcMessage> {
  const inner = messages[Symbol.asyncIterator]();
  const ready: JsonRpcMessage[] = [];
  const iterator: AsyncIterableIterator<JsonRpcMessage> = {
    async next() {
      while (ready.length === 0) {
        const step = await inner.next().catch((error) => {
          throw fail(error);
        });
        if (step.done === true) return step;
        ready.push(...change(step.value));
      }
      return { done: false, value: ready.shift() as JsonRpcMessage };
    },
    return: async () => await inner.return?.() ?? { done: true, value: undefined },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

Deno.test("transportCases finds a carrier that changes ids", async () => {
  const failed = await failing(broken((inner) => ({
    exchange: (request, options) =>
      mapped(
        inner.exchange(request, options),
        (message) => ["id" in message && message.id !== undefined ? { ...message, id: String(message.id) } : message],
      ),
  })));
  assert.equal(failed.length, 1);
  assert.match(failed[0]?.[1] ?? "", /^An id comes back as it was sent.*: the id of the response: expected 1, found "1"$/);
});

Deno.test("transportCases finds a carrier that loses what precedes the response", async () => {
  const failed = await failing(broken((inner) => ({
    exchange: (request, options) => mapped(inner.exchange(request, options), (message) => "method" in message ? [] : [message]),
  })));
  assert.deepEqual(failed.map(([name]) => name), ["Notifications of a call come in order, before its response"]);
});

Deno.test("transportCases finds a carrier that goes on after a response", async () => {
  const failed = await failing(broken((inner) => ({
    exchange: (request, options) => mapped(inner.exchange(request, options), (message) => [message, message]),
  })));
  assert.ok(failed.some(([name]) => name === "A request is answered with a response under its id, and nothing follows"));
});

Deno.test("transportCases finds a carrier that takes notifications after it was closed", async () => {
  const failed = await failing(broken(() => ({ send: () => Promise.resolve() })));
  assert.deepEqual(failed.map(([name]) => name), ["After closing, an exchange and a notification fail"]);
});

Deno.test("transportCases finds a carrier that swallows the reason of the signal", async () => {
  const failed = await failing(broken((inner) => ({
    exchange: (request, options) =>
      mapped(inner.exchange(request, options), (message) => [message], () => new Error("something")),
  })));
  assert.deepEqual(failed.map(([name]) => name), [
    "Aborting the signal ends the exchange with its reason, and the server hears of it",
    "A signal that is aborted already sends nothing",
  ]);
});
