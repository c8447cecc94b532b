/** Tools: answers `tools/list` and `tools/call`. */
import type { Dialect } from "../protocol/dialect.ts";
import { ERROR_CODES, isMcpError, ProtocolError } from "../protocol/errors.ts";
import { paramHeaderFault } from "../protocol/headers.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import type { JsonObject, JsonValue, Tool } from "../protocol/types.ts";
import { shown } from "../protocol/shown.ts";
import { argumentChecker } from "./argument_checker.ts";
import type { ArgumentChecker } from "./argument_checker.ts";
import { blockFault } from "./results/block_fault.ts";
import type { CatalogueIndex, Entry } from "./components/catalogue.ts";
import { callInfo, HandlerContext } from "./context.ts";
import type { Core, Exchange, LayeredResult, Method } from "./core.ts";
import { askForInput, isLaterRound, laterRound, suspended } from "./input/in_rounds.ts";
import { isInputRequired } from "./input/is_input_required.ts";
import { jsonFault } from "./json/json_fault.ts";
import { listMethod } from "./lists/list_method.ts";
import { listedEntry } from "./lists/listed_entry.ts";
import { requireScopes } from "./access/require_scopes.ts";
import type { ToolParts } from "./components/tool.ts";
import { errorResult, readToolReturn, writeToolResult } from "./results/tool_return.ts";
import type { ToolResultParts } from "./results/tool_return.ts";
import { isVisible } from "./access/is_visible.ts";

/** A tool with its checks. */
interface Callable extends Entry<Tool, ToolParts> {
  readonly args: ArgumentChecker;
  readonly output: ArgumentChecker | undefined;
}

/** The methods of tools, for one catalogue. */
export function toolMethods(core: Omit<Core, "methods">, catalogue: CatalogueIndex): [string, Method][] {
  const callables = new Map<string, Callable>();
  for (const [name, entry] of catalogue.toolsByName) {
    // The extension that reads the option takes it out.
    if (entry.parts.options.task !== undefined) {
      throw new TypeError(
        `tools.${name}.task: Expected tasks() of @causeway/mcp/server/tasks among the extensions of the server`,
      );
    }
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
    key: "name",
    hint: "tools",
    places: catalogue.places,
    items: () => [...catalogue.toolsByName.values()].map(listedEntry),
  });
  return [["tools/list", list], ["tools/call", {
    runsHandler: true,
    answer: (exchange) => call(exchange, callables),
    check: (exchange) => checkSentHeaders(exchange, callables),
    write: (exchange, result, facts) => writeLayered(exchange, callables, result, facts),
    recover: (exchange, error) => exchange.write(toolError(exchange, called(exchange, callables)?.definition, error)),
  }]];
}

/** The tool that the client named; undefined when there is none, or none that it may see. */
function called(exchange: Exchange, callables: ReadonlyMap<string, Callable>): Callable | undefined {
  const name = ownMember(exchange.request.params, "name");
  const tool = typeof name === "string" ? callables.get(name) : undefined;
  return tool !== undefined && isVisible(tool.parts.options, () => callInfo(exchange)) ? tool : undefined;
}

/** The headers have to fit what the client sent, whatever middleware makes of it. */
function checkSentHeaders(exchange: Exchange, callables: ReadonlyMap<string, Callable>): void {
  const tool = called(exchange, callables);
  if (tool === undefined || tool.parts.mirrored.length === 0) return;
  const args = ownMember(exchange.request.params, "arguments");
  if (args === undefined || isJsonObject(args)) checkHeaders(exchange, tool, args);
}

/** Writes a result that came through middleware: its structured content is as the client knows the tool that it named. */
function writeLayered(
  exchange: Exchange,
  callables: ReadonlyMap<string, Callable>,
  result: JsonObject,
  { changed }: LayeredResult,
): JsonObject {
  const { content, structuredContent } = result;
  if (changed && (result.resultType ?? "complete") === "complete") checkContent(content);
  if (structuredContent === undefined) return exchange.write(result);
  const schema = called(exchange, callables)?.definition.outputSchema as JsonObject | undefined;
  const { value, meta } = exchange.dialect.writeStructured(structuredContent, schema);
  if (meta === undefined) return exchange.write(result);
  const [first, second] = content as readonly JsonObject[];
  const isText = second === undefined && first?.type === "text" && first.text === JSON.stringify(structuredContent);
  return exchange.write({
    ...result,
    // The text that stands for structured content is the text of what is sent.
    ...(isText ? { content: [{ ...first, text: JSON.stringify(value) }] } : {}),
    structuredContent: value,
    _meta: { ...(isJsonObject(result._meta) ? result._meta : {}), ...meta },
  });
}

function checkContent(content: unknown): void {
  const path = "use: What a middleware gave for tools/call";
  if (!Array.isArray(content)) throw new TypeError(`${path}: Expected content to be a list of blocks`);
  content.forEach((block, at) => {
    const wrong = blockFault(block, `${path}: content[${at}]`);
    if (wrong !== undefined) throw new TypeError(wrong);
  });
}

function call(exchange: Exchange, callables: ReadonlyMap<string, Callable>): JsonObject | Promise<JsonObject> {
  const { params } = exchange.request;
  const { name, arguments: given } = params;
  if (typeof name !== "string") throw ProtocolError.invalidParams("Invalid params: name must be a string");
  const tool = callables.get(name);
  if (tool === undefined || !isVisible(tool.parts.options, () => callInfo(exchange))) {
    throw ProtocolError.invalidParams(`Unknown tool: ${shown(name)}`);
  }
  requireScopes(exchange, tool.parts.options);
  if (given !== undefined && !isJsonObject(given)) {
    throw ProtocolError.invalidParams("Invalid params: arguments must be an object");
  }
  if (tool.parts.mirrored.length > 0 && exchange.layered === undefined) checkHeaders(exchange, tool, given);
  if (tool.parts.timeout !== undefined) exchange.deadline = tool.parts.timeout;
  const { fill } = tool.parts;
  const args = fill === undefined ? given ?? {} : fill<JsonObject>(given ?? {});
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
  // Who has gone meanwhile, or has waited too long, wants nothing done.
  if (exchange.done) exchange.signal.throwIfAborted();
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
  if (context.loading !== undefined) return context.loading.then(() => finish(exchange, tool, args, context, value));
  if (context.suspended) return suspended(exchange, context, undefined);
  if (isInputRequired(value)) {
    return askForInput(exchange, context, value, (again, inner, other) => run(inner, other, args, again), tool)
      .catch((error) => exchange.write(toolError(exchange, tool.definition, error)));
  }
  const parts = readToolReturn(value, tool.output !== undefined);
  if (tool.output !== undefined && !parts.isError) return finishStructured(exchange, tool, tool.output, parts);
  return exchange.write(writeToolResult(forDialect(exchange, tool, parts)));
}

function fail(exchange: Exchange, tool: Callable, context: HandlerContext, error: unknown): JsonObject | Promise<JsonObject> {
  if (context.loading !== undefined) return context.loading.then(() => fail(exchange, tool, context, error));
  return context.suspended ? suspended(exchange, context, error) : exchange.write(toolError(exchange, tool.definition, error));
}

/** Structured content as the revision has it. */
function forDialect({ dialect, layered }: Exchange, { definition }: Callable, parts: ToolResultParts): ToolResultParts {
  if (!parts.hasStructured || layered) return parts;
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
function toolError({ dialect, layered }: Exchange, definition: Tool | undefined, error: unknown): JsonObject {
  if (isMcpError(error)) {
    // Revisions with a handshake have no code for it.
    if (error.kind === "protocol" && error.reason === "missing_capability" && dialect.handshake !== undefined) {
      return errorResult(error.message);
    }
    if (error.kind === "tool") {
      const data = error.data !== undefined && jsonFault(error.data, "data") === undefined ? error.data as JsonValue : undefined;
      return data === undefined || layered
        ? errorResult(error.message, data)
        : toolFailure(dialect, definition?.outputSchema as JsonObject | undefined, error.message, data);
    }
  }
  throw error;
}

function toolFailure(dialect: Dialect, schema: JsonObject | undefined, message: string, data: JsonValue): JsonObject {
  const { value, meta } = dialect.writeStructured(data, schema);
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
