/** Copies messages between two ends in one process, so that they share nothing. */
import type { JsonRpcMessage } from "../protocol/types.ts";

/**
 * Copies a message: its receiver gets what it would read from JSON text, without the text. A frozen result is shared, because
 * nobody can change it.
 *
 * @param message The message.
 * @returns The copy.
 * @throws {TypeError} For a bigint, as the writing of JSON does.
 * @throws {RangeError} For nesting that no stack takes, as the writing of JSON does.
 */
export function copiedMessage<M extends JsonRpcMessage>(message: M): M {
  if ("result" in message) {
    if (Object.isFrozen(message.result)) return message;
    return { jsonrpc: "2.0", id: message.id, result: copyObject(message.result) } as M;
  }
  return copyObject(message) as M;
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
      throw new TypeError("Send a message: A bigint can not be written as JSON");
    case "object":
      return value === null ? null : copyObject(value);
    default:
      return undefined;
  }
}

function copyObject(value: object): unknown {
  if (Array.isArray(value)) return copyList(value);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (toJSON !== undefined && typeof toJSON === "function") return copy(toJSON.call(value, ""));
  const plain = Object.getPrototypeOf(value) === Object.prototype;
  return copyMembers((plain ? value : { ...value }) as Record<string, unknown>);
}

function copyList(list: readonly unknown[]): unknown[] {
  const copied = new Array(list.length);
  for (let at = 0; at < list.length; at++) copied[at] = copy(list[at]) ?? null;
  return copied;
}

/** `for in` is the fastest way through; what a plain object inherits is not enumerable. */
function copyMembers(value: Record<string, unknown>): Record<string, unknown> {
  const copied: Record<string, unknown> = {};
  for (const key in value) {
    const member = value[key];
    const own = typeof member === "string" ? member : copy(member);
    if (own === undefined) continue;
    if (key !== "__proto__") copied[key] = own;
    else Object.defineProperty(copied, key, { value: own, enumerable: true, configurable: true, writable: true });
  }
  return copied;
}
