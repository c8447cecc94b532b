/** The four list methods: prepared pages, or one page written for one request where the list depends on it. */
import type { Dialect, ResultFrame } from "../../protocol/dialect.ts";
import { catalogueDigest } from "../../protocol/pagination.ts";
import type { CacheHint, JsonObject } from "../../protocol/types.ts";
import { frozenCopy } from "../../protocol/frozen_copy.ts";
import type { Core, Exchange, Method } from "../core.ts";
import { callInfo } from "../context.ts";
import { layersFor } from "../middleware/middleware.ts";
import { oncePerDialect } from "../once_per_dialect.ts";
import { isVisible } from "../access/is_visible.ts";
import type { Listed, ListSource } from "./list_source.ts";
import { readItems, throughMounts } from "./mounted_lists.ts";
import { cutPage, cutPages, offsetOf, writeDefinitions, writePages } from "./pages.ts";
import type { ListFacts, PagedList } from "./pages.ts";

/** What both kinds of list method are made from. */
interface ListParts {
  readonly core: Omit<Core, "methods">;
  readonly source: ListSource;
  readonly items: readonly Listed[];
  readonly cache: CacheHint;
  readonly pageSize: number;
  /** Is there middleware of a mounted server in it? */
  readonly mounted: boolean;
  /** Is there middleware around it, or in it? */
  readonly layered: boolean;
}

/**
 * Makes a list method for one catalogue. Its pages are written now, once per dialect, unless they depend on the caller; for a dialect
 * that is not loaded yet when it is first spoken.
 */
export function listMethod(core: Omit<Core, "methods">, source: ListSource): Method {
  const { method } = source;
  const mounted = source.places.some(({ use }) => layersFor(use, method).length > 0);
  const layered = mounted || layersFor(core.options.use, method).length > 0;
  const found = source.items();
  // Middleware gets definitions in hand that other requests are answered with, too.
  const items = layered ? found.map((item) => ({ ...item, definition: frozenCopy(item.definition) })) : found;
  const given: CacheHint = core.options.cache?.[source.hint] ?? {};
  const perCaller = mounted || source.perCaller === true || items.some((item) => item.visible !== undefined);
  const cache: CacheHint = perCaller ? { ...given, cacheScope: "private" } : given;
  const pageSize = core.options.pageSize ?? core.limits.pageSize;
  const parts: ListParts = { core, source, items, cache, pageSize, mounted, layered };
  return perCaller || source.more !== undefined ? listPerCaller(parts) : listPrepared(parts);
}

function listPrepared({ core, source, items, cache, pageSize, layered }: ListParts): Method {
  const names = items.map(({ key }) => key);
  const facts: ListFacts = { ...source, names, pageSize, definitions: items.map(({ definition }) => definition) };
  const list: PagedList = { digest: catalogueDigest(source.method, names, pageSize), pageSize, items: names.length };
  const prepared = oncePerDialect((dialect) => {
    const frame = core.frames.get(dialect) as ResultFrame;
    return writePages(facts, { dialect, frame, cache });
  });
  for (const dialect of core.dialects) if (dialect.load === undefined) prepared(dialect);
  const pageOf = (dialect: Dialect, index: number): JsonObject => prepared(dialect)[index] as JsonObject;
  const method: Method = {
    runsHandler: false,
    answer: ({ dialect, request: { params } }) =>
      pageOf(dialect, Object.hasOwn(params, "cursor") ? offsetOf(params, list) / pageSize : 0),
  };
  if (!layered) return method;
  const plain = cutPages(facts).map((page) => {
    Object.freeze(page[source.member]);
    return Object.freeze({ resultType: "complete", ...(cache.ttlMs === undefined ? {} : { ttlMs: cache.ttlMs }), ...page });
  });
  return {
    runsHandler: false,
    answer: (exchange) =>
      exchange.layered ? plain[offsetOf(exchange.request.params, list) / pageSize] as JsonObject : method.answer(exchange),
    write(exchange, result, facts): JsonObject {
      const at = facts.changed ? -1 : plain.indexOf(result as typeof plain[number]);
      return at < 0 ? writeLayered(exchange, source, result, facts) : pageOf(exchange.dialect, at);
    },
  };
}

function listPerCaller({ source, items, cache, pageSize, mounted }: ListParts): Method {
  const { method, member, more } = source;
  return {
    runsHandler: more !== undefined || mounted,
    async answer(exchange): Promise<JsonObject> {
      const info = callInfo(exchange);
      const shown = items.filter((item) => isVisible(item, () => info));
      const all = more === undefined ? shown : [...shown, ...await more(info)];
      const listed = mounted ? await throughMounts(exchange, source, all) : all;
      const names = listed.map(({ key }) => key);
      const definitions = listed.map(({ definition }) => definition);
      const page = cutPage({ method, member, definitions, names, pageSize }, exchange.request.params);
      return exchange.write(exchange.layered ? page : writeDefinitions(page, source, exchange.dialect), cache);
    },
    write: (exchange, result, facts) => writeLayered(exchange, source, result, facts),
  };
}

function writeLayered(
  exchange: Exchange,
  source: ListSource,
  result: JsonObject,
  { changed, cacheScope }: { readonly changed: boolean; readonly cacheScope: CacheHint["cacheScope"] },
): JsonObject {
  if (changed) readItems(source, result);
  return exchange.write(writeDefinitions(result, source, exchange.dialect), { cacheScope });
}
