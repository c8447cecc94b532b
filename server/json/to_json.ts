/** Domain values → JSON: dates, bigints, maps, sets and bytes in their usual written forms. */
import { encodeBase64 } from "../../protocol/base64.ts";
import type { JsonValue } from "../../protocol/types.ts";

/**
 * Turns a value of the application into JSON on purpose: a `Date` becomes its ISO 8601 text, a `bigint` its decimal
 * text, a `Map` an object, a `Set` an array, bytes become Base64, and an object with `toJSON()` what that returns.
 *
 * @example
 * ```ts
 * import { toJson } from "@causeway/mcp/server";
 *
 * console.log(toJson({ at: new Date(0), tags: new Set(["a"]) }));
 * ```
 *
 * @param value Any value without cycles.
 * @returns JSON.
 * @throws {TypeError} For functions, symbols, numbers that are not finite, invalid dates, keys of a Map that are not strings, and cycles.
 */
export function toJson(value: unknown): JsonValue {
  return convert(value, "value", new Set()) ?? null;
}

function convert(value: unknown, path: string, above: Set<object>): JsonValue | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean" || value === undefined) {
    return value as JsonValue | undefined;
  }
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${path}: A number that is not finite cannot be written as JSON`);
    return value;
  }
  if (typeof value !== "object") throw new TypeError(`${path}: A ${typeof value} cannot be written as JSON`);
  if (above.has(value)) throw new TypeError(`${path}: A cycle cannot be written as JSON`);
  above.add(value);
  const json = convertObject(value, path, above);
  above.delete(value);
  return json;
}

function convertObject(value: object, path: string, above: Set<object>): JsonValue | undefined {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new TypeError(`${path}: An invalid Date cannot be written as JSON`);
    return value.toISOString();
  }
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (value instanceof ArrayBuffer) return encodeBase64(new Uint8Array(value));
  if ("toJSON" in value && typeof value.toJSON === "function") return convert(value.toJSON(), path, above);
  if (value instanceof Set || Array.isArray(value)) {
    return [...value].map((item, index) => convert(item, `${path}[${index}]`, above) ?? null);
  }
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const object: Record<string, JsonValue | undefined> = Object.create(null);
  for (const [key, member] of entries) {
    if (typeof key !== "string") throw new TypeError(`${path}: A key of a Map that is not a string cannot be written as JSON`);
    object[key] = convert(member, `${path}.${key}`, above);
  }
  return { ...object };
}
