/** Walks the pages of a list that a stranger makes up: bounded in pages, items, characters and time. */
import { TransportError } from "../../protocol/errors.ts";
import { SKILL_CLIENT_LIMITS } from "../../protocol/limits.ts";
import type { RequestOptions } from "../options.ts";
import { walkPages } from "../walk_pages.ts";
import { shownUri } from "./shown_uri.ts";
import { SkillError } from "./skill_error.ts";

/** What a walk needs. */
export interface WalkOptions {
  /** The method, for errors. */
  readonly method: string;
  /** The label of the server, for errors. */
  readonly server: string;
  /** Items at most. */
  readonly most: number;
  /** Options of the whole walk: `totalTimeout` is for all pages together. */
  readonly options: RequestOptions;
}

/** One page of it. */
export interface WalkedPage<T> {
  /** What the walk gives. */
  readonly items: readonly T[];
  /** What counts against its bounds. */
  readonly counted: readonly unknown[];
  /** The next page. */
  readonly nextCursor: string | undefined;
}

/** One walk. */
export class Walk {
  readonly #options: WalkOptions;
  #items = 0;
  #length = 0;

  /** Has asked nothing yet. */
  constructor(options: WalkOptions) {
    this.#options = options;
  }

  /**
   * Collects every page.
   *
   * @throws {SkillError} "limit" for too many items or too much of them.
   * @throws {TransportError} "not_mcp" for a cursor that comes again, "limit" for too many pages, "timeout".
   */
  run<T>(ask: (cursor: string | undefined, options: RequestOptions) => Promise<WalkedPage<T>>): Promise<readonly T[]> {
    const { method, options } = this.#options;
    const end = performance.now() + (options.totalTimeout ?? SKILL_CLIENT_LIMITS.walk);
    return walkPages({
      method,
      pages: SKILL_CLIENT_LIMITS.pages,
      ask: async (cursor) => {
        const left = end - performance.now();
        if (cursor !== undefined && left <= 0) throw new TransportError("timeout", `Walking ${method}: the total time is over`);
        const page = await ask(
          cursor,
          cursor === undefined || options.totalTimeout === undefined ? options : {
            ...options,
            totalTimeout: left,
          },
        );
        this.#count(page.counted);
        return page;
      },
    });
  }

  #count(items: readonly unknown[]): void {
    const { method, server, most } = this.#options;
    const { listed } = SKILL_CLIENT_LIMITS;
    this.#items += items.length;
    this.#length += JSON.stringify(items).length;
    const passed = this.#items > most ? `${most} items` : this.#length > listed ? `${listed} characters` : undefined;
    if (passed === undefined) return;
    throw new SkillError("limit", `Walking ${method} of ${shownUri(server)}: there are more than ${passed}`, { server });
  }
}
