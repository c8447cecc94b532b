/** Calls tools: headers that repeat arguments, one repair of them, and the check of structured results. */
import type { ResultIn } from "../../protocol/dialect.ts";
import { ERROR_CODES, ProtocolError, TransportError } from "../../protocol/errors.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { CallToolResult, JsonObject, Tool } from "../../protocol/types.ts";
import type { Connection } from "../connection.ts";
import type { InputSettings, Round } from "../input/asking_call.ts";
import type { CallOptions, PendingInput } from "../options.ts";
import { metaEntries } from "../request_settings.ts";
import { readToolResult } from "../results.ts";
import { runRounds } from "../input/run_rounds.ts";
import { inexactArgument } from "./known_tools.ts";
import type { KnownTool, KnownTools } from "./known_tools.ts";
import { checkOutput } from "./output_check.ts";

/** What a tool call needs. */
export interface ToolCallSettings {
  /** The connection. */
  readonly connection: Connection;
  /** Who answers questions. */
  readonly inputs: InputSettings;
  /** What was listed. */
  readonly known: KnownTools;
  /** Lists the tools anew. */
  readonly refresh: (round: Round) => Promise<unknown>;
}

/**
 * Calls a tool by its name or its definition.
 *
 * @throws {TypeError} For arguments that are not an object, and a number that no header can carry.
 */
export function callTool(
  settings: ToolCallSettings,
  tool: string | Tool,
  args: object | undefined,
  options: CallOptions,
): Promise<CallToolResult | PendingInput<CallToolResult>> {
  const name = typeof tool === "string" ? tool : tool?.name;
  if (typeof name !== "string") throw new TypeError("client.callTool: Expected the name or the definition of a tool");
  if (args === undefined && ownMember(Object(tool), "arguments") !== undefined) {
    throw new TypeError("client.callTool: Expected the arguments as the second value, behind the name");
  }
  if (args !== undefined && !isJsonObject(args)) throw new TypeError("client.callTool: Expected arguments as one object");
  const { connection, inputs, known } = settings;
  const meta = metaEntries(options);
  const params = args === undefined ? { name } : { name, arguments: args };
  // Changed by the repair below, for this round and the later ones.
  let current = known.find(tool);
  const sendOnce = (round: Round): Promise<ResultIn> => {
    checkCall(connection, name, current, args);
    const { times, inputResponses, requestState } = round;
    const mirrored = current?.mirrored;
    return connection.request({
      method: "tools/call",
      params,
      options: round.options,
      times,
      meta,
      inputResponses,
      requestState,
      mirrored,
    });
  };
  const send = async (round: Round): Promise<ResultIn> => {
    try {
      return await sendOnce(round);
    } catch (error) {
      if (!connection.mirrors || !isHeaderMismatch(error)) throw error;
      await settings.refresh(round);
      current = known.find(name);
      if (current === undefined) throw error;
      return await sendOnce(round);
    }
  };
  const read = (result: JsonObject): CallToolResult | Promise<CallToolResult> =>
    checkResult(connection, name, current, readToolResult(result), result);
  return runRounds(connection, inputs, { method: "tools/call", name, send, read }, options);
}

/** MCP 2026-07-28, Streamable HTTP § Schema Extension: a tool whose annotations break the rules is not called. */
function checkCall(connection: Connection, name: string, known: KnownTool | undefined, args: JsonObject | undefined): void {
  if (known === undefined || !connection.mirrors) return;
  const text = `Calling the tool ${JSON.stringify(name)}: ${known.fault}`;
  if (known.fault !== undefined) throw connection.cleaned(new TransportError("not_mcp", text));
  const inexact = inexactArgument(known.mirrored, args);
  if (inexact === undefined) return;
  throw new TypeError(`client.callTool: The argument ${inexact} travels in a header and must be a safe integer`);
}

/** The server saw other headers than it wants, so its tools may have changed (MCP 2026-07-28, Streamable HTTP). */
function isHeaderMismatch(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ERROR_CODES.header_mismatch;
}

/** A result that reports an error is not checked: its message must arrive (MCP 2026-07-28, Tools § Output Schema). */
function checkResult(
  connection: Connection,
  name: string,
  known: KnownTool | undefined,
  result: CallToolResult,
  raw: JsonObject,
): CallToolResult | Promise<CallToolResult> {
  const given = connection.dialect.readStructured(raw);
  const read = given === raw.structuredContent ? result : { ...result, structuredContent: given } as CallToolResult;
  if (known?.output === undefined || result.isError === true) return read;
  return checkStructured(connection, name, known.output, read, raw);
}

async function checkStructured(
  connection: Connection,
  name: string,
  output: NonNullable<KnownTool["output"]>,
  read: CallToolResult,
  raw: JsonObject,
): Promise<CallToolResult> {
  const value = ownMember(raw, "structuredContent");
  const error = (fault: string): TransportError =>
    connection.cleaned(new TransportError("not_mcp", `Reading the structured content of ${JSON.stringify(name)}: ${fault}`));
  const onWarning = (warning: string): void => connection.report(error(warning));
  const fault = value === undefined ? "it is missing" : await checkOutput(output, value, onWarning);
  if (fault === undefined) return read;
  throw error(fault);
}
