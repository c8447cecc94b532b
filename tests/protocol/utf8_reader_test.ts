/** Tests of the reading of UTF-8. */
import assert from "node:assert/strict";
import { createUtf8Reader } from "../../protocol/utf8_reader.ts";
import { createRandom } from "./random.ts";

/** What is put together at random: whole characters, halves of them, and what is no UTF-8 at all. */
const PIECES: readonly (readonly number[])[] = [
  [0x61],
  [0x0a],
  [0xc3, 0xa9],
  [0xe2, 0x86, 0x92],
  [0xf0, 0x9f, 0xa6, 0x8a],
  [0xef, 0xbf, 0xbd],
  [0xef, 0xbb, 0xbf],
];
const BROKEN: readonly (readonly number[])[] = [[0xff], [0xc3], [0xe2, 0x86], [0xf0, 0x9f, 0xa6], [0x80], [0xed, 0xa0, 0x80], [
  0xc0,
  0xaf,
]];

/** How often U+FFFD stands in the bytes. */
function occurrences(bytes: Uint8Array): number {
  let found = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) found++;
  return found;
}

function strict(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

Deno.test("createUtf8Reader gives the text that the whole has and says whether it was UTF-8, wherever the bytes are cut (M-BASE-040)", () => {
  const random = createRandom(20_260_728);
  let damaged = 0;
  for (let round = 0; round < 5000; round++) {
    const pool = random.below(2) === 0 ? PIECES : [...PIECES, ...PIECES, ...BROKEN];
    const bytes = Uint8Array.from(Array.from({ length: random.below(12) }, () => random.pick(pool)).flat());
    const reader = createUtf8Reader();
    const marking = createUtf8Reader(true);
    let text = "";
    let marked = "";
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + random.below(5));
      const chunk = bytes.slice(at, end);
      text += reader.push(chunk);
      marked += marking.push(chunk);
      // They are the sender's again.
      chunk.fill(0xff);
      at = end;
    }
    text += reader.end();
    marked += marking.end();
    assert.equal(text, new TextDecoder().decode(bytes), String(bytes));
    assert.equal(reader.damaged, strict(bytes) === undefined, String(bytes));
    assert.equal(marked.toWellFormed(), text, String(bytes));
    assert.equal([...marked].filter((one) => one === "\uFFFD").length, occurrences(bytes), String(bytes));
    assert.equal(marking.damaged, reader.damaged);
    if (reader.damaged) damaged++;
  }
  assert.ok(damaged > 1000 && damaged < 4000, String(damaged));
});
