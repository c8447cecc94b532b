/** Tests of the newline framing. */
import assert from "node:assert/strict";
import { createLineReader, encodeLine } from "../../../protocol/framing/lines.ts";
import { createRandom } from "../random.ts";

const encoder = new TextEncoder();

function collect(chunks: readonly Uint8Array[], maxBytes = 1000): { lines: string[]; overlong: number[]; invalid: number } {
  const seen = { lines: [] as string[], overlong: [] as number[], invalid: 0 };
  const reader = createLineReader({
    maxBytes,
    onLine: (line) => seen.lines.push(line),
    onOverlong: (bytes) => seen.overlong.push(bytes),
    onInvalidUtf8: () => seen.invalid++,
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return seen;
}

function bytewise(text: string): Uint8Array[] {
  return [...encoder.encode(text)].map((byte) => Uint8Array.of(byte));
}

Deno.test("createLineReader joins characters that are cut between bytes (M-BASE-040)", () => {
  const line = `{"name":"é→🦊漢字"}`;
  assert.deepEqual(collect(bytewise(`${line}\n${line}\n`)).lines, [line, line]);
});

Deno.test("createLineReader reads several lines of one chunk, in order (M-STDIO-001)", () => {
  assert.deepEqual(collect([encoder.encode("1\n2\n3")]).lines, ["1", "2", "3"]);
});

Deno.test("createLineReader drops a byte order mark at the start of any line", () => {
  const bom = [0xef, 0xbb, 0xbf];
  const bytes = Uint8Array.from([...bom, ...encoder.encode("{}\n"), ...bom, ...encoder.encode("[1]\r\n")]);
  assert.deepEqual(collect([bytes]).lines, ["{}", "[1]"]);
  assert.deepEqual(collect([...bytes].map((byte) => Uint8Array.of(byte))).lines, ["{}", "[1]"]);
});

Deno.test("createLineReader takes CR LF for an end, also when it is cut, and skips blank lines", () => {
  assert.deepEqual(collect(["INFO ready\r\n", "\r\n", " \n", "a\r", "\nb\n", "\n"].map((text) => encoder.encode(text))).lines, [
    "INFO ready",
    "a",
    "b",
  ]);
});

Deno.test("createLineReader keeps line separators that are no line ends (M-STDIO-002)", () => {
  assert.deepEqual(collect([encoder.encode("a\u2028b\u2029c\u0085d\n")]).lines, ["a\u2028b\u2029c\u0085d"]);
});

Deno.test("createLineReader reports an overlong line once, as soon as it is one, and reads on after it", () => {
  const seen: (string | number)[] = [];
  const reader = createLineReader({
    maxBytes: 10,
    onLine: (line) => seen.push(line),
    onOverlong: (bytes) => seen.push(bytes),
    onInvalidUtf8: () => seen.push(-1),
  });
  reader.push(encoder.encode("aaaaaa"));
  reader.push(encoder.encode("aaaaaa"));
  assert.deepEqual(seen, [12]);
  for (let round = 0; round < 100; round++) reader.push(encoder.encode("aaaaaa"));
  reader.push(encoder.encode("aa\n0123456789\r\n01234567890\nok\n"));
  reader.end();
  assert.deepEqual(seen, [12, "0123456789", 11, "ok"]);
});

Deno.test("createLineReader drops a line that is no UTF-8 and reads on", () => {
  const seen = collect([Uint8Array.of(0x61, 0xff, 0x0a, 0x62, 0x0a, 0xc3, 0x0a)]);
  assert.deepEqual(seen, { lines: ["b"], overlong: [], invalid: 2 });
});

Deno.test("createLineReader does not keep the chunks that it was given", () => {
  const lines: string[] = [];
  const reader = createLineReader({ maxBytes: 99, onLine: (line) => lines.push(line), onOverlong() {}, onInvalidUtf8() {} });
  const chunk = encoder.encode("abc");
  reader.push(chunk);
  chunk.fill(0x7a);
  reader.push(encoder.encode("d\n"));
  assert.deepEqual(lines, ["abcd"]);
});

Deno.test("createLineReader gives the same lines wherever the bytes are cut", () => {
  const random = createRandom(7);
  for (let round = 0; round < 200; round++) {
    const texts = Array.from({ length: random.below(6) }, () => JSON.stringify(random.text(20)));
    const bytes = encoder.encode(texts.map((text) => text + random.pick(["\n", "\r\n", "\n\n"])).join(""));
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + random.below(9);
      chunks.push(bytes.subarray(at, end));
      at = end;
    }
    assert.deepEqual(collect(chunks), { lines: texts, overlong: [], invalid: 0 });
  }
});

Deno.test("createLineReader copies a number of bytes that is linear in the length of a line", () => {
  const copied = (length: number): number => {
    const original = Uint8Array.prototype.set;
    let bytes = 0;
    Uint8Array.prototype.set = function (source, offset) {
      bytes += source.length;
      original.call(this, source, offset);
    };
    try {
      const chunk = new Uint8Array(64).fill(0x61);
      collect([...Array.from({ length: length / 64 }, () => chunk), encoder.encode("\n")], 1 << 24);
    } finally {
      Uint8Array.prototype.set = original;
    }
    return bytes;
  };
  const small = copied(1 << 16);
  assert.ok(small >= 1 << 16);
  assert.ok(copied(1 << 20) < 32 * small, "16 times the bytes should cost about 16 times the copies");
});

Deno.test("encodeLine ends the text with a newline and refuses text that has one (M-STDIO-002)", () => {
  assert.equal(encodeLine(JSON.stringify({ text: "a\nb\u2028" })), '{"text":"a\\nb\u2028"}\n');
  assert.throws(() => encodeLine("a\nb"), TypeError);
  assert.throws(() => encodeLine("a\rb"), TypeError);
});
