/** Pages of a list: written once per dialect when the server is defined, or one at a time for one request. */
import type { Dialect, ResultFrame } from "../../protocol/dialect.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import { ownMember } from "../../protocol/json.ts";
import { prepareResult } from "../../protocol/json_rpc.ts";
import { catalogueDigest, pageCursor, readCursor, slicePage } from "../../protocol/pagination.ts";
import type { CacheHint, JsonObject } from "../../protocol/types.ts";

/** What the pages of one list are made of. */
export interface ListFacts {
  /** The method that lists. */
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly member: string;
  /** What is listed, for the dialect. */
  readonly kind: "tool" | "resource" | "template" | "prompt";
  /** The definitions. */
  readonly definitions: readonly JsonObject[];
  /** Names or URIs, to which the cursors are bound. */
  readonly names: readonly string[];
  /** Items on one page. */
  readonly pageSize: number;
}

/** How the pages of one list are written for one dialect. */
export interface Writing {
  /** Writes for it. */
  readonly dialect: Dialect;
  /** What the dialect adds to every result. */
  readonly frame: ResultFrame;
  /** How long, and for whom, a page may be kept. */
  readonly cache: CacheHint | undefined;
}

/** Cuts a list into pages, as the newest revision has them. */
export function cutPages({ method, member, definitions, names, pageSize }: ListFacts): readonly JsonObject[] {
  return slicePage(definitions, pageSize, catalogueDigest(method, names, pageSize)).map(({ items, nextCursor }) => ({
    [member]: items,
    ...(nextCursor === undefined ? {} : { nextCursor }),
  }));
}

/** Cuts a list into pages and writes each of them as JSON once. */
export function writePages(facts: ListFacts, { dialect, frame, cache }: Writing): readonly JsonObject[] {
  return cutPages(facts).map((page) =>
    prepareResult(dialect.writeResult(facts.method, writeDefinitions(page, facts, dialect), frame, cache))
  );
}

/** Writes the definitions on a page as a dialect lists them. */
export function writeDefinitions(
  page: JsonObject,
  { member, kind }: Pick<ListFacts, "member" | "kind">,
  dialect: Dialect,
): JsonObject {
  const items = page[member] as readonly JsonObject[];
  return { ...page, [member]: items.map((definition) => dialect.writeDefinition(kind, definition)) };
}

/** Cuts the one page out of a list that params ask for; throws -32602 for a cursor of another list. */
export function cutPage(facts: Omit<ListFacts, "kind">, params: JsonObject): JsonObject {
  const { method, member, definitions, names, pageSize } = facts;
  const digest = catalogueDigest(method, names, pageSize);
  const start = offsetOf(params, { digest, pageSize, items: names.length });
  const end = start + pageSize;
  return {
    [member]: definitions.slice(start, end),
    ...(end < names.length ? { nextCursor: pageCursor(digest, end) } : {}),
  };
}

/** Which list is asked for a page. */
export interface PagedList {
  /** Binds its cursors to it. */
  readonly digest: string;
  /** Items on one page. */
  readonly pageSize: number;
  /** Items in all. */
  readonly items: number;
}

/** How many items stand before the page that params ask for; throws -32602 for a cursor of another list. */
export function offsetOf(params: JsonObject, { digest, pageSize, items }: PagedList): number {
  const cursor = ownMember(params, "cursor");
  if (cursor === undefined) return 0;
  const offset = typeof cursor === "string" ? readCursor(cursor, digest) : undefined;
  if (offset === undefined || offset >= items || offset % pageSize !== 0) {
    throw ProtocolError.invalidParams("Invalid params: cursor does not belong to this list");
  }
  return offset;
}
