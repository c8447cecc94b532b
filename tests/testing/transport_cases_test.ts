import assert from "node:assert/strict";
import type { Server } from "@causeway/mcp/server";
import { faulty, recorded, transportCases } from "@causeway/mcp/testing";
import { connectInMemory } from "@causeway/mcp/transports";
import type { Transport } from "@causeway/mcp/transports";
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

/** The names of the cases that a carrier does not pass. */
async function failing(connect: (server: Server) => Transport): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of transportCases((server) => Promise.resolve(connect(server)))) {
    await run().catch((error) => failed.push(`${name}|${error.message}`));
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

Deno.test("transportCases finds a carrier that changes ids", async () => {
  const failed = await failing(broken((inner) => ({
    async *exchange(request, options) {
      for await (const message of inner.exchange(request, options)) {
        yield "id" in message && message.id !== undefined ? { ...message, id: String(message.id) } : message;
      }
    },
  })));
  assert.equal(failed.length, 1);
  assert.match(failed[0] ?? "", /^An id comes back as it was sent.*: the id of the response: expected 1, found "1"$/);
});

Deno.test("transportCases finds a carrier that loses what precedes the response", async () => {
  const failed = await failing(broken((inner) => ({
    async *exchange(request, options) {
      for await (const message of inner.exchange(request, options)) if (!("method" in message)) yield message;
    },
  })));
  assert.deepEqual(failed.map((text) => text.slice(0, 13)), ["Notifications"]);
});

Deno.test("transportCases finds a carrier that goes on after a response", async () => {
  const failed = await failing(broken((inner) => ({
    async *exchange(request, options) {
      for await (const message of inner.exchange(request, options)) {
        yield message;
        if (!("method" in message)) yield message;
      }
    },
  })));
  assert.ok(failed.some((text) => text.startsWith("A request is answered with a response")));
});

Deno.test("transportCases finds a carrier that is not closed by closing", async () => {
  const failed = await failing(broken((inner) => {
    const other = (server: Transport): Partial<Transport> => ({ ...server, send: () => Promise.resolve() });
    return { send: other(inner).send as Transport["send"] };
  }));
  assert.deepEqual(failed.map((text) => text.slice(0, 14)), ["After closing,"]);
});

Deno.test("transportCases finds a carrier that swallows the reason of the signal", async () => {
  const failed = await failing(broken((inner) => ({
    async *exchange(request, options) {
      try {
        yield* inner.exchange(request, options);
      } catch {
        throw new Error("something");
      }
    },
  })));
  assert.deepEqual(failed.map((text) => text.slice(0, 10)).sort(), ["A signal t", "Aborting t"]);
});
