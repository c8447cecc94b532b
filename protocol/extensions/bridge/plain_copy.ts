/** Copies what came through `postMessage`, as far as JSON can carry it, within bounds. */
import type { JsonValue } from "../../json.ts";

/** How much may be copied. */
export interface CopyBounds {
  /** Bytes of the JSON text in UTF-8. */
  readonly messageBytes: number;
  /** Nesting of objects and arrays. */
  readonly jsonDepth: number;
  /** Members of objects and items of arrays. */
  readonly jsonElements: number;
}

/** A copy, or what is wrong, as the end of a sentence. */
export type PlainCopy = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly fault: string };

/**
 * Copies a value that a structured clone may have given: members that are undefined vanish, as in JSON, and what JSON has no
 * text for (a date, a map, bytes, NaN, a cycle) is refused. A value that is shared counts as often as it is met.
 *
 * @param value Anything.
 * @param bounds What the copy may have; the walk stops where one of them is passed.
 * @returns The copy, which shares nothing with the value.
 */
export function plainCopy(value: unknown, bounds: CopyBounds): PlainCopy {
  const walk: Walk = { bounds, bytes: bounds.messageBytes, elements: bounds.jsonElements, fault: undefined };
  let copy: JsonValue | undefined;
  try {
    copy = copied(value, bounds.jsonDepth, walk);
  } catch {
    walk.fault ??= "it cannot be read";
  }
  if (walk.fault !== undefined) return { ok: false, fault: walk.fault };
  return copy === undefined ? { ok: false, fault: "it is undefined" } : { ok: true, value: copy };
}

interface Walk {
  readonly bounds: CopyBounds;
  bytes: number;
  elements: number;
  fault: string | undefined;
}

/** The copy; undefined for undefined, and wherever a fault was found. */
function copied(value: unknown, depth: number, walk: Walk): JsonValue | undefined {
  switch (typeof value) {
    case "string":
      return spend(walk, textBytes(value, walk.bytes)) ? value : undefined;
    case "number":
      if (!Number.isFinite(value)) return stop(walk, "it holds a number that JSON has no text for");
      return spend(walk, String(value).length) ? value : undefined;
    case "boolean":
      return spend(walk, value ? 4 : 5) ? value : undefined;
    case "undefined":
      return undefined;
    case "object":
      if (value === null) return spend(walk, 4) ? null : undefined;
      if (depth <= 0) return stop(walk, `it is nested deeper than ${walk.bounds.jsonDepth} levels (limit jsonDepth)`);
      return Array.isArray(value) ? copiedList(value, depth, walk) : copiedObject(value, depth, walk);
    default:
      return stop(walk, `it holds a ${typeof value}`);
  }
}

function copiedList(list: readonly unknown[], depth: number, walk: Walk): JsonValue | undefined {
  if (!count(walk, list.length) || !spend(walk, 2 + Math.max(list.length - 1, 0))) return undefined;
  const copy: JsonValue[] = [];
  for (let i = 0; i < list.length; i++) {
    const item = copied(list[i], depth - 1, walk);
    if (walk.fault !== undefined) return undefined;
    // A hole in a list is null in JSON.
    if (item === undefined && !spend(walk, 4)) return undefined;
    copy.push(item ?? null);
  }
  return copy;
}

function copiedObject(object: object, depth: number, walk: Walk): JsonValue | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  // The object may come from another frame, which has an `Object` of its own.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain) return stop(walk, "it holds an object that is no plain one");
  if (!spend(walk, 2)) return undefined;
  const copy: { [key: string]: JsonValue } = {};
  let comma = 0;
  for (const key of Object.keys(object)) {
    const item = copied((object as Record<string, unknown>)[key], depth - 1, walk);
    if (walk.fault !== undefined) return undefined;
    if (item === undefined) continue;
    if (!count(walk, 1) || !spend(walk, textBytes(key, walk.bytes) + 1 + comma)) return undefined;
    comma = 1;
    // "__proto__" is a name like any other.
    Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

function count(walk: Walk, elements: number): boolean {
  if ((walk.elements -= elements) >= 0) return true;
  stop(walk, `it has more than ${walk.bounds.jsonElements} JSON elements (limit jsonElements)`);
  return false;
}

function spend(walk: Walk, bytes: number): boolean {
  if ((walk.bytes -= bytes) >= 0) return true;
  stop(walk, `it has more than ${walk.bounds.messageBytes} bytes (limit messageBytes)`);
  return false;
}

function stop(walk: Walk, fault: string): undefined {
  walk.fault ??= fault;
  return undefined;
}

/** Control characters with a short escape: backspace, tab, line feed, form feed, return. */
const SHORT: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);
const [SPACE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c];

/** Bytes of a string as JSON in UTF-8; counting stops where they are more than is left. */
function textBytes(text: string, left: number): number {
  let bytes = text.length + 2;
  for (let i = 0; i < text.length && bytes <= left; i++) {
    const code = text.charCodeAt(i);
    if (code < SPACE) bytes += SHORT.has(code) ? 1 : 5;
    else if (code === QUOTE || code === BACKSLASH) bytes++;
    else if (code < 0x80) continue;
    else if (code < 0x800) bytes++;
    else if (code < 0xd800 || code > 0xdfff) bytes += 2;
    else if (code < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 2;
      i++;
    } else bytes += 5; // half a pair is written as an escape
  }
  return bytes;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
