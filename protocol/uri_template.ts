/** URI templates (RFC 6570): those whose matching is the exact inverse of expansion, in linear time. */
import type { Simplify } from "./schema_types.ts";
import { TEMPLATE_LIMITS } from "./limits.ts";
import { encodeValue, normalizeUri } from "./uri_encoding.ts";
import { matchTemplate } from "./uri_template_match.ts";
import { optionalNames, parseTemplate, skeleton, type TemplateParts, variableNames } from "./uri_template_parts.ts";

/** The names in one expression of a URI template, which is given without braces and operator: "a,b*" gives "a" and "b". */
export type ExpressionNames<E extends string> = E extends `${infer A},${infer B}` ? ExpressionNames<A> | ExpressionNames<B>
  : E extends `${infer A}*` ? A
  : E;

/** The names of the variables of a URI template that are always bound: those of `{name}` and `{+path}`. */
export type RequiredTemplateNames<T extends string, Found extends string = never> = T extends `${string}{${infer E}}${infer Rest}`
  ? E extends `${"?" | "&" | "/" | ";" | "." | "#"}${string}` ? RequiredTemplateNames<Rest, Found>
  : E extends `+${infer N}` ? RequiredTemplateNames<Rest, Found | ExpressionNames<N>>
  : RequiredTemplateNames<Rest, Found | ExpressionNames<E>>
  : Found;

/** The names of the variables of a URI template that may be absent: those of `{/segment}`, `{?query}`, `{&query}` and `{#part}`. */
export type OptionalTemplateNames<T extends string, Found extends string = never> = T extends `${string}{${infer E}}${infer Rest}`
  ? E extends `${"?" | "&" | "/" | ";" | "." | "#"}${infer N}` ? OptionalTemplateNames<Rest, Found | ExpressionNames<N>>
  : OptionalTemplateNames<Rest, Found>
  : Found;

/** The variables of a URI template: `{name}` and `{+path}` are always bound, `{/seg}`, `{?q}` and `{&q}` may be absent. */
export type TemplateVariables<T extends string> = string extends T ? { readonly [name: string]: string }
  : Simplify<{ readonly [K in RequiredTemplateNames<T>]: string } & { readonly [K in OptionalTemplateNames<T>]?: string }>;

/** The names of the variables of a URI template. */
export type TemplateNames<T extends string> = string extends T ? string : RequiredTemplateNames<T> | OptionalTemplateNames<T>;

/** A parsed RFC 6570 template of the supported shapes; matching is the exact inverse of expansion, in linear time. */
export interface UriTemplate<T extends string = string> {
  /** The template as it was written. */
  readonly template: T;
  /** The names of its variables, in the order in which they stand. */
  readonly names: readonly string[];
  /**
   * Writes the URI for the given variables. Values are text, not encoded: a `%` is always encoded, also by `{+path}`
   * (narrower than RFC 6570 § 3.2.3, for the sake of matching).
   *
   * @throws {TypeError} When a variable is missing, is not a string (numbers and booleans are written as such), can't stand
   * where it is put, or the URI becomes longer than can be matched.
   */
  expand(variables: TemplateVariables<T>): string;
  /**
   * Reads the variables of a URI. Values are decoded once. Absent variables are left out, query variables may come in any
   * order and beside others; of a doubled one the first counts. A URI is compared in its normal form (RFC 3986 § 6.2.2.2):
   * escapes of letters and raw non-ASCII text do not matter.
   *
   * @returns The variables, or undefined for a URI that does not match, is longer than 8,192 characters, has a broken escape,
   * or has a value with a `..` segment or a NUL.
   */
  match(uri: string): TemplateVariables<T> | undefined;
}

/**
 * Parses a template. Supported are `{name}`, `{a,b}`, one `{+path}`, `{/segment}` and `{/rest*}` at the end of the path,
 * `{?a,b}`, `{&a}`, and `{#fragment}` at the end.
 *
 * @param template The template.
 * @returns The parsed template.
 * @throws {TypeError} With the reason, for what is not a template and for a shape that can't be matched without ambiguity.
 */
export function uriTemplate<const T extends string>(template: T): UriTemplate<T> {
  const parts = parseTemplate(template);
  return {
    template,
    names: variableNames(parts),
    expand(variables: TemplateVariables<T>): string {
      return expand(template, parts, variables as { readonly [name: string]: unknown });
    },
    match(uri: string): TemplateVariables<T> | undefined {
      if (typeof uri !== "string" || uri.length > TEMPLATE_LIMITS.uriLength) return undefined;
      const normal = normalizeUri(uri);
      const found = normal === undefined ? undefined : matchTemplate(parts, normal);
      if (found === undefined || !found.every(([, value]) => isContained(value))) return undefined;
      return Object.fromEntries(found) as TemplateVariables<T>;
    },
  };
}

/**
 * Says whether a value is safe as a path below a directory: no `..` segment, no NUL, not absolute, no backslash and no drive
 * letter. What a template's `match` gives is free of `..` and NUL, but may be absolute.
 *
 * @param value The value, decoded.
 * @returns Whether it is safe to join to a directory.
 */
export function isSafePathValue(value: string): boolean {
  return typeof value === "string" && isContained(value) && !value.startsWith("/") && !value.includes("\\") &&
    !/^[A-Za-z]:/.test(value);
}

/**
 * Says whether two templates match the same URIs, where it can be told: their fixed text is the same and the same kinds of
 * variables stand between it, whatever their names and their query variables.
 *
 * @param a A template.
 * @param b Another one.
 * @returns Whether they certainly overlap.
 */
export function overlaps(a: UriTemplate, b: UriTemplate): boolean {
  return skeleton(parseTemplate(a.template)) === skeleton(parseTemplate(b.template));
}

/** Screens a decoded value: no segment of it leads upwards, and it has no NUL. */
function isContained(value: string): boolean {
  return !value.includes("\0") && !value.split(/[/\\]/).includes("..");
}

function expand(template: string, parts: TemplateParts, variables: { readonly [name: string]: unknown }): string {
  const fail = (fault: string): never => {
    throw new TypeError(`Expanding the URI template "${template}": ${fault}`);
  };
  const read = (name: string): string | undefined => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined && optionalNames(parts).has(name)) return undefined;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
      return fail(`Expected a string for the variable "${name}"`);
    }
    return String(value);
  };
  const encode = (name: string, value: string, reserved: boolean): string =>
    encodeValue(value, reserved) ?? fail(`Expected text that is valid Unicode for the variable "${name}"`);
  let uri = "";
  for (const part of parts.path) {
    uri += part.kind === "literal" ? part.text : encode(part.name, read(part.name) as string, part.kind === "reserved");
  }
  let gap: string | undefined;
  for (const { name, rest } of parts.segments) {
    const value = read(name);
    if (value === undefined) gap ??= name;
    else if (gap !== undefined) fail(`Expected the variable "${gap}", which stands before "${name}"`);
    else uri += (rest ? value.split("/") : [value]).map((segment) => `/${encode(name, segment, false)}`).join("");
  }
  let separator = parts.fixedQuery ? "&" : "?";
  for (const name of parts.query) {
    const value = read(name);
    if (value === undefined) continue;
    uri += `${separator}${name}=${encode(name, value, false)}`;
    separator = "&";
  }
  const fragment = parts.fragment === undefined ? undefined : read(parts.fragment);
  if (fragment !== undefined) uri += `#${encode(parts.fragment as string, fragment, true)}`;
  return uri.length > TEMPLATE_LIMITS.uriLength ? fail(`The URI is longer than ${TEMPLATE_LIMITS.uriLength} characters`) : uri;
}
