/** Fuzz targets that read bytes in pieces: server-sent events, lines. */
import { createLineReader } from "../../protocol/framing/lines.ts";
import { encodeEvent } from "../../protocol/framing/sse.ts";
import { createEventReader } from "../../protocol/framing/sse_reader.ts";
import { cutBytes, mutateBytes, mutateText, randomText } from "./random.ts";
import type { Random } from "./random.ts";
import { growth, must, sameJson, target } from "./target.ts";
import { messageLike } from "./wire_targets.ts";

interface Pieces {
  readonly pieces: readonly (readonly number[])[];
  readonly maxBytes: number;
}

function pieces(random: Random, text: string): Pieces {
  const bytes = mutateBytes(random, new TextEncoder().encode(text), random.oneIn(2) ? 2 : 0);
  return { pieces: cutBytes(random, bytes).map((piece) => [...piece]), maxBytes: random.pick([8, 64, 4096]) };
}

/** The same bytes in one piece. */
function whole(pieces: Pieces["pieces"]): Uint8Array {
  return Uint8Array.from(pieces.flat());
}

interface EventsRead {
  readonly events: readonly object[];
  readonly overlong: number;
}

function readEvents(chunks: readonly Uint8Array[], maxBytes: number): EventsRead {
  const events: object[] = [];
  let overlong = 0;
  const reader = createEventReader({
    maxBytes,
    onEvent: (event) => events.push(event),
    onRetry: (ms) => must(Number.isSafeInteger(ms) && ms >= 0, "a time to wait is a whole number"),
    onOverlong: () => overlong++,
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { events, overlong };
}

/** Server-sent events. */
export const EVENTS = target<Pieces>({
  name: "server-sent events",
  weight: 8,
  make(random) {
    let text = random.oneIn(6) ? "\ufeff" : "";
    for (let left = random.below(5); left > 0; left--) {
      text += random.oneIn(3)
        ? mutateText(random, `id: ${random.below(9)}\r\nretry: ${random.below(999)}\rdata: x\n: note\n\n`, 2)
        : encodeEvent(randomText(random, 12), random.oneIn(2) ? { id: String(random.below(99)), event: "message" } : {});
    }
    return pieces(random, text);
  },
  check({ pieces, maxBytes }) {
    const bytes = whole(pieces);
    const cut = readEvents(pieces.map((piece) => Uint8Array.from(piece)), maxBytes);
    const once = readEvents([bytes], maxBytes);
    must(cut.overlong <= 1 && once.overlong <= 1, "being too long is told once");
    for (const event of [...cut.events, ...once.events]) {
      must(new TextEncoder().encode((event as { data: string }).data).length <= maxBytes, "no event is longer than the bound");
    }
    if (cut.overlong === 0 && once.overlong === 0) {
      must(sameJson(cut.events, once.events), "it does not matter where bytes are cut");
    }
  },
  growth: [
    growth(
      "one event of many lines",
      (size) => new TextEncoder().encode("data: x\n".repeat(size) + "\n"),
      (bytes) => readEvents([bytes], 2 ** 30),
    ),
    growth(
      "many events in pieces of one byte",
      (size) => new TextEncoder().encode("data:x\r\n\r\n".repeat(size)),
      (bytes) => readEvents(bytewise(bytes), 2 ** 30),
    ),
    growth(
      "one long line in pieces",
      (size) => new TextEncoder().encode(`data: ${"x".repeat(size * 8)}\n\n`),
      (bytes) => readEvents(inPieces(bytes, 512), 2 ** 30),
    ),
    growth(
      "carriage returns",
      (size) => new TextEncoder().encode("\r".repeat(size)),
      (bytes) => readEvents(bytewise(bytes), 2 ** 30),
    ),
    growth(
      "comments",
      (size) => new TextEncoder().encode(": x\n".repeat(size)),
      (bytes) => readEvents(inPieces(bytes, 64), 2 ** 30),
    ),
  ],
});

function bytewise(bytes: Uint8Array): readonly Uint8Array[] {
  return inPieces(bytes, 1);
}

function inPieces(bytes: Uint8Array, length: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) => bytes.subarray(at * length, (at + 1) * length));
}

function readLines(chunks: readonly Uint8Array[], maxBytes: number): readonly string[] {
  const found: string[] = [];
  const reader = createLineReader({
    maxBytes,
    onLine: (text) => found.push(`line ${text}`),
    onOverlong: () => found.push("overlong"),
    onInvalidUtf8: () => found.push("invalid"),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return found;
}

/** What the lines of bytes are, in the plainest way. */
function plainLines(bytes: Uint8Array, maxBytes: number): readonly string[] {
  const found: string[] = [];
  let start = 0;
  while (start <= bytes.length) {
    const end = bytes.indexOf(0x0a, start);
    let line = bytes.subarray(start, end < 0 ? bytes.length : end);
    start += line.length + 1;
    if (line.at(-1) === 0x0d) line = line.subarray(0, -1);
    if (line.length > maxBytes) found.push("overlong");
    else {
      try {
        const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
        if (text.trim() !== "") found.push(`line ${text}`);
      } catch {
        found.push("invalid");
      }
    }
    if (end < 0) break;
  }
  return found;
}

/** Lines of bytes. */
export const LINES = target<Pieces>({
  name: "lines",
  weight: 8,
  make(random) {
    let text = "";
    for (let left = random.below(6); left > 0; left--) {
      const line = random.oneIn(2) ? randomText(random, 10) : messageLike(random).slice(0, 100);
      text += line + random.pick(["\n", "\r\n", "", "\r", "\n\n"]);
    }
    return pieces(random, text);
  },
  check({ pieces, maxBytes }) {
    const cut = readLines(pieces.map((piece) => Uint8Array.from(piece)), maxBytes);
    must(sameJson(cut, plainLines(whole(pieces), maxBytes)), "lines are what stands between newlines");
  },
  growth: [
    growth(
      "a long line in pieces",
      (size) => new TextEncoder().encode("x".repeat(size * 16) + "\n"),
      (bytes) => readLines(inPieces(bytes, 64), 2 ** 30),
    ),
    growth(
      "short lines in pieces of one byte",
      (size) => new TextEncoder().encode("{}\n".repeat(size)),
      (bytes) => readLines(bytewise(bytes), 2 ** 30),
    ),
    growth(
      "lines that are too long",
      (size) => new TextEncoder().encode(`${"x".repeat(100)}\n`.repeat(size)),
      (bytes) => readLines(inPieces(bytes, 7), 64),
    ),
    growth(
      "what is not UTF-8",
      (size) => new Uint8Array(size * 16).fill(0xff),
      (bytes) => readLines([bytes, Uint8Array.of(0x0a)], 2 ** 30),
    ),
  ],
});
