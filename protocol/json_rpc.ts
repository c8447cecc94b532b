/** JSON-RPC 2.0 messages: text or value to message, and the replies that are built from them. */
import { isJsonObject, ownMember } from "./json.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { ERROR_CODES } from "./errors.ts";
import { kindOf } from "./kind_of.ts";
import { CHARACTERS_PER_ELEMENT, surveyJson } from "./json_survey.ts";
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse, RequestId } from "./types.ts";

/** The error member of a JSON-RPC response. */
export interface JsonRpcErrorObject {
  /** The code. */
  readonly code: number;
  /** One sentence. */
  readonly message: string;
  /** Further facts. */
  readonly data?: JsonValue;
}

/** A message, or the error that its sender gets, with the id when one could be read, and what it was meant to be if that shows. */
export type ReadMessage =
  | { readonly ok: true; readonly message: JsonRpcMessage }
  | {
    readonly ok: false;
    readonly id: RequestId | undefined;
    readonly kind: "request" | "response" | "notification" | undefined;
    readonly error: JsonRpcErrorObject;
  };

/** Bounds on one JSON text. */
export interface JsonBounds {
  /** Nesting of objects and arrays. */
  readonly jsonDepth: number;
  /** Values and members in all. */
  readonly jsonElements: number;
}

/**
 * Reads one JSON-RPC message from text (JSON-RPC 2.0 § 4; MCP 2026-07-28, Basic § Messages).
 *
 * @param text One JSON text.
 * @param bounds Nesting and number of elements that are allowed.
 * @returns The message, or what is wrong with it.
 */
export function parseMessage(text: string, bounds: JsonBounds): ReadMessage {
  if (text.length > CHARACTERS_PER_ELEMENT * bounds.jsonElements) {
    const { elements, id, members } = surveyJson(text);
    if (elements > bounds.jsonElements) {
      const outline = Object.fromEntries([...members].map((name) => [name, null]));
      return refuse(idOfText(id), ERROR_CODES.invalid_request, tooMany(bounds), outline);
    }
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(undefined, ERROR_CODES.parse_error, "Parse error: the text is not JSON");
  }
  const fault = boundsFault(value, bounds);
  if (fault !== undefined) return refuse(readableId(value), ERROR_CODES.invalid_request, fault, value);
  return readMessage(value);
}

/**
 * Reads one JSON-RPC message from a parsed value.
 *
 * @param value What `JSON.parse` gave, or what a peer in this process sent.
 * @returns The message, or what is wrong with it.
 */
export function readMessage(value: unknown): ReadMessage {
  if (!isJsonObject(value)) {
    const what = Array.isArray(value) ? "an array (batches are not part of MCP)" : kindOf(value);
    return refuse(undefined, ERROR_CODES.invalid_request, `Invalid request: expected one JSON object, received ${what}`);
  }
  if (value.jsonrpc !== "2.0" || !Object.hasOwn(value, "jsonrpc")) {
    return invalid(value, 'Invalid request: jsonrpc must be "2.0"');
  }
  return "method" in value ? readCall(value) : readResponse(value);
}

/** Says whether a message is a request: it has a method and an id. */
export function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return "method" in message && "id" in message;
}

/** Says whether a message is a notification: it has a method and no id. */
export function isNotification(message: JsonRpcMessage): message is JsonRpcNotification {
  return "method" in message && !("id" in message);
}

/** Says whether a message is a response: a result or an error. */
export function isResponse(message: JsonRpcMessage): message is JsonRpcResponse {
  return !("method" in message);
}

/** Builds a response that holds a result. */
export function resultResponse(id: RequestId, result: JsonObject): JsonRpcResponse {
  return { jsonrpc: "2.0", id, result };
}

/** Builds a response that holds an error; without an id when none could be read. */
export function errorResponse(id: RequestId | undefined, code: number, message: string, data?: JsonValue): JsonRpcResponse {
  const error = data === undefined ? { code, message } : { code, message, data };
  return id === undefined ? { jsonrpc: "2.0", error } : { jsonrpc: "2.0", id, error };
}

/** Holds what follows the id in the text of a response: its other end is always the same. */
const PREPARED: unique symbol = Symbol("prepared JSON text");

/**
 * Keeps the JSON text of a result beside its value, so that carriers of text need not write it again.
 *
 * @param result A result that never changes.
 * @returns The same members, frozen.
 */
export function prepareResult(result: JsonObject): JsonObject {
  const prepared = { ...result };
  Object.defineProperty(prepared, PREPARED, { value: `,"result":${JSON.stringify(result)}}` });
  return Object.freeze(prepared);
}

const HTTP_STATUS: unique symbol = Symbol("HTTP status");

/** Notes the HTTP status that goes with a response, or with the error made of one; carriers without statuses never see it. */
export function withHttpStatus<T extends JsonRpcResponse | Error>(holder: T, status: number): T {
  return status === 200 ? holder : Object.defineProperty(holder, HTTP_STATUS, { value: status });
}

/** The HTTP status that goes with a message or an error; 200 when none was noted, as with every result. */
export function httpStatusOf(holder: JsonRpcMessage | Error): number {
  if ("result" in holder) return 200;
  return (holder as { readonly [HTTP_STATUS]?: number })[HTTP_STATUS] ?? 200;
}

const CHALLENGE: unique symbol = Symbol("WWW-Authenticate");

/** Notes the `WWW-Authenticate` value that goes with a response, or with the error made of one; other carriers never see it. */
export function withChallenge<T extends JsonRpcResponse | Error>(holder: T, challenge: string): T {
  return Object.defineProperty(holder, CHALLENGE, { value: challenge });
}

/** The `WWW-Authenticate` value that goes with a message or an error; undefined when none was noted. */
export function challengeOf(holder: JsonRpcMessage | Error): string | undefined {
  return (holder as { readonly [CHALLENGE]?: string })[CHALLENGE];
}

/**
 * Writes a message as JSON text on one line. The text is one flat string, not joined from parts: HTTP servers hand
 * flat strings on without a copy.
 *
 * @param message Any message.
 * @returns Its text, without a line end.
 * @throws {TypeError} For what JSON cannot carry: a cycle, a bigint.
 */
export function messageText(message: JsonRpcMessage): string {
  if (isResponse(message) && "result" in message) {
    const prepared = (message.result as { readonly [PREPARED]?: string })[PREPARED];
    if (prepared !== undefined) return `{"jsonrpc":"2.0","id":${idText(message.id)}${prepared}`;
  }
  return JSON.stringify(message);
}

/** Says why a parsed value breaks a bound, or holds a number that JavaScript has no value for; stops at the first breach. */
export function boundsFault(value: unknown, bounds: JsonBounds): string | undefined {
  const walk: Walk = { left: bounds.jsonElements, fault: undefined };
  if (!visit(value, bounds.jsonDepth, walk)) return undefined;
  switch (walk.fault) {
    case "depth":
      return `Invalid request: nested deeper than ${bounds.jsonDepth} levels (limit jsonDepth)`;
    case "elements":
      return tooMany(bounds);
    default:
      return "Invalid request: it holds a number out of the range of IEEE 754 binary64";
  }
}

function tooMany({ jsonElements }: JsonBounds): string {
  return `Invalid request: more than ${jsonElements} JSON elements (limit jsonElements)`;
}

interface Walk {
  left: number;
  fault: "depth" | "elements" | "number" | undefined;
}

function visit(value: unknown, depth: number, walk: Walk): boolean {
  if (typeof value === "number") return !Number.isFinite(value) && found(walk, "number");
  if (typeof value !== "object" || value === null) return false;
  if (depth <= 0) return found(walk, "depth");
  if (Array.isArray(value)) {
    if ((walk.left -= value.length) < 0) return found(walk, "elements");
    for (let i = 0; i < value.length; i++) if (visit(value[i], depth - 1, walk)) return true;
    return false;
  }
  for (const key in value) {
    if (--walk.left < 0) return found(walk, "elements");
    if (visit((value as Record<string, unknown>)[key], depth - 1, walk)) return true;
  }
  return false;
}

function found(walk: Walk, fault: NonNullable<Walk["fault"]>): true {
  walk.fault = fault;
  return true;
}

function readCall(value: JsonObject): ReadMessage {
  const { id, method, params } = value;
  if ("id" in value && !isRequestId(id)) {
    return invalid(
      value,
      `Invalid request: id must be a string or an integer, received ${
        typeof id === "number" ? "a number that is not a safe integer" : kindOf(id)
      }`,
    );
  }
  if (typeof method !== "string") return invalid(value, `Invalid request: method must be a string, received ${kindOf(method)}`);
  if (params !== undefined && !isJsonObject(params)) {
    return invalid(value, `Invalid request: params must be an object, received ${kindOf(params)}`);
  }
  return { ok: true, message: value as unknown as JsonRpcMessage };
}

function readResponse(value: JsonObject): ReadMessage {
  const id = ownMember(value, "id");
  const hasResult = Object.hasOwn(value, "result");
  const error = ownMember(value, "error");
  if (hasResult === (error !== undefined)) {
    return invalid(value, "Invalid request: expected a method, or exactly one of result and error");
  }
  if (hasResult && (!isRequestId(id) || !isJsonObject(value.result))) {
    return invalid(value, "Invalid response: expected an id and a result that is an object");
  }
  if (!hasResult) {
    const wellFormed = isJsonObject(error) && Number.isInteger(error.code) && typeof error.message === "string";
    if (!wellFormed || (id !== undefined && id !== null && !isRequestId(id))) {
      return invalid(value, "Invalid response: expected an error with an integer code and a message");
    }
    if (id === null) return { ok: true, message: { jsonrpc: "2.0", error } as unknown as JsonRpcMessage };
  }
  return { ok: true, message: value as unknown as JsonRpcMessage };
}

/** A string, or an integer that survives JSON (MCP 2026-07-28, Basic § Requests; RFC 8259 § 6). */
function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function readableId(value: unknown): RequestId | undefined {
  if (!isJsonObject(value)) return undefined;
  const id = ownMember(value, "id");
  return isRequestId(id) ? id : undefined;
}

/** The id that a text of JSON stands for. */
function idOfText(text: string | undefined): RequestId | undefined {
  try {
    const id: unknown = JSON.parse(text ?? "");
    return isRequestId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

function idText(id: RequestId): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}

function invalid(value: JsonObject, sentence: string): ReadMessage {
  return refuse(readableId(value), ERROR_CODES.invalid_request, sentence, value);
}

function refuse(id: RequestId | undefined, code: number, message: string, value?: unknown): ReadMessage {
  return { ok: false, id, kind: isJsonObject(value) ? meantAs(value) : undefined, error: { code, message } };
}

/** What a broken message was meant to be, as its members tell. */
function meantAs(value: JsonObject): "request" | "response" | "notification" | undefined {
  if (Object.hasOwn(value, "method")) return Object.hasOwn(value, "id") ? "request" : "notification";
  return Object.hasOwn(value, "result") || Object.hasOwn(value, "error") ? "response" : undefined;
}
