/** The tools that one server listed, kept for a while. */
import { APP_LIMITS } from "../../protocol/limits.ts";
import type { Tool } from "../../protocol/types.ts";
import type { RequestOptions } from "../options.ts";
import { untilAborted } from "../waits/until_aborted.ts";

/** Lists the tools of one connection. */
export type ListTools = (options: RequestOptions) => Promise<readonly Tool[]>;

/** Finds tools by their name. */
export class ListedTools {
  readonly #list: ListTools;
  #tools: ReadonlyMap<string, Tool> = new Map();
  #listedAt = -Infinity;
  #listing: Promise<ReadonlyMap<string, Tool>> | undefined;

  /** Lists nothing yet. */
  constructor(list: ListTools) {
    this.#list = list;
  }

  /**
   * The tool of that name as the server lists it; undefined when it lists none. Listed anew when that is some time ago, and soon
   * for a name that is not there. Whoever asks meanwhile waits for the same list.
   */
  async find(name: string, { signal }: Pick<RequestOptions, "signal">): Promise<Tool | undefined> {
    const age = performance.now() - this.#listedAt;
    const known = this.#tools.get(name);
    if (age < (known === undefined ? APP_LIMITS.unknownToolsAge : APP_LIMITS.toolsAge)) return known;
    return (await untilAborted(this.#listing ?? this.#begin(), signal)).get(name);
  }

  /** The list has changed, also one that is on its way. */
  forget(): void {
    this.#listing = undefined;
    this.#listedAt = -Infinity;
  }

  #begin(): Promise<ReadonlyMap<string, Tool>> {
    const listing = this.#list({}).then(byName);
    const end = (tools: ReadonlyMap<string, Tool> | undefined): void => {
      if (this.#listing !== listing) return;
      this.#listing = undefined;
      if (tools === undefined) return;
      this.#tools = tools;
      this.#listedAt = performance.now();
    };
    listing.then(end, () => end(undefined));
    this.#listing = listing;
    return listing;
  }
}

/** Of two tools with one name nobody can say which one is called. */
function byName(listed: readonly Tool[]): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  const twice = new Set<string>();
  for (const tool of listed) tools.has(tool.name) ? twice.add(tool.name) : tools.set(tool.name, tool);
  for (const name of twice) tools.delete(name);
  return tools;
}
