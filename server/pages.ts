/** Pages of a list, written once per dialect when the server is defined. */
import type { Dialect, ResultFrame } from "../protocol/dialect.ts";
import { ProtocolError } from "../protocol/errors.ts";
import { ownMember } from "../protocol/json.ts";
import { prepareResult } from "../protocol/json_rpc.ts";
import { catalogueDigest, readCursor, slicePage } from "../protocol/pagination.ts";
import type { CacheHint, JsonObject } from "../protocol/types.ts";

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
  /** How long, and for whom, a page may be kept. */
  readonly cache: CacheHint | undefined;
  /** What the dialect adds to every result. */
  readonly frame: ResultFrame;
}

/** The pages of one list in one dialect. */
export interface Pages {
  /** The page that params ask for; throws -32602 for a cursor of another list. */
  page(params: JsonObject): JsonObject;
}

/** Cuts a list into pages and writes each of them as JSON once. */
export function writePages(dialect: Dialect, facts: ListFacts): Pages {
  const digest = catalogueDigest(facts.method, facts.names, facts.pageSize);
  const pages = slicePage(facts.definitions, facts.pageSize, digest).map(({ items, nextCursor }) =>
    prepareResult(dialect.writeResult(
      facts.method,
      {
        [facts.member]: items.map((definition) => dialect.writeDefinition(facts.kind, definition)),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      },
      facts.frame,
      facts.cache,
    ))
  );
  return {
    page(params): JsonObject {
      const cursor = ownMember(params, "cursor");
      if (cursor === undefined) return pages[0] as JsonObject;
      const offset = typeof cursor === "string" ? readCursor(cursor, digest) : undefined;
      const page = offset === undefined ? undefined : pages[offset / facts.pageSize];
      if (page === undefined) throw ProtocolError.invalidParams("Invalid params: cursor does not belong to this list");
      return page;
    },
  };
}
