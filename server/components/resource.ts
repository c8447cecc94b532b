/** Resources and resource templates: how they are declared. */
import type { CallInfo, Context } from "../../protocol/context.ts";
import { uriTemplate } from "../../protocol/uri_template.ts";
import type { TemplateNames, TemplateVariables, UriTemplate } from "../../protocol/uri_template.ts";
import type { Annotations, Awaitable, CacheHint, JsonObject, Resource, ResourceTemplate } from "../../protocol/types.ts";
import { checkFunction } from "../../protocol/unknown_option.ts";
import { hasScheme } from "./absolute_uri.ts";
import { checkAnnotations } from "./annotations.ts";
import { checkCacheHint } from "./cache_hint.ts";
import { checkComponent, checkNamed, commonMembers, COMPONENT_KEYS } from "./component.ts";
import type { ComponentOptions } from "./component.ts";
import type { Mounted } from "./mounted.ts";
import type { PlainObject } from "./plain_object.ts";

/** Completes one variable or argument. `others` are the values chosen so far. */
export type Complete<Names extends string> = (
  prefix: string,
  others: { readonly [K in Names]?: string },
  info: CallInfo,
) => Awaitable<readonly string[] | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean }>;

/** What a `read` may return: text, bytes, any JSON value, contents written out, or undefined for "not found". */
export type ReadReturn = string | Uint8Array | PlainObject | number | boolean | null | undefined;

/** What a resource's `read` gets beside the variables. */
export interface ResourceContext extends Context {
  /** The URI as it was asked for. */
  readonly uri: string;
}

/** What `resource()` takes. */
export interface ResourceOptions<U extends string> extends ComponentOptions, CacheHint {
  /** Exact URI or RFC 6570 template. */
  readonly uri: U;
  /** For programs. */
  readonly name: string;
  /** The type of what is read. */
  readonly mimeType?: string | undefined;
  /** Bytes, when known. */
  readonly size?: number | undefined;
  /** Is an exact URI in `resources/list`? It is read either way; true when absent. */
  readonly listed?: boolean | undefined;
  /** Who should see it, and how much it matters. */
  readonly annotations?: Annotations | undefined;
  /** Completion per variable. */
  readonly complete?: { readonly [K in TemplateNames<U>]?: Complete<TemplateNames<U>> } | undefined;
  /** Concrete resources of a template, for `resources/list`. */
  readonly list?: ((info: CallInfo) => Awaitable<readonly Resource[]>) | undefined;
  /** Matches URIs by hand, for templates whose shape the matcher refuses. */
  readonly matches?: ((uri: string) => boolean | { readonly [name: string]: string }) | undefined;
  /** Reads it. `variables` are decoded once; `undefined` means "no such resource". */
  readonly read: (variables: TemplateVariables<U>, ctx: ResourceContext) => Awaitable<ReadReturn>;
}

/** A defined resource or template. */
export interface ServerResource<U extends string = string> {
  /** Tells resources from other components. */
  readonly kind: "resource";
  /** The URI or template. */
  readonly uri: U;
  /** The definition as the newest revision lists it. */
  readonly definition: Resource | ResourceTemplate;
}

/** What a server needs of a resource to answer reads. */
export interface ResourceParts {
  /** The parsed template; undefined for an exact URI. */
  readonly template: UriTemplate | undefined;
  /** The options as they were given. */
  readonly options: ResourceOptions<string>;
  /** The mounted server that it belongs to. */
  readonly within?: Mounted | undefined;
}

const PARTS: unique symbol = Symbol("parts of a resource");

/** The parts of a defined resource; undefined when the value was not made by {@linkcode resource}. */
export function resourceParts(value: unknown): ResourceParts | undefined {
  return (value as { readonly [PARTS]?: ResourceParts } | null | undefined)?.[PARTS];
}

/**
 * Defines a resource: an exact URI, or every URI of an RFC 6570 template.
 *
 * @example A template with completion
 * ```ts
 * import { resource } from "@causeway/mcp/server";
 *
 * const info = resource({
 *   uri: "npm://{name}/info",
 *   name: "package_info",
 *   complete: { name: (prefix) => ["ajv", "zod"].filter((name) => name.startsWith(prefix)) },
 *   read: ({ name }) => ({ name }),
 * });
 * ```
 *
 * @param options URI, name and `read`.
 * @returns The resource, for `defineServer({ resources: [...] })`.
 * @throws {TypeError} When the URI, the template or an option is wrong; the message begins with the path.
 */
export function resource<const U extends string>(options: ResourceOptions<U>): ServerResource<U> {
  checkNamed(options, "resource");
  const uri = options.uri as string;
  const path = `resources.${options.name === "" ? uri : options.name}`;
  checkComponent(options, KNOWN, path);
  if (options.name === "") throw new TypeError(`${path}.name: Expected a non-empty string`);
  checkFunction(options.read, `${path}.read`);
  checkUri(uri, path);
  checkAnnotations(options.annotations, path);
  if (options.mimeType !== undefined && typeof options.mimeType !== "string") {
    throw new TypeError(`${path}.mimeType: Expected a string`);
  }
  if (options.size !== undefined && !(Number.isSafeInteger(options.size) && options.size >= 0)) {
    throw new TypeError(`${path}.size: Expected an integer of at least 0 bytes`);
  }
  checkCacheHint(options, path);
  const template = uri.includes("{") && options.matches === undefined ? parseTemplate(uri, path) : undefined;
  const isTemplate = uri.includes("{");
  for (const key of ["list", "matches", "complete"] as const) {
    const value = options[key];
    if (value === undefined) continue;
    if (!isTemplate) throw new TypeError(`${path}.${key}: Expected only beside a template`);
    if (key !== "complete") checkFunction(value, `${path}.${key}`);
  }
  if (options.listed !== undefined && (isTemplate || typeof options.listed !== "boolean")) {
    throw new TypeError(`${path}.listed: Expected true or false, beside an exact URI`);
  }
  checkCompletions(options.complete, template, path);
  const definition: JsonObject = {
    ...(isTemplate ? { uriTemplate: uri } : { uri }),
    name: options.name,
    ...commonMembers(options),
    ...(options.mimeType === undefined ? {} : { mimeType: options.mimeType }),
    ...(options.size === undefined || isTemplate ? {} : { size: options.size }),
    ...(options.annotations === undefined ? {} : { annotations: options.annotations as JsonObject }),
    ...(options.meta === undefined ? {} : { _meta: options.meta }),
  };
  const parts: ResourceParts = { template, options: options as unknown as ResourceOptions<string> };
  const value = { kind: "resource" as const, uri: options.uri, definition: definition as unknown as Resource | ResourceTemplate };
  return Object.freeze(Object.defineProperty(value, PARTS, { value: parts }));
}

/** The same resource, as part of a mounted server. */
export function moveResource(
  resource: ServerResource,
  move: (before: Mounted | undefined) => Mounted | undefined,
): ServerResource {
  const parts = resourceParts(resource) as ResourceParts;
  const moved: ResourceParts = { ...parts, within: move(parts.within) };
  return Object.freeze(Object.defineProperty({ ...resource }, PARTS, { value: moved }));
}

const KNOWN: ReadonlySet<string> = new Set([
  ...COMPONENT_KEYS,
  "uri",
  "name",
  "mimeType",
  "size",
  "listed",
  "annotations",
  "complete",
  "list",
  "matches",
  "read",
  "ttlMs",
  "cacheScope",
]);

/** RFC 3986 § 2 and § 3.1: a scheme, a colon, and only characters that a URI may have; those of a template are encoded later. */
function checkUri(uri: unknown, path: string): void {
  if (typeof uri !== "string") throw new TypeError(`${path}.uri: Expected a string`);
  if (!hasScheme(uri)) {
    throw new TypeError(`${path}.uri: Expected a URI that begins with a scheme (RFC 3986 § 3.1)`);
  }
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x20\x7f]/.test(uri)) throw new TypeError(`${path}.uri: Expected no blanks or control characters`);
  if (!uri.includes("{") && !/^(?:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/.test(uri)) {
    throw new TypeError(`${path}.uri: Expected only characters that a URI may have, others percent-encoded (RFC 3986 § 2)`);
  }
}

function parseTemplate(uri: string, path: string): UriTemplate {
  try {
    return uriTemplate(uri);
  } catch (error) {
    throw new TypeError(`${path}.uri: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function checkCompletions(complete: object | undefined, template: UriTemplate | undefined, path: string): void {
  for (const [name, value] of Object.entries(complete ?? {})) {
    checkFunction(value, `${path}.complete.${name}`);
    if (template !== undefined && !template.names.includes(name)) {
      throw new TypeError(
        `${path}.complete.${name}: Expected a variable of the template, which has ${template.names.join(", ") || "none"}`,
      );
    }
  }
}
