/** Walks the pages of a list. */
import { TransportError } from "../protocol/errors.ts";
import type { Page } from "./client_types.ts";

/** What a walk needs. */
export interface WalkOptions<T> {
  /** The method, for errors. */
  readonly method: string;
  /** Pages at most. */
  readonly pages: number;
  /** Characters of all items at most, as JSON; they are counted where there is more than one page. No bound when absent. */
  readonly length?: number;
  /** Asks for one page. */
  readonly ask: (cursor: string | undefined) => Promise<Page<T>>;
}

/**
 * Collects every page. Cursors are opaque, and the empty string is one (MCP 2026-07-28, Pagination); a list ends with the page
 * that names no next one.
 *
 * @throws {TransportError} "not_mcp" when a cursor comes a second time, "limit" when there are more pages, or longer ones, than allowed.
 */
export async function walkPages<T>({ method, pages, length = Infinity, ask }: WalkOptions<T>): Promise<readonly T[]> {
  const first = await ask(undefined);
  if (first.nextCursor === undefined) return first.items;
  const items: T[] = [...first.items];
  const seen = new Set<string>();
  let held = 0;
  const count = (more: readonly T[]): void => {
    if (length === Infinity || (held += JSON.stringify(more).length) <= length) return;
    const data = { limit: "listLength", value: length, seen: held };
    throw new TransportError("limit", `Walking ${method}: its items have more than ${length} characters (limit listLength)`, {
      data,
    });
  };
  count(items);
  for (let cursor: string | undefined = first.nextCursor; cursor !== undefined;) {
    if (seen.has(cursor)) throw new TransportError("not_mcp", `Walking ${method}: the server named an earlier page as the next`);
    seen.add(cursor);
    if (seen.size >= pages) {
      const data = { limit: "pages", value: pages, seen: seen.size + 1 };
      throw new TransportError("limit", `Walking ${method}: there are more than ${pages} pages (limit pages)`, { data });
    }
    const page: Page<T> = await ask(cursor);
    count(page.items);
    for (const item of page.items) items.push(item);
    cursor = page.nextCursor;
  }
  return items;
}
