/** JSON values: their types, and the few questions that are asked of them everywhere. */

/** A value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** Says whether a value is an object that is neither `null` nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads an own member of an object, so that names such as `constructor` and `__proto__`, which come from
 * the peer, never reach what the prototype holds.
 */
export function ownMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
