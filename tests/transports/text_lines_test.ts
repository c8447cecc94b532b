/** Tests of `transports/text_lines.ts`. */
import assert from "node:assert/strict";
import { createTextLines } from "../../transports/text_lines.ts";
import { createRandom } from "../protocol/random.ts";

function split(chunks: readonly Uint8Array[], maxLength = 1000): string[] {
  const lines: string[] = [];
  const reader = createTextLines(maxLength, (line) => lines.push(line));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  reader.end();
  return lines;
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("createTextLines() gives every line, blank and unfinished ones too, without its end", () => {
  assert.deepEqual(split([bytes("a\r\n\n  \nb\rc\nlast")]), ["a", "", "  ", "b\rc", "last"]);
  assert.deepEqual(split([bytes("a\n")]), ["a"]);
  assert.deepEqual(split([]), []);
});

Deno.test("createTextLines() replaces what is not UTF-8", () => {
  assert.deepEqual(split([Uint8Array.of(0x61, 0xe9, 0x0a, 0xc3)]), ["a\uFFFD", "\uFFFD"]);
});

Deno.test("createTextLines() gives long lines in pieces, and holds no more than one piece", () => {
  assert.deepEqual(split([bytes("12345678\n1234\n12345\n")], 4), ["1234", "5678", "1234", "1234", "5"]);
  const lines: string[] = [];
  const reader = createTextLines(4, (line) => lines.push(line));
  reader.push(bytes("123456789"));
  assert.deepEqual(lines, ["1234", "5678"]);
});

Deno.test("createTextLines() gives the same lines wherever the bytes are cut", () => {
  const random = createRandom(9);
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: random.below(60) }, () => random.pick(["a", "é", "🦊", "\n", "\r\n", " "])).join(
      "",
    );
    const whole = bytes(text);
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < whole.length;) {
      const end = Math.min(whole.length, at + 1 + random.below(9));
      chunks.push(whole.subarray(at, end));
      at = end;
    }
    const expected = text.split(/\r?\n/);
    if (expected.at(-1) === "") expected.pop();
    assert.deepEqual(split(chunks), expected);
  }
});
