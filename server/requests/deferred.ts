/** What a handler may return instead of a result: a value that itself decides how the call goes on. Extensions make it. */
import type { Context } from "../../protocol/context.ts";
import type { ServerExtension } from "../../protocol/extensions/extension_types.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { HandlerContext } from "../context.ts";
import type { Exchange } from "../core.ts";
import type { ToolParts } from "../components/tool.ts";

/** The member that marks it. */
export const DEFERRED: unique symbol = Symbol("goes on by itself");

/** Runs work as the handler of the called tool, in any exchange: what it returns becomes the result that the tool would give. */
export type RunWork = (
  exchange: Exchange,
  context: HandlerContext,
  work: (args: never, ctx: Context) => unknown,
) => JsonObject | Promise<JsonObject>;

/** A value that itself decides how the call goes on. */
export interface Deferred {
  /** What comes now is not a result, as when a handler asks for input. */
  readonly resultType: "input_required";
  /** Answers the call of a tool. */
  [DEFERRED](
    exchange: Exchange,
    context: HandlerContext,
    run: RunWork,
    tool: ToolParts,
  ): Promise<JsonObject>;
}

/** A tool that is called. */
export interface CalledTool {
  /** What it is made of. */
  readonly parts: ToolParts;
}

/** Runs a handler once more, with the answers to what it asked by hand; a tool in any exchange, and with any handler. */
export type RunAgain<T extends CalledTool> = (
  context: HandlerContext,
  exchange: Exchange,
  tool: T,
) => JsonObject | Promise<JsonObject>;

/** An extension that takes part in calls of tools. */
export interface ToolExtension extends ServerExtension {
  /** Gives a tool other parts, such as a handler that is around its own, and none of the options that it reads. */
  readonly tool: (parts: ToolParts) => ToolParts;
}
