/** Copies of objects that have fewer members: how a dialect leaves out what its revision does not know. */
import type { JsonObject } from "../json.ts";

/** A copy with the named members only, as far as they are there. */
export function pick(object: object, names: readonly string[]): JsonObject {
  const copy: Record<string, unknown> = {};
  for (const name of names) {
    const value = Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
    if (value !== undefined) copy[name] = value;
  }
  return copy as JsonObject;
}

/** The same object without the named members; the object itself when it has none of them. */
export function omit(object: JsonObject, names: readonly string[]): JsonObject {
  if (!names.some((name) => Object.hasOwn(object, name))) return object;
  const copy: Record<string, unknown> = { ...object };
  for (const name of names) delete copy[name];
  return copy as JsonObject;
}
