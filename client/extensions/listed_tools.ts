/** The tools that one server listed, kept for a while. */
import { APP_LIMITS } from "../../protocol/limits.ts";
import type { Tool } from "../../protocol/types.ts";
import type { RequestOptions } from "../options.ts";

/** Lists the tools of one connection. */
export type ListTools = (options: RequestOptions) => Promise<readonly Tool[]>;

/** Finds tools by their name. */
export class ListedTools {
  readonly #list: ListTools;
  #tools: ReadonlyMap<string, Tool> = new Map();
  #listedAt = -Infinity;
  #epoch = 0;

  /** Lists nothing yet. */
  constructor(list: ListTools) {
    this.#list = list;
  }

  /**
   * The tool of that name as the server lists it; undefined when it lists none. Listed anew when that is some time ago, and soon
   * for a name that is not there.
   */
  async find(name: string, options: RequestOptions): Promise<Tool | undefined> {
    const age = performance.now() - this.#listedAt;
    const known = this.#tools.get(name);
    if (age < (known === undefined ? APP_LIMITS.unknownToolsAge : APP_LIMITS.toolsAge)) return known;
    const epoch = this.#epoch;
    const listed = await this.#list(options);
    // Of two tools with one name nobody can say which one is called.
    const tools = new Map<string, Tool>();
    const twice = new Set<string>();
    for (const tool of listed) tools.has(tool.name) ? twice.add(tool.name) : tools.set(tool.name, tool);
    for (const one of twice) tools.delete(one);
    if (epoch === this.#epoch) {
      this.#tools = tools;
      this.#listedAt = performance.now();
    }
    return tools.get(name);
  }

  /** The list has changed. */
  forget(): void {
    this.#epoch++;
    this.#listedAt = -Infinity;
  }
}
