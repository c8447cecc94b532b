/** Fuzz targets that read text: messages, headers. */
import { ERROR_CODES } from "../../protocol/errors.ts";
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
import { mutateJson, mutateText, randomJson, randomObject, randomText } from "./random.ts";
import type { Random } from "./random.ts";
import { growth, must, sameJson, target } from "./target.ts";

const BOUNDS = { jsonDepth: 12, jsonElements: 400 } as const;
const WIDE = { jsonDepth: 64, jsonElements: 10_000_000 } as const;

/** Text that is often a message, and often nearly one. */
export function messageLike(random: Random): string {
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
