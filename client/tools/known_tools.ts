/** The tools that a server listed: which arguments travel in headers, and how results are checked. */
import { TransportError } from "../../protocol/errors.ts";
import { mirroredParams } from "../../protocol/headers.ts";
import type { MirroredParam } from "../../protocol/headers.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { JsonObject, JsonValue, Tool } from "../../protocol/types.ts";
import { CompiledSchemas } from "./compiled_schemas.ts";
import type { OutputCheck } from "./output_check.ts";

/** What is known about one tool. */
export interface KnownTool {
  /** Its name. */
  readonly name: string;
  /** Arguments that travel in headers too. */
  readonly mirrored: readonly MirroredParam[];
  /** Why the tool can't be called over HTTP, as the end of a sentence. */
  readonly fault: string | undefined;
  /** How its results are checked; undefined without an output schema. */
  readonly output: OutputCheck | undefined;
}

/** Options of {@linkcode KnownTools}. */
export interface KnownToolsOptions {
  /** Do arguments travel in headers too, so that the rules for `x-mcp-header` hold? */
  readonly mirrors: () => boolean;
  /** Tools that are kept; the oldest go first. */
  readonly capacity: number;
  /** Told of tools that are left out. */
  readonly report: (error: unknown) => void;
}

/** Remembers listed tools by name, and definitions by their object. */
export class KnownTools {
  readonly #options: KnownToolsOptions;
  readonly #byName = new Map<string, KnownTool>();
  readonly #byDefinition = new WeakMap<Tool, KnownTool>();
  readonly #schemas = new CompiledSchemas();

  /** Knows nothing yet. */
  constructor(options: KnownToolsOptions) {
    this.#options = options;
  }

  /**
   * Remembers a listing. Over HTTP, tools whose `x-mcp-header` annotations break the rules are left out, with a warning
   * (MCP 2026-07-28, Streamable HTTP § Schema Extension).
   *
   * @param tools What was listed.
   * @param complete The listing holds every tool, so that all others are forgotten.
   * @returns The tools that can be called.
   */
  remember(tools: readonly Tool[], complete: boolean): readonly Tool[] {
    const before = new Map(this.#byName);
    if (complete) this.#byName.clear();
    const kept = tools.filter((tool) => {
      const old = before.get(tool.name);
      const known = this.#read(tool);
      this.#byDefinition.set(tool, known);
      this.#keep(known);
      if (known.fault === undefined) return true;
      if (old?.fault !== known.fault) {
        const text = `Listing tools: ${quoted(tool.name)} is left out: ${known.fault}`;
        this.#options.report(new TransportError("not_mcp", text));
      }
      return false;
    });
    return kept.length === tools.length ? tools : kept;
  }

  /** What is known about a tool by its name, or by a definition, listed or written by hand. */
  find(tool: string | Tool): KnownTool | undefined {
    if (typeof tool === "string") return this.#byName.get(tool);
    let known = this.#byDefinition.get(tool);
    if (known === undefined) this.#byDefinition.set(tool, known = this.#read(tool));
    return known;
  }

  #read(tool: Tool): KnownTool {
    const mirrored = mirroredParams(tool.inputSchema);
    const { name, outputSchema: schema } = tool;
    const fault = mirrored.ok || !this.#options.mirrors() ? undefined : `${at(mirrored.path)}${mirrored.fault}`;
    // Whatever else stands there is meant as a schema, even if it is broken.
    const output = schema == null ? undefined : { schema, schemas: this.#schemas, compiled: undefined };
    return { name, mirrored: mirrored.ok ? mirrored.params : [], fault, output };
  }

  #keep(known: KnownTool): void {
    // Set anew, so that the order is that of the last listing.
    this.#byName.delete(known.name);
    this.#byName.set(known.name, known);
    if (this.#byName.size <= this.#options.capacity) return;
    for (const oldest of this.#byName.keys()) {
      this.#byName.delete(oldest);
      break;
    }
  }
}

/**
 * Finds an argument that can't travel in a header: a number outside the range in which JavaScript is exact
 * (MCP 2026-07-28, Streamable HTTP § Schema Extension).
 *
 * @returns The argument's path, or undefined.
 */
export function inexactArgument(mirrored: readonly MirroredParam[], args: JsonObject | undefined): string | undefined {
  const inexact = mirrored.find(({ path }) => {
    let value: JsonValue | undefined = args;
    for (const key of path) value = isJsonObject(value) ? ownMember(value, key) : undefined;
    return typeof value === "number" && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
  });
  return inexact?.path.join(".");
}

function at(path: string): string {
  return path === "" ? "" : `inputSchema${path}: `;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
