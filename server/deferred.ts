/** What a handler may return beside a result: a value that decides itself how the call goes on. Extensions make it. */
import type { Context } from "../protocol/context.ts";
import type { ServedTogether } from "../protocol/extensions/extension_serving.ts";
import type { ServerExtension } from "../protocol/extensions/extension_types.ts";
import type { JsonObject } from "../protocol/types.ts";
import type { HandlerContext } from "./context.ts";
import type { Exchange } from "./core.ts";
import type { ToolParts } from "./tool.ts";

/** The member that marks it. */
export const DEFERRED: unique symbol = Symbol("goes on by itself");

/** Runs work as the handler of the called tool, in any exchange: what it returns becomes the result that the tool would give. */
export type RunWork = (
  exchange: Exchange,
  context: HandlerContext,
  work: (args: never, ctx: Context) => unknown,
) => JsonObject | Promise<JsonObject>;

/** A value that decides itself how the call goes on. */
export interface Deferred {
  /** Answers the call of a tool. */
  [DEFERRED](
    exchange: Exchange,
    context: HandlerContext,
    run: RunWork,
    tool: ToolParts,
  ): Promise<JsonObject>;
}

/** Is it such a value? */
export function isDeferred(value: unknown): value is Deferred {
  return typeof value === "object" && value !== null && DEFERRED in value;
}

/** An extension that takes part in calls of tools. */
export interface ToolExtension extends ServerExtension {
  /** Gives a tool other parts, such as a handler that is around its own. */
  readonly tool: (parts: ToolParts) => ToolParts;
}

/**
 * The parts of a tool as the extensions of its server make them.
 *
 * @param name The name of the tool.
 * @throws {TypeError} For a tool with the option `task` when no extension reads it.
 */
export function extendedTool(name: string, parts: ToolParts, extensions: ServedTogether | undefined): ToolParts {
  const extended = extensions?.tool(parts) ?? parts;
  if (parts.task !== undefined && extended === parts) {
    throw new TypeError(`tools.${name}.task: Expected tasks() of @causeway/mcp/server/tasks among the extensions of the server`);
  }
  return extended;
}
