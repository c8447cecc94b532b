/** Tests of channels on which more calls come at once than a server takes. */
import assert from "node:assert/strict";
import { connect, lines, textOf } from "../../client/mod.ts";
import type { ByteChannel, Channel } from "../../client/mod.ts";
import { defineServer, tool } from "../../server/mod.ts";
import { serveChannel } from "../../transports/serve_channel.ts";

/** Two ends of a channel. */
function ends<T>(): [
  { readable: ReadableStream<T>; writable: WritableStream<T> },
  { readable: ReadableStream<T>; writable: WritableStream<T> },
] {
  const up = new TransformStream<T, T>();
  const down = new TransformStream<T, T>();
  return [{ readable: up.readable, writable: down.writable }, { readable: down.readable, writable: up.writable }];
}

const CHANNELS: readonly (readonly [name: string, make: () => readonly [Channel, Channel]])[] = [
  ["messages", () => ends()],
  ["lines", () => {
    const [far, near] = ends<Uint8Array<ArrayBuffer>>() as [ByteChannel, ByteChannel];
    return [lines(far), lines(near)];
  }],
];

for (const [name, make] of CHANNELS) {
  for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
    Deno.test(`a channel of ${name} is read no further while a server is full, and no call is refused (${protocol}, limit handlers, limit handlerQueue)`, async () => {
      let running = 0;
      let most = 0;
      let begun = 0;
      const gate = Promise.withResolvers<void>();
      const wait = tool({
        name: "wait",
        async handler() {
          begun++;
          most = Math.max(most, ++running);
          await gate.promise;
          await new Promise((resolve) => setTimeout(resolve, 0));
          running--;
          return "waited";
        },
      });
      const server = defineServer({ name: "full", version: "1.0.0", tools: [wait], limits: { handlers: 2, handlerQueue: 3 } });
      const [far, near] = make();
      const serving = serveChannel(server, far);
      const client = await connect(near, { protocol });
      const calls = Array.from({ length: 40 }, () => client.callTool("wait"));
      // Some turns, in which too many would have been refused.
      const early = await Promise.race([...calls.map((call) => call.then(() => "ended", String)), pause("open")]);
      assert.equal(early, "open");
      assert.equal(begun, 2);
      gate.resolve();
      for (const call of calls) assert.equal(textOf(await call), "waited");
      assert.deepEqual([most, begun], [2, 40]);
      await client.close();
      await serving;
      await server.close();
    });
  }

  Deno.test(`a channel of ${name} on which a server is full ends with its peer, its calls with it`, async () => {
    const aborted: string[] = [];
    const wait = tool({
      name: "wait",
      handler: (_args, ctx) => {
        const { promise, resolve } = Promise.withResolvers<string>();
        ctx.signal.addEventListener("abort", () => {
          aborted.push("aborted");
          resolve("aborted");
        });
        return promise;
      },
    });
    const server = defineServer({ name: "full", version: "1.0.0", tools: [wait], limits: { handlers: 1, handlerQueue: 0 } });
    const [far, near] = make();
    const end = new AbortController();
    const serving = serveChannel(server, far, { signal: end.signal });
    const client = await connect(near, { protocol: "2026-07-28" });
    const calls = Array.from({ length: 4 }, () => client.callTool("wait").catch(() => "lost"));
    await pause("open");
    end.abort();
    await serving;
    assert.deepEqual(await Promise.all(calls), ["lost", "lost", "lost", "lost"]);
    assert.ok(aborted.length >= 1);
    await client.close();
    await server.close();
  });
}

function pause(word: string): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve(word), 100));
}
