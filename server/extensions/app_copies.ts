/** Copies of what a program gives, so that it can be frozen and later changes have no effect. */
import { frozenCopy } from "../../protocol/frozen_copy.ts";
import { jsonFault } from "../json/json_fault.ts";

/**
 * A frozen copy of JSON.
 *
 * @throws {TypeError} When it is none; the message begins with `path`.
 */
export function ownCopy<T>(value: T, path: string): T {
  if (value === undefined) return value;
  const fault = jsonFault(value, path);
  if (fault !== undefined) throw new TypeError(fault);
  return frozenCopy(value);
}

/** Freezes an object of our own making and everything in it. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFrozen(member);
  return value;
}
