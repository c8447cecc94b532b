/** Resources: answers `resources/list`, `resources/templates/list` and `resources/read`. */
import type { CallInfo, Context } from "../protocol/context.ts";
import { ProtocolError } from "../protocol/errors.ts";
import { ownMember } from "../protocol/json.ts";
import type { CacheHint, JsonObject } from "../protocol/types.ts";
import { cacheHintFault } from "./cache_hint.ts";
import type { Catalogue, Entry } from "./catalogue.ts";
import { callInfo, HandlerContext } from "./context.ts";
import type { Core, Exchange, Method } from "./core.ts";
import { jsonFault } from "./json_safe.ts";
import { listMethod } from "./list_method.ts";
import type { Listed } from "./list_method.ts";
import { writeReadResult } from "./read_return.ts";
import type { ResourceContext, ResourceOptions, ResourceParts } from "./resource.ts";
import { isLaterRound, laterRound, runInRounds } from "./rounds.ts";

type Found = { readonly options: ResourceOptions<string>; readonly variables: { readonly [name: string]: string } };

/** The methods of resources, for one catalogue. */
export function resourceMethods(core: Omit<Core, "methods">, catalogue: Catalogue): [string, Method][] {
  const listing = catalogue.templates.filter(({ parts }) => parts.options.list !== undefined);
  const resources = listMethod(core, {
    method: "resources/list",
    member: "resources",
    kind: "resource",
    hint: "resources",
    items: () => [...catalogue.resourcesByUri.values()].map(listed),
    perCaller: listing.some(({ parts }) => parts.options.visible !== undefined),
    more: listing.length === 0 ? undefined : (info) => listConcrete(listing, info),
  });
  const templates = listMethod(core, {
    method: "resources/templates/list",
    member: "resourceTemplates",
    kind: "template",
    hint: "templates",
    items: () => catalogue.templates.map(listed),
  });
  return [
    ["resources/list", resources],
    ["resources/templates/list", templates],
    ["resources/read", { runsHandler: true, answer: (exchange) => read(exchange, catalogue) }],
  ];
}

function listed({ key, definition, parts }: Entry<unknown, ResourceParts>): Listed {
  return { key, definition: definition as JsonObject, visible: parts.options.visible };
}

async function listConcrete(templates: readonly Entry<unknown, ResourceParts>[], info: CallInfo): Promise<readonly Listed[]> {
  const lists = await Promise.all(templates.map(async ({ key, parts }) => {
    const visible = parts.options.visible?.(info) ?? true;
    const found = visible ? await parts.options.list?.(info) ?? [] : [];
    const fault = jsonFault(found, `resources.${key}.list`);
    if (fault !== undefined) throw new TypeError(fault);
    return found.map((resource) => ({ key: resource.uri, definition: resource as unknown as JsonObject }));
  }));
  return lists.flat();
}

async function read(exchange: Exchange, catalogue: Catalogue): Promise<JsonObject> {
  const { params } = exchange.request;
  const uri = ownMember(params, "uri");
  if (typeof uri !== "string") throw ProtocolError.invalidParams("Invalid params: uri must be a string");
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x20\x7f]/.test(uri)) throw ProtocolError.invalidParams("Invalid params: uri holds blanks or control characters");
  const found = find(catalogue, uri);
  if (found === undefined || found.options.visible?.(callInfo(exchange)) === false) throw ProtocolError.resourceNotFound(uri);
  const context = isLaterRound(exchange) ? await laterRound(exchange) : new HandlerContext(exchange);
  return await runInRounds(
    exchange,
    context,
    (ctx) => found.options.read(found.variables, withUri(ctx, uri)),
    (value) => {
      if (value === undefined) throw ProtocolError.resourceNotFound(uri);
      const result = writeReadResult(value, uri, found.options.mimeType);
      return exchange.write(result, cacheHint(exchange, found.options));
    },
  );
}

/** Tells which resources a caller may know of; URIs that no resource answers are nobody's secret. */
export function resourceVisibility(catalogue: Catalogue): (uri: string, exchange: Exchange) => boolean {
  return (uri, exchange) => find(catalogue, uri)?.options.visible?.(callInfo(exchange)) ?? true;
}

/** An exact URI first, then templates in the order of their definition. */
function find(catalogue: Catalogue, uri: string): Found | undefined {
  const exact = catalogue.resourcesByUri.get(uri);
  if (exact !== undefined) return { options: exact.parts.options, variables: {} };
  for (const { parts } of catalogue.templates) {
    const variables = parts.template === undefined ? matchesByHand(parts, uri) : parts.template.match(uri);
    if (variables !== undefined) return { options: parts.options, variables: variables as { readonly [name: string]: string } };
  }
  return undefined;
}

function matchesByHand(parts: ResourceParts, uri: string): { readonly [name: string]: string } | undefined {
  const matched = parts.options.matches?.(uri) ?? false;
  if (matched === false) return undefined;
  return matched === true ? {} : matched;
}

/** The result's own hint wins over the resource's, and that over the server's; what only some callers see is private. */
function cacheHint(exchange: Exchange, options: ResourceOptions<string>): CacheHint {
  const general = exchange.core.options.cache?.read;
  const hint: CacheHint = {
    ttlMs: options.ttlMs ?? general?.ttlMs,
    cacheScope: options.visible === undefined ? options.cacheScope ?? general?.cacheScope : "private",
  };
  const fault = cacheHintFault(hint);
  if (fault !== undefined) throw new TypeError(fault);
  return hint;
}

function withUri(context: Context, uri: string): ResourceContext {
  return Object.defineProperty(context, "uri", { value: uri, enumerable: true }) as ResourceContext;
}
