/** Tools as functions of one object. */
import { ToolError } from "../../protocol/errors.ts";
import { ownMember } from "../../protocol/json.ts";
import type { CallToolResult, JsonObject } from "../../protocol/types.ts";
import { textOf } from "../../protocol/text_of.ts";
import type { CallOptions } from "../options.ts";

/** Calls a tool by its name. */
export type CallByName = (name: string, args: object | undefined, options: CallOptions) => Promise<CallToolResult>;

/** Names that the language asks any object for, when it awaits, prints or compares one: no tool is called for them. */
const ASKED_BY_THE_LANGUAGE: ReadonlySet<unknown> = new Set(["then", "toJSON", "toString", "valueOf"]);

/**
 * Makes the object behind `client.tools`: any name is a function, except those that the language itself asks for (`then`,
 * `toJSON`, `toString`, `valueOf`), so that the object can be awaited and printed. Tools of such names go by `callTool`.
 *
 * @param call Calls a tool.
 * @param cleaned Takes the credentials out of an error before it is thrown.
 * @returns An object whose members resolve with structured content, or the text when there is none, and throw
 * {@linkcode ToolError} for results that report an error.
 */
export function toolFunctions(call: CallByName, cleaned: (error: ToolError) => ToolError): { readonly [name: string]: unknown } {
  return new Proxy(Object.freeze(Object.create(null)), {
    get: (_target, name) => {
      if (typeof name !== "string" || ASKED_BY_THE_LANGUAGE.has(name)) return undefined;
      return async (args?: object, options?: CallOptions): Promise<unknown> =>
        valueOf(name, await call(name, args, { ...options, input: "auto" }), cleaned);
    },
  });
}

function valueOf(name: string, result: CallToolResult, cleaned: (error: ToolError) => ToolError): unknown {
  const structured = ownMember(result as unknown as JsonObject, "structuredContent");
  if (result.isError === true) {
    throw cleaned(new ToolError(textOf(result) || `The tool ${JSON.stringify(name)} reports an error`, { data: structured }));
  }
  return structured === undefined ? textOf(result) : structured;
}
