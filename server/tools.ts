/** Tools: answers `tools/list` and `tools/call`. */
import type { Dialect } from "../protocol/dialect.ts";
import { ERROR_CODES, isMcpError, ProtocolError } from "../protocol/errors.ts";
import { paramHeaderFault } from "../protocol/headers.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import type { JsonObject, JsonValue, Tool } from "../protocol/types.ts";
import { shown } from "../protocol/shown.ts";
import { argumentChecker } from "./argument_checker.ts";
import type { ArgumentChecker } from "./argument_checker.ts";
import { isInputRequired } from "./ask.ts";
import type { Catalogue, Entry } from "./catalogue.ts";
import { callInfo, HandlerContext } from "./context.ts";
import type { Core, Exchange, Method } from "./core.ts";
import { jsonFault } from "./json_safe.ts";
import { listMethod } from "./list_method.ts";
import { askForInput, isLaterRound, laterRound, suspended } from "./rounds.ts";
import type { ToolParts } from "./tool.ts";
import { errorResult, readToolReturn, writeToolResult } from "./tool_return.ts";
import type { ToolResultParts } from "./tool_return.ts";

/** A tool with its checks. */
interface Callable extends Entry<Tool, ToolParts> {
  readonly args: ArgumentChecker;
  readonly output: ArgumentChecker | undefined;
}

/** The methods of tools, for one catalogue. */
export function toolMethods(core: Omit<Core, "methods">, catalogue: Catalogue): [string, Method][] {
  const callables = new Map<string, Callable>();
  for (const [name, entry] of catalogue.toolsByName) {
    callables.set(name, {
      ...entry,
      args: argumentChecker(entry.parts.input, core.validator),
      output: entry.parts.output === undefined
        ? undefined
        : argumentChecker(entry.parts.output, core.validator, "structured content"),
    });
  }
  const list = listMethod(core, {
    method: "tools/list",
    member: "tools",
    kind: "tool",
    hint: "tools",
    items: () =>
      [...catalogue.toolsByName.values()].map(({ key, definition, parts }) => ({
        key,
        definition: definition as unknown as JsonObject,
        visible: parts.options.visible,
      })),
  });
  return [["tools/list", list], ["tools/call", { runsHandler: true, answer: (exchange) => call(exchange, callables) }]];
}

function call(exchange: Exchange, callables: ReadonlyMap<string, Callable>): JsonObject | Promise<JsonObject> {
  const { params } = exchange.request;
  const name = ownMember(params, "name");
  if (typeof name !== "string") throw ProtocolError.invalidParams("Invalid params: name must be a string");
  const tool = callables.get(name);
  if (tool === undefined || tool.parts.options.visible?.(callInfo(exchange)) === false) {
    throw ProtocolError.invalidParams(`Unknown tool: ${shown(name)}`);
  }
  const given = ownMember(params, "arguments");
  if (given !== undefined && !isJsonObject(given)) {
    throw ProtocolError.invalidParams("Invalid params: arguments must be an object");
  }
  if (tool.parts.mirrored.length > 0) checkHeaders(exchange, tool, given);
  if (tool.parts.timeout !== undefined) exchange.deadline = tool.parts.timeout;
  const args = given ?? {};
  if (tool.args.ready && !isLaterRound(exchange)) {
    const checked = tool.args.check(args);
    if (!(checked instanceof Promise)) {
      return checked.ok
        ? run(exchange, tool, checked.value, new HandlerContext(exchange))
        : argumentFault(exchange, checked.sentence);
    }
  }
  return callSlowly(exchange, tool, args);
}

/** The way of a first call, of later rounds, and of schemas that check asynchronously. */
async function callSlowly(exchange: Exchange, tool: Callable, args: JsonObject): Promise<JsonObject> {
  await tool.args.load();
  const checked = await tool.args.check(args);
  if (!checked.ok) return argumentFault(exchange, checked.sentence);
  const context = isLaterRound(exchange) ? await laterRound(exchange) : new HandlerContext(exchange);
  return await run(exchange, tool, checked.value, context);
}

function argumentFault(exchange: Exchange, sentence: string): JsonObject {
  if (exchange.dialect.argumentFaults === "protocol_error") throw ProtocolError.invalidParams(sentence);
  return exchange.write(errorResult(sentence));
}

function run(exchange: Exchange, tool: Callable, args: unknown, context: HandlerContext): JsonObject | Promise<JsonObject> {
  let returned: unknown;
  try {
    returned = tool.parts.handler(args as never, context);
  } catch (error) {
    return fail(exchange, tool, context, error);
  }
  return isThenable(returned)
    ? Promise.resolve(returned).then(
      (value) => finish(exchange, tool, args, context, value),
      (error) => fail(exchange, tool, context, error),
    )
    : finish(exchange, tool, args, context, returned);
}

function finish(
  exchange: Exchange,
  tool: Callable,
  args: unknown,
  context: HandlerContext,
  value: unknown,
): JsonObject | Promise<JsonObject> {
  if (context.suspended) return suspended(exchange, context, undefined);
  if (isInputRequired(value)) {
    return askForInput(exchange, context, value, (again) => run(exchange, tool, args, again))
      .catch((error) => exchange.write(toolError(exchange, tool, error)));
  }
  const parts = readToolReturn(value, tool.output !== undefined);
  if (tool.output !== undefined && !parts.isError) return finishStructured(exchange, tool, tool.output, parts);
  return exchange.write(writeToolResult(forDialect(exchange, tool, parts)));
}

function fail(exchange: Exchange, tool: Callable, context: HandlerContext, error: unknown): JsonObject | Promise<JsonObject> {
  return context.suspended ? suspended(exchange, context, error) : exchange.write(toolError(exchange, tool, error));
}

/** Structured content as the revision has it. */
function forDialect({ dialect }: Exchange, { definition }: Callable, parts: ToolResultParts): ToolResultParts {
  if (!parts.hasStructured) return parts;
  const { outputSchema } = definition as { readonly outputSchema?: JsonObject };
  const { value, meta } = dialect.writeStructured(parts.structured as JsonValue, outputSchema);
  return meta === undefined ? parts : { ...parts, structured: value, meta: { ...parts.meta, ...meta } };
}

/** What an `output` schema describes is checked, and what the schema's library makes of it is sent. */
async function finishStructured(
  exchange: Exchange,
  tool: Callable,
  output: ArgumentChecker,
  parts: ToolResultParts,
): Promise<JsonObject> {
  await output.load();
  const fault = jsonFault(parts.structured, "structuredContent");
  if (fault !== undefined && tool.parts.output?.validate === undefined) throw new TypeError(fault);
  const checked = await output.check(parts.structured);
  if (!checked.ok) throw new TypeError(`tools.${tool.key}.output: What the handler returned does not fit. ${checked.sentence}`);
  const sent = { ...parts, hasStructured: checked.value !== undefined, structured: checked.value };
  return exchange.write(writeToolResult(forDialect(exchange, tool, sent)));
}

/** A `ToolError` is shown to the model; everything else goes on to be sent as an error, or masked. */
function toolError({ dialect }: Exchange, { definition }: Callable, error: unknown): JsonObject {
  if (isMcpError(error)) {
    // Revisions with a handshake have no code for it.
    if (error.kind === "protocol" && error.reason === "missing_capability" && dialect.handshake !== undefined) {
      return errorResult(error.message);
    }
    if (error.kind === "tool") return toolFailure(dialect, definition, error.message, error.data);
  }
  throw error;
}

function toolFailure(dialect: Dialect, { outputSchema }: Tool, message: string, data: unknown): JsonObject {
  if (data === undefined || jsonFault(data, "data") !== undefined) return errorResult(message);
  const { value, meta } = dialect.writeStructured(data as JsonValue, outputSchema as JsonObject | undefined);
  const result = errorResult(message, value);
  return meta === undefined ? result : { ...result, _meta: meta };
}

/** MCP 2026-07-28, Streamable HTTP § Server behavior for custom headers; a client of a handshake revision sends none. */
function checkHeaders(exchange: Exchange, tool: Callable, args: JsonObject | undefined): void {
  const headers = exchange.dialect.handshake === undefined ? exchange.info.headers : undefined;
  const fault = headers === undefined ? undefined : paramHeaderFault(tool.parts.mirrored, args, headers);
  if (fault !== undefined) throw new ProtocolError(ERROR_CODES.header_mismatch, fault);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
