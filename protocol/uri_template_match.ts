/** Matching of a URI against the parts of a template: one pass, no search. */
import { decodeValue, isReserved } from "./uri_encoding.ts";
import type { PathPart, TemplateParts } from "./uri_template_parts.ts";

/** Names of variables with their decoded values. */
export type Bindings = readonly (readonly [string, string])[];

type Found = [string, string][];

/**
 * Matches a URI.
 *
 * @param parts The template's parts.
 * @param uri The URI in its normal form.
 * @returns The variables that are present, or undefined when the URI does not match.
 */
export function matchTemplate(parts: TemplateParts, uri: string): Bindings | undefined {
  const found: Found = [];
  let at: number | undefined;
  const reserved = parts.path.findIndex(({ kind }) => kind === "reserved");
  if (reserved < 0) {
    at = matchForward(parts.path, uri, found);
  } else {
    const start = matchForward(parts.path.slice(0, reserved), uri, found);
    if (start === undefined) return undefined;
    const end = matchBackward(parts.path.slice(reserved + 1), uri, found);
    if (end === undefined || end < start || !bind(found, parts.path[reserved], uri.slice(start, end))) return undefined;
    at = uri.length;
  }
  if (at !== undefined) at = matchSegments(parts, uri, at, found);
  if (at !== undefined) at = matchQuery(parts, uri, at, found);
  if (at !== undefined && parts.fragment !== undefined && uri[at] === "#") {
    if (!bind(found, { kind: "reserved", name: parts.fragment }, uri.slice(at + 1))) return undefined;
    at = uri.length;
  }
  return at === uri.length ? found : undefined;
}

/**
 * Matches from the left. A simple value has no reserved character, and the text after it has one within its first few
 * characters: the end of the run of unreserved characters shows where the value ends.
 */
function matchForward(path: readonly PathPart[], uri: string, found: Found): number | undefined {
  let at = 0;
  for (let index = 0; index < path.length; index++) {
    const part = path[index] as PathPart;
    if (part.kind === "literal") {
      if (!uri.startsWith(part.text, at)) return undefined;
      at += part.text.length;
      continue;
    }
    const next = path[index + 1];
    const text = next?.kind === "literal" ? next.text : "";
    const end = runEnd(uri, at) - runEnd(text, 0);
    if (end < at || !uri.startsWith(text, end) || !bind(found, part, uri.slice(at, end))) return undefined;
    at = end + text.length;
    if (next?.kind === "literal") index++;
  }
  return at;
}

/** Matches from the right, in the same way; returns where the match starts. */
function matchBackward(path: readonly PathPart[], uri: string, found: Found): number | undefined {
  let end = uri.length;
  for (let index = path.length - 1; index >= 0; index--) {
    const part = path[index] as PathPart;
    if (part.kind === "literal") {
      end -= part.text.length;
      if (end < 0 || !uri.startsWith(part.text, end)) return undefined;
      continue;
    }
    const before = path[index - 1];
    const text = before?.kind === "literal" ? before.text : "";
    const start = runStart(uri, end) + text.length - runStart(text, text.length);
    const outer = start - text.length;
    if (start > end || outer < 0 || !uri.startsWith(text, outer) || !bind(found, part, uri.slice(start, end))) return undefined;
    end = outer;
    index--;
  }
  return end;
}

function matchSegments(parts: TemplateParts, uri: string, from: number, found: Found): number | undefined {
  let at = from;
  for (const { name, rest } of parts.segments) {
    if (uri[at] !== "/") break;
    let value: string | undefined;
    let end = runEnd(uri, at + 1);
    if (rest) {
      const values: (string | undefined)[] = [decodeValue(uri.slice(at + 1, end))];
      while (uri[end] === "/") {
        const start = end + 1;
        end = runEnd(uri, start);
        values.push(decodeValue(uri.slice(start, end)));
      }
      // A slash within one segment would come back as two segments.
      if (values.some((one) => one === undefined || one.includes("/"))) return undefined;
      value = values.join("/");
    } else {
      value = decodeValue(uri.slice(at + 1, end));
    }
    if (value === undefined) return undefined;
    found.push([name, value]);
    at = end;
  }
  return at;
}

function matchQuery(parts: TemplateParts, uri: string, from: number, found: Found): number | undefined {
  if (parts.query.length === 0 || uri[from] !== (parts.fixedQuery ? "&" : "?")) return from;
  const hash = uri.indexOf("#", from);
  const end = hash < 0 ? uri.length : hash;
  const wanted = new Set(parts.query);
  for (const pair of uri.slice(from + 1, end).split("&")) {
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    // Of a doubled name the first one counts.
    if (!wanted.delete(name)) continue;
    const value = decodeValue(equals < 0 ? "" : pair.slice(equals + 1));
    if (value === undefined) return undefined;
    found.push([name, value]);
  }
  return end;
}

function bind(found: Found, part: PathPart | undefined, encoded: string): boolean {
  const value = decodeValue(encoded);
  if (value === undefined || part === undefined || part.kind === "literal") return false;
  found.push([part.name, value]);
  return true;
}

/** Where the run of characters that are not reserved ends. */
function runEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isReserved(text[at] as string)) at++;
  return at;
}

/** Where the run of characters that are not reserved, which ends at a place, starts. */
function runStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && !isReserved(text[at - 1] as string)) at--;
  return at;
}
