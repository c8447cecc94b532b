/** Fuzz targets that read bytes and text: messages, headers, events, lines. */
import { ERROR_CODES } from "../../protocol/errors.ts";
import { createLineReader } from "../../protocol/framing/lines.ts";
import { createEventReader, encodeEvent } from "../../protocol/framing/sse.ts";
import {
  decodeHeaderValue,
  encodeHeaderValue,
  headerEquals,
  mirroredParams,
  paramHeaderFault,
  paramHeaders,
} from "../../protocol/headers.ts";
import { errorResponse, isNotification, isRequest, isResponse, messageText, parseMessage } from "../../protocol/json_rpc.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { anyDialect, writtenCall } from "./messages.ts";
import { cutBytes, mutateBytes, mutateJson, mutateText, randomJson, randomObject, randomText } from "./random.ts";
import type { Random } from "./random.ts";
import { growth, must, sameJson, target } from "./target.ts";

const BOUNDS = { jsonDepth: 12, jsonElements: 400 } as const;
const WIDE = { jsonDepth: 64, jsonElements: 10_000_000 } as const;

function messageLike(random: Random): string {
  const { message } = writtenCall(random, anyDialect(random));
  const value = random.oneIn(5)
    ? { jsonrpc: "2.0", id: 1, ...(random.oneIn(2) ? { result: randomJson(random, 3) } : { error: randomJson(random, 3) }) }
    : message;
  const text = JSON.stringify(mutateJson(random, value, 3));
  return random.oneIn(3) ? mutateText(random, text, 3) : text;
}

/** Reading one JSON-RPC message. */
export const JSON_RPC = target<string>({
  name: "JSON-RPC reading",
  weight: 22,
  make: (random) => random.oneIn(8) ? randomText(random, 40) : messageLike(random),
  check(text) {
    const read = parseMessage(text, BOUNDS);
    if (!read.ok) {
      const { code, message } = read.error;
      must(code === ERROR_CODES.parse_error || code === ERROR_CODES.invalid_request, "a refusal has one of two codes");
      must(parseMessage(messageText(errorResponse(read.id, code, message)), BOUNDS).ok, "its answer is a message");
      return;
    }
    const { message } = read;
    const kinds = [isRequest(message), isNotification(message), isResponse(message)].filter((is) => is).length;
    must(kinds === 1, "a message is of one kind");
    if (isRequest(message)) must(typeof message.id === "string" || Number.isSafeInteger(message.id), "a request has an id");
    const again = parseMessage(messageText(message), BOUNDS);
    must(again.ok && sameJson(again.message, message), "a message survives writing and reading");
  },
  growth: [
    growth("nested arrays", (size) => "[".repeat(size) + "]".repeat(size), (text) => parseMessage(text, WIDE)),
    growth("many members", (size) => {
      const members = Array.from({ length: size }, (_, at) => [`k${at}`, at]);
      return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x", params: Object.fromEntries(members) });
    }, (text) => parseMessage(text, WIDE)),
    growth(
      "escapes",
      (size) => `{"jsonrpc":"2.0","id":"${"\\u0041".repeat(size)}","method":"x"}`,
      (text) => parseMessage(text, WIDE),
    ),
  ],
});

interface HeaderInput {
  readonly value: string;
  readonly header: string;
  readonly schema: JsonObject;
  readonly args: JsonObject;
}

/** HTTP headers: values, and arguments that travel in them. */
export const HEADERS = target<HeaderInput>({
  name: "headers",
  weight: 10,
  make(random) {
    const value = randomText(random, 12);
    const encoded = encodeHeaderValue(value);
    const leaf = { type: random.pick(["string", "integer", "number", "boolean"]), "x-mcp-header": randomHeaderName(random) };
    const schema = {
      type: "object",
      properties: { a: leaf, b: { type: "object", properties: { c: { ...leaf, "x-mcp-header": "Other" } } } },
    };
    return {
      value,
      header: random.oneIn(2) ? mutateText(random, encoded, 2) : encoded,
      schema: (random.oneIn(2) ? mutateJson(random, schema, 2) : schema) as JsonObject,
      args: { a: randomJson(random, 1), b: { c: randomJson(random, 0) }, ...randomObject(random, 1) } as JsonObject,
    };
  },
  check({ value, header, schema, args }) {
    const encoded = encodeHeaderValue(value);
    must(/^[\x20-\x7e]*$/.test(encoded), "a written value is visible ASCII");
    must(headerEquals(encoded, value), "a written value stands for what was written");
    const decoded = decodeHeaderValue(header);
    must(
      headerEquals(header, value) === (decoded !== undefined && (decoded === value || decoded === wellFormed(value))),
      "equal is equal after decoding",
    );
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
    const mirrored = mirroredParams(schema);
    if (!mirrored.ok) return;
    const pairs = paramHeaders(mirrored.params, args);
    const headers = new Headers(pairs);
    const fault = paramHeaderFault(mirrored.params, args, headers);
    must(fault === undefined, `headers that were written go with the arguments: ${fault}`);
    const [name] = pairs[0] ?? [];
    if (name === undefined) return;
    headers.set(name, `${headers.get(name)}x`);
    must(paramHeaderFault(mirrored.params, args, headers) !== undefined, "a header that was changed does not");
  },
  growth: [
    growth("a long value", (size) => "é".repeat(size), (text) => decodeHeaderValue(encodeHeaderValue(text))),
    growth("a header of blanks", (size) => `x${" ".repeat(size)}x`, (text) => headerEquals(encodeHeaderValue(text), text)),
    growth("a wide schema", (size) => wideSchema(size), (schema) => mirroredParams(schema)),
  ],
});

function randomHeaderName(random: Random): string {
  return random.oneIn(4) ? randomText(random, 4) : random.pick(["Region", "X", "a-b", "Mcp-Name"]);
}

function wellFormed(value: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(value));
}

function wideSchema(size: number): JsonObject {
  const names = Array.from({ length: size }, (_, at) => [`p${at}`, { type: "string", "x-mcp-header": `P${at}` }]);
  return { type: "object", properties: Object.fromEntries(names) };
}

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
      "what is no UTF-8",
      (size) => new Uint8Array(size * 16).fill(0xff),
      (bytes) => readLines([bytes, Uint8Array.of(0x0a)], 2 ** 30),
    ),
  ],
});
