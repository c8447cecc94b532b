/** The four list methods: prepared pages, or pages written for one request where the list depends on it. */
import type { Dialect, ResultFrame } from "../protocol/dialect.ts";
import type { CallInfo } from "../protocol/context.ts";
import type { CacheHint, JsonObject } from "../protocol/types.ts";
import type { Core, Exchange, Method } from "./core.ts";
import { callInfo } from "./context.ts";
import { writePages } from "./pages.ts";
import type { ListFacts, Pages } from "./pages.ts";

/** One item of a list, and when it is shown. */
export interface Listed {
  /** The name or URI. */
  readonly key: string;
  /** As it is listed. */
  readonly definition: JsonObject;
  /** Is it shown to this caller? Always when absent. */
  readonly visible?: ((info: CallInfo) => boolean) | undefined;
}

/** What a list method is made of. */
export interface ListSource extends Pick<ListFacts, "method" | "member" | "kind"> {
  /** Whose hint in `options.cache` holds. */
  readonly hint: "tools" | "prompts" | "resources" | "templates";
  /** The items that the catalogue holds. */
  readonly items: () => readonly Listed[];
  /** Is it shown in part to some callers, beyond what the items say? Then nobody may share its pages. */
  readonly perCaller?: boolean | undefined;
  /** Items that are found for one request. */
  readonly more?: ((info: CallInfo) => Promise<readonly Listed[]>) | undefined;
}

/** Makes a list method for one catalogue. Its pages are written now, once per dialect, unless they depend on the caller. */
export function listMethod(core: Omit<Core, "methods">, source: ListSource): Method {
  const items = source.items();
  const given: CacheHint = core.options.cache?.[source.hint] ?? {};
  const perCaller = source.perCaller === true || items.some((item) => item.visible !== undefined);
  const cache: CacheHint = perCaller ? { ...given, cacheScope: "private" } : given;
  const write = (dialect: Dialect, listed: readonly Listed[]): Pages =>
    writePages(dialect, {
      method: source.method,
      member: source.member,
      kind: source.kind,
      definitions: listed.map(({ definition }) => definition),
      names: listed.map(({ key }) => key),
      pageSize: core.options.pageSize ?? core.limits.pageSize,
      cache,
      frame: core.frames.get(dialect) as ResultFrame,
    });
  if (!perCaller && source.more === undefined) {
    const prepared = new Map(core.dialects.map((dialect) => [dialect.version, write(dialect, items)]));
    return {
      runsHandler: false,
      answer: ({ dialect, request }) => (prepared.get(dialect.version) as Pages).page(request.params),
    };
  }
  return { runsHandler: source.more !== undefined, answer: (exchange) => listForCaller(exchange, source, items, write) };
}

async function listForCaller(
  exchange: Exchange,
  source: ListSource,
  items: readonly Listed[],
  write: (dialect: Dialect, listed: readonly Listed[]) => Pages,
): Promise<JsonObject> {
  const info = callInfo(exchange);
  const shown = items.filter((item) => item.visible === undefined || item.visible(info));
  const more = source.more === undefined ? [] : await source.more(info);
  return write(exchange.dialect, [...shown, ...more]).page(exchange.request.params);
}
