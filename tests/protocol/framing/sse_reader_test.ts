/** Tests of the reading of server-sent events. */
import assert from "node:assert/strict";
import { COMMENT, encodeEvent, type StreamEvent } from "../../../protocol/framing/sse.ts";
import { createEventReader } from "../../../protocol/framing/sse_reader.ts";
import { createRandom } from "../random.ts";

const encoder = new TextEncoder();

interface Seen {
  events: StreamEvent[];
  retries: number[];
  comments: number;
  overlong: number;
}

function collect(chunks: readonly (string | Uint8Array)[], maxBytes = 10_000): Seen {
  const seen: Seen = { events: [], retries: [], comments: 0, overlong: 0 };
  const reader = createEventReader({
    maxBytes,
    onEvent: (event) => seen.events.push(event),
    onRetry: (ms) => seen.retries.push(ms),
    onComment: () => seen.comments++,
    onOverlong: () => seen.overlong++,
  });
  for (const chunk of chunks) reader.push(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  reader.end();
  return seen;
}

function cuts(text: string): Uint8Array[][] {
  const bytes = encoder.encode(text);
  return Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
}

Deno.test("createEventReader takes CR LF, CR and LF for one line end each, wherever the bytes are cut", () => {
  const expected = [{ data: '{"jsonrpc":"2.0",\n"id":1}' }];
  for (const end of ["\r\n", "\r", "\n"]) {
    const text = `data: {"jsonrpc":"2.0",${end}data: "id":1}${end}${end}`;
    for (const chunks of cuts(text)) assert.deepEqual(collect(chunks).events, expected);
  }
  assert.deepEqual(collect(['data: {"jsonrpc":"2.0",\r', '\ndata: "id":1}\r', "\n\r", "\n"]).events, expected);
  assert.deepEqual(collect(['data: {"jsonrpc":"2.0",\n', 'data: "id":1}\r\n', "\r"]).events, expected);
});

Deno.test("createEventReader dispatches an event at its blank line, not at the next chunk", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const events: StreamEvent[] = [];
    const reader = createEventReader({ maxBytes: 100, onEvent: (event) => events.push(event), onOverlong() {} });
    reader.push(encoder.encode(`data: 1${end}${end}`));
    assert.deepEqual(events, [{ data: "1" }]);
  }
});

Deno.test("createEventReader joins characters that are cut between bytes (M-BASE-040)", () => {
  const bytes = encoder.encode("data: é→🦊\n\n");
  assert.deepEqual(collect(Array.from(bytes, (byte) => Uint8Array.of(byte))).events, [{ data: "é→🦊" }]);
});

Deno.test("createEventReader drops a byte order mark at the start of the stream and nowhere else", () => {
  const text = "\ufeffdata: \ufeffa\ufeff\n\n";
  for (const chunks of cuts(text)) assert.deepEqual(collect(chunks).events, [{ data: "\ufeffa\ufeff" }]);
});

Deno.test("createEventReader reads events without type, without space, with type, and with empty data", () => {
  const text = "data: 1\n\nevent:message\ndata:2\n\nevent: ping\ndata: hello\n\nretry: 250\nid: s1/0\ndata:\n\nid: x\n\n";
  const { events, retries } = collect([text]);
  assert.deepEqual(events, [
    { data: "1" },
    { event: "message", data: "2" },
    { event: "ping", data: "hello" },
    { id: "s1/0", data: "" },
  ]);
  assert.deepEqual(retries, [250]);
});

Deno.test("createEventReader ignores comments (M-HTTP-023)", () => {
  const { events, comments } = collect([":\r\n", "data: 1\n\n: keepalive\n\n", COMMENT, ":", "\n", "data: 2\n\n"]);
  assert.deepEqual(events.map(({ data }) => data), ["1", "2"]);
  assert.equal(comments, 4);
});

Deno.test("createEventReader does not count comments against the bound of an event", () => {
  const { events, overlong } = collect([...Array.from({ length: 100 }, () => ": quiet\n"), "data: 1\n\n"], 400);
  assert.deepEqual([events.length, overlong], [1, 0]);
});

Deno.test("createEventReader drops an event that is not finished at the end", () => {
  assert.deepEqual(collect(["data: 1\n\ndata: 2\n"]).events, [{ data: "1" }]);
  assert.deepEqual(collect(["data: 2"]).events, []);
  assert.deepEqual(collect(["data: 2\r"]).events, []);
});

Deno.test("createEventReader keeps separators that end no line", () => {
  assert.deepEqual(collect(["data: a\u2028b\u2029c\u0085d\n\n"]).events, [{ data: "a\u2028b\u2029c\u0085d" }]);
});

Deno.test("createEventReader stops once at an event that is too long, in one chunk or in many", () => {
  const whole = collect(["data: ok\n\n", `data: ${"a".repeat(200)}\n\ndata: late\n\n`], 100);
  assert.deepEqual([whole.events, whole.overlong], [[{ data: "ok" }], 1]);
  const pieces = collect(["data: ok\n\n", "data: ", ...Array.from({ length: 50 }, () => "aaaaaaaa"), "\n\ndata: late\n\n"], 100);
  assert.deepEqual([pieces.events, pieces.overlong], [[{ data: "ok" }], 1]);
  const lines = collect([...Array.from({ length: 50 }, () => "data: aaa\n"), "\n"], 100);
  assert.deepEqual([lines.events, lines.overlong], [[], 1]);
  const wide = collect([`data: ${"漢".repeat(40)}\n\n`], 100);
  assert.deepEqual([wide.events, wide.overlong], [[], 1]);
});

Deno.test("createEventReader reads many events that together exceed the bound of one", () => {
  const { events, overlong } = collect(Array.from({ length: 100 }, (_, index) => `data: ${index}\n\n`), 20);
  assert.deepEqual([events.length, overlong], [100, 0]);
});

Deno.test("createEventReader reads back what encodeEvent writes, wherever the bytes are cut", () => {
  const random = createRandom(11);
  for (let round = 0; round < 300; round++) {
    const sent = Array.from(
      { length: 1 + random.below(4) },
      () => ({ data: random.text(30), id: random.pick([undefined, "7", "a b"]) }),
    );
    const bytes = encoder.encode(sent.map(({ data, id }) => encodeEvent(data, { id }) + random.pick(["", COMMENT])).join(""));
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + random.below(7);
      chunks.push(bytes.subarray(at, end));
      at = end;
    }
    const expected = sent.map(({ data, id }) => ({ ...(id === undefined ? {} : { id }), data: data.replace(/\r\n?/g, "\n") }));
    assert.deepEqual(collect(chunks).events, expected);
  }
});

Deno.test("createEventReader marks the event whose data is no UTF-8, and no other one (M-BASE-040)", () => {
  const broken = Uint8Array.of(0x61, 0xff, 0x62);
  const parts = ["data: before\n\n", "data: ", broken, "\n\n", "data: \ufffd\n\n", "data: after\n\n"];
  const bytes = parts.map((part) => typeof part === "string" ? encoder.encode(part) : part);
  const expected = [{ data: "before" }, { data: "a\ufffdb", damaged: true }, { data: "\ufffd" }, { data: "after" }];
  assert.deepEqual(collect(bytes).events, expected);
  const whole = Uint8Array.from(bytes.flatMap((part) => [...part]));
  assert.deepEqual(collect(Array.from(whole, (byte) => Uint8Array.of(byte))).events, expected);
});

Deno.test("createEventReader passes over what is no UTF-8 in comments, types and ids (WHATWG HTML § 9.2.5)", () => {
  const bad = Uint8Array.of(0xff);
  assert.deepEqual(collect([": c", bad, "\nid: a", bad, "\nevent: e", bad, "\ndata: 1\n\n"]).events, [
    { event: "e\ufffd", id: "a\ufffd", data: "1" },
  ]);
});

Deno.test("createEventReader marks the event alone whose bytes are not UTF-8, not one beside it that holds U+FFFD", () => {
  const events: StreamEvent[] = [];
  const reader = createEventReader({ maxBytes: 100, onEvent: (event) => events.push(event), onOverlong: () => assert.fail() });
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  reader.push(
    Uint8Array.from([...encode("data: caf"), 0xe9, ...encode("\n\ndata: \ufffd\n\nid: "), 0xff, ...encode("\ndata: 3\n\n")]),
  );
  assert.deepEqual(events, [{ data: "caf\ufffd", damaged: true }, { data: "\ufffd" }, { id: "\ufffd", data: "3" }]);
});
