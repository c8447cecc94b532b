/** Tests of `transports/sse_stream.ts`. */
import assert from "node:assert/strict";
import { readEvents } from "../../transports/sse_stream.ts";
import { collect, rejection } from "./support.ts";

function body(chunks: readonly (string | Uint8Array)[], onCancel?: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const left = [...chunks];
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(typeof next === "string" ? encoder.encode(next) : next);
    },
    cancel: () => onCancel?.(),
  });
}

Deno.test("readEvents() reads the same events wherever the bytes are cut (B001, B010, B015)", async () => {
  const text =
    ':\r\ndata: {"jsonrpc":"2.0",\r\ndata: "id":1,"text":"é→🦊a\u2028b\u2029c\u0085d"}\r\n\r\nevent:x\rdata:2\r\r: c\ndata: 3\nid: 7\n\n';
  const bytes = new TextEncoder().encode(text);
  const expected = [
    { data: '{"jsonrpc":"2.0",\n"id":1,"text":"é→🦊a\u2028b\u2029c\u0085d"}' },
    { event: "x", data: "2" },
    { id: "7", data: "3" },
  ];
  for (let cut = 0; cut <= bytes.length; cut++) {
    assert.deepEqual(
      await collect(readEvents(body([bytes.subarray(0, cut), bytes.subarray(cut)]), { maxBytes: 1000 })),
      expected,
    );
  }
  const single = Array.from(bytes, (byte) => new Uint8Array([byte]));
  assert.deepEqual(await collect(readEvents(body(single), { maxBytes: 1000 })), expected);
});

Deno.test("readEvents() drops an unfinished event at the end (B016)", async () => {
  assert.deepEqual(await collect(readEvents(body(["data: 1\n\ndata: 2\n"]), { maxBytes: 100 })), [{ data: "1" }]);
});

Deno.test("readEvents() cancels the body when the iteration ends early", async () => {
  let cancelled = false;
  for await (
    const event of readEvents(body(["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"], () => cancelled = true), { maxBytes: 100 })
  ) {
    assert.equal(event.data, "1");
    break;
  }
  await Promise.resolve();
  assert.ok(cancelled);
});

Deno.test("readEvents() names the limit for an event that is too long, after those before it", async () => {
  let cancelled = false;
  const seen: string[] = [];
  const error = await rejection((async () => {
    const chunks = ["data: 1\n\ndata: ", ...new Array<string>(100).fill("a".repeat(100))];
    for await (const event of readEvents(body(chunks, () => cancelled = true), { maxBytes: 1000 })) seen.push(event.data);
  })());
  assert.deepEqual(seen, ["1"]);
  assert.deepEqual([error.reason, (error.data as { limit: string }).limit], ["limit", "sseEvent"]);
  assert.ok(cancelled);
});

Deno.test("readEvents() ends at an abort even when the body stays silent, and hands on the time of `retry`", async () => {
  const abort = new AbortController();
  let cancelled = 0;
  const silent = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("retry: 7\ndata: 1\n\n")),
    cancel: () => void cancelled++,
  });
  const retries: number[] = [];
  const options = { maxBytes: 100, signal: abort.signal, onRetry: (ms: number) => retries.push(ms) };
  const events = readEvents(silent, options);
  assert.deepEqual((await events.next()).value, { data: "1" });
  const pending = events.next();
  abort.abort();
  assert.equal((await pending).done, true);
  assert.deepEqual([cancelled, retries], [1, [7]]);
  assert.deepEqual(await collect(readEvents(body(["data: 1\n\n"]), options)), []);
});
