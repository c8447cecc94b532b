/** Copies messages between two ends in one process, so that they share nothing that can change. */
import { isJsonObject, ownMember } from "../protocol/json.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcRequest } from "../protocol/types.ts";
import { isShareable } from "./is_shareable.ts";

/**
 * Copies a message once: its receiver gets what it would read from JSON text, without the text. What is frozen at every depth is
 * shared where it comes again and again: as a whole result, and in `_meta`.
 *
 * @param message The message.
 * @returns The copy.
 * @throws {TypeError} For a bigint, as the writing of JSON does.
 * @throws {RangeError} For nesting that no stack takes, as the writing of JSON does.
 */
export function copiedMessage<M extends JsonRpcMessage>(message: M): M {
  if ("result" in message) {
    const { id, result } = message;
    return { jsonrpc: "2.0", id, result: isShareable(result) ? result : copyObject(result) } as M;
  }
  return copyObject(message) as M;
}

/**
 * Makes a request the receiver's own: as {@linkcode copiedMessage}, for a request whose object, params and `_meta` were made for
 * it, so that only what lies in them is copied.
 *
 * @param request The request; it is changed.
 * @returns What the receiver gets.
 */
export function takenRequest(request: JsonRpcRequest): JsonRpcRequest {
  const { params } = request;
  if (params === undefined) return request;
  const meta = ownMember(params, "_meta");
  const whole = takeMembers(params, false) && (!isJsonObject(meta) || takeMembers(meta, true));
  return whole ? request : copiedMessage(request);
}

/** False when a member would be left out of JSON text. */
function takeMembers(value: JsonObject, shares: boolean): boolean {
  const own = value as Record<string, unknown>;
  for (const key in own) {
    const member = own[key];
    if (typeof member === "string" || key === "_meta") continue;
    const taken = shares && typeof member === "object" && member !== null && isShareable(member) ? member : copy(member);
    if (taken === undefined) return false;
    if (taken !== member) own[key] = taken;
  }
  return true;
}

function copy(value: unknown): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      // JSON has no negative zero, and null for what is not finite (ECMA-262 § 25.5.2).
      return Number.isFinite(value) ? value + 0 : null;
    case "bigint":
      throw new TypeError("Sending a message: A bigint cannot be written as JSON");
    case "object":
      return value === null ? null : copyObject(value);
    default:
      return undefined;
  }
}

function copyObject(value: object): unknown {
  if (Array.isArray(value)) return copyList(value);
  if (Object.getPrototypeOf(value) === Object.prototype) return copyMembers(value as Record<string, unknown>);
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? copy(toJSON.call(value, "")) : copyMembers({ ...value });
}

function copyList(list: readonly unknown[]): unknown[] {
  const copied = new Array(list.length);
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    copied[at] = typeof item === "string" ? item : copy(item) ?? null;
  }
  return copied;
}

/** `for in` is the fastest way through; what a plain object inherits is not enumerable. */
function copyMembers(value: Record<string, unknown>): unknown {
  const copied: Record<string, unknown> = {};
  for (const key in value) {
    const member = value[key];
    if (typeof member === "function" && key === "toJSON") return copy(member.call(value, ""));
    const own = typeof member === "string" ? member : key === "_meta" ? copyMeta(member) : copy(member);
    if (own !== undefined) put(copied, key, own);
  }
  return copied;
}

/** The two ends name themselves in every message, in the same frozen words. */
function copyMeta(meta: unknown): unknown {
  if (typeof meta !== "object" || meta === null || Object.getPrototypeOf(meta) !== Object.prototype) return copy(meta);
  if (isShareable(meta)) return meta;
  const copied: Record<string, unknown> = {};
  for (const key in meta) {
    const member = (meta as Record<string, unknown>)[key];
    const own = typeof member === "object" && member !== null && isShareable(member) ? member : copy(member);
    if (own !== undefined) put(copied, key, own);
  }
  return copied;
}

function put(copied: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") copied[key] = value;
  else Object.defineProperty(copied, key, { value, enumerable: true, configurable: true, writable: true });
}
