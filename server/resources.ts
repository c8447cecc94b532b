/** Resources: answers `resources/list`, `resources/templates/list` and `resources/read`. */
import type { CallInfo, Context } from "../protocol/context.ts";
import { ProtocolError } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { normalizeUri } from "../protocol/uri_encoding.ts";
import type { CacheHint, JsonObject } from "../protocol/types.ts";
import { contentsFault } from "./results/block_fault.ts";
import { cacheHintFault } from "./components/cache_hint.ts";
import type { CatalogueIndex, Entry } from "./components/catalogue.ts";
import { callInfo, HandlerContext } from "./context.ts";
import type { Core, Exchange, LayeredResult, Method } from "./core.ts";
import { listMethod } from "./lists/list_method.ts";
import { listedEntry } from "./lists/listed_entry.ts";
import type { Listed } from "./lists/list_source.ts";
import { PROGRAM_LISTS } from "./lists/program_lists_on_demand.ts";
import type { Mounted } from "./components/mounted.ts";
import { writeReadResult } from "./results/read_return.ts";
import type { ResourceContext, ResourceOptions, ResourceParts } from "./components/resource.ts";
import { requireScopes } from "./access/require_scopes.ts";
import { isLaterRound, laterRound, runInRounds } from "./input/in_rounds.ts";
import { isVisible } from "./access/is_visible.ts";

/** A resource that answers a URI. */
export interface FoundResource {
  /** The options as they were given. */
  readonly options: ResourceOptions<string>;
  /** What the template read from the URI. */
  readonly variables: { readonly [name: string]: string };
  /** The mounted server that it belongs to. */
  readonly within: Mounted | undefined;
}

/** The methods of resources, for one catalogue. */
export function resourceMethods(core: Omit<Core, "methods">, catalogue: CatalogueIndex): [string, Method][] {
  const listing = catalogue.templates.filter(({ parts }) => parts.options.list !== undefined);
  const resources = listMethod(core, {
    method: "resources/list",
    member: "resources",
    kind: "resource",
    key: "uri",
    hint: "resources",
    places: catalogue.places,
    items: () => [...catalogue.resourcesByUri.values()].filter(({ parts }) => parts.options.listed !== false).map(listedEntry),
    perCaller: listing.some(({ parts }) => parts.options.visible !== undefined),
    more: listing.length === 0 ? undefined : (info) => listConcrete(listing, info),
  });
  const templates = listMethod(core, {
    method: "resources/templates/list",
    member: "resourceTemplates",
    kind: "template",
    key: "uriTemplate",
    hint: "templates",
    places: catalogue.places,
    items: () => catalogue.templates.map(listedEntry),
  });
  return [
    ["resources/list", resources],
    ["resources/templates/list", templates],
    ["resources/read", { runsHandler: true, answer: (exchange) => read(exchange, catalogue), write: writeLayered }],
  ];
}

async function listConcrete(templates: readonly Entry<unknown, ResourceParts>[], info: CallInfo): Promise<readonly Listed[]> {
  return await (PROGRAM_LISTS.loaded ?? await PROGRAM_LISTS.load()).listConcrete(templates, info);
}

async function read(exchange: Exchange, catalogue: CatalogueIndex): Promise<JsonObject> {
  const { params } = exchange.request;
  const uri = ownMember(params, "uri");
  if (typeof uri !== "string") throw ProtocolError.invalidParams("Invalid params: uri must be a string");
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x20\x7f]/.test(uri)) throw ProtocolError.invalidParams("Invalid params: uri holds blanks or control characters");
  const found = findResource(catalogue, uri);
  if (found === undefined || !isVisible(found.options, () => callInfo(exchange))) throw ProtocolError.resourceNotFound(uri);
  requireScopes(exchange, found.options);
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

/** Says which resources a caller may know of; a URI that no resource answers is nobody's secret. */
export function resourceVisibility(catalogue: CatalogueIndex): (uri: string, exchange: Exchange) => boolean {
  return (uri, exchange) => {
    const found = findResource(catalogue, uri);
    return found === undefined || isVisible(found.options, () => callInfo(exchange));
  };
}

/**
 * An exact URI first, then templates in the order of their definition. A template, which matches every way to write a URI, must not
 * lead around what is asked of the callers of an exact one: written in another way than its own, that is nobody's.
 */
export function findResource(catalogue: CatalogueIndex, uri: string): FoundResource | undefined {
  const { resourcesByUri, exactForms } = catalogue;
  const exact = resourcesByUri.get(uri);
  if (exact !== undefined) return { options: exact.parts.options, variables: {}, within: exact.parts.within };
  if (exactForms.size > 0 && exactForms.has(normalizeUri(uri) ?? "")) return undefined;
  for (const { parts } of catalogue.templates) {
    const variables = parts.template === undefined ? matchesByHand(parts, uri) : parts.template.match(uri);
    if (variables !== undefined) {
      return { options: parts.options, variables: variables as FoundResource["variables"], within: parts.within };
    }
  }
  return undefined;
}

function matchesByHand(parts: ResourceParts, uri: string): { readonly [name: string]: string } | undefined {
  const matched = parts.options.matches?.(uri) ?? false;
  if (matched === false) return undefined;
  return matched === true ? {} : matched;
}

/** Writes a result that came through middleware. */
function writeLayered(exchange: Exchange, result: JsonObject, { changed, cacheScope }: LayeredResult): JsonObject {
  const { contents } = result;
  if (changed) {
    const path = "use: What a middleware gave for resources/read";
    if (!Array.isArray(contents)) throw new TypeError(`${path}: Expected contents to be a list`);
    contents.forEach((item, at) => {
      const wrong = isJsonObject(item)
        ? contentsFault(item, `${path}: contents[${at}]`)
        : `${path}: contents[${at}]: Expected contents`;
      if (wrong !== undefined) throw new TypeError(wrong);
    });
  }
  return exchange.write(result, { cacheScope });
}

/** The result's own hint wins over the resource's, and that over the server's; what only some callers see is private. */
function cacheHint(exchange: Exchange, options: ResourceOptions<string>): CacheHint {
  const general = exchange.core.options.cache?.read;
  const hint: CacheHint = {
    ttlMs: options.ttlMs ?? general?.ttlMs,
    cacheScope: options.visible === undefined && options.scopes === undefined
      ? options.cacheScope ?? general?.cacheScope
      : "private",
  };
  const fault = cacheHintFault(hint);
  if (fault !== undefined) throw new TypeError(fault);
  return hint;
}

function withUri(context: Context, uri: string): ResourceContext {
  return Object.defineProperty(context, "uri", { value: uri, enumerable: true }) as ResourceContext;
}
