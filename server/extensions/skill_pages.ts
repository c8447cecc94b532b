/** Pages of skills and of directories, and the cursors that lead from one to the next. */
import { ProtocolError } from "../../protocol/errors.ts";
import { SKILL_LIMITS } from "../../protocol/limits.ts";
import { catalogueDigest, pageCursor, readCursor } from "../../protocol/pagination.ts";

/** One page of a list. */
export interface SkillPage<T> {
  /** Its items. */
  readonly items: readonly T[];
  /** Asks for the next one; absent on the last. */
  readonly nextCursor?: string | undefined;
}

/** What is cut into pages. */
export interface PagedItems<T> {
  /** What the list is called, which its cursors are bound to. */
  readonly kind: string;
  /** The items, in order. */
  readonly items: readonly T[];
  /** The URI of an item. */
  readonly uriOf: (item: T) => string;
  /** Items on one page at most. */
  readonly pageSize: number;
}

/**
 * Cuts a list into pages, which are bounded in characters too: an item alone is never cut, however long it is. An empty list is
 * one empty page.
 *
 * @returns Finds the page of a cursor.
 */
export function pagesOf<T>({ kind, items, uriOf, pageSize }: PagedItems<T>): (cursor: string | undefined) => SkillPage<T> {
  const digest = catalogueDigest(kind, items.map(uriOf), pageSize);
  const starts = startsOf(items, pageSize);
  const pages = new Map(starts.map((start, at): [number, SkillPage<T>] => {
    const next = starts[at + 1];
    const page = { items: items.slice(start, next) };
    return [start, next === undefined ? page : { ...page, nextCursor: pageCursor(digest, next) }];
  }));
  return (cursor) => {
    const start = cursor === undefined ? 0 : readCursor(cursor, digest);
    const page = start === undefined ? undefined : pages.get(start);
    if (page === undefined) throw ProtocolError.invalidParams("Invalid params: cursor does not belong to this list");
    return page;
  };
}

function startsOf(items: readonly unknown[], pageSize: number): readonly number[] {
  const starts = [0];
  let [count, length] = [0, 0];
  for (const [at, item] of items.entries()) {
    const own = JSON.stringify(item).length;
    if (count > 0 && (count >= pageSize || length + own > SKILL_LIMITS.pageLength)) {
      starts.push(at);
      [count, length] = [0, 0];
    }
    count++;
    length += own;
  }
  return starts;
}
