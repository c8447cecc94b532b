/** Tools: how they are declared. */
import type { Context } from "../../protocol/context.ts";
import { mirroredParams } from "../../protocol/headers.ts";
import type { MirroredParam } from "../../protocol/headers.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { checkSchemaBounds } from "../../protocol/json_schema.ts";
import { patternsFault } from "../../protocol/patterns_fault.ts";
import type { Fields, Schema } from "../../protocol/schema.ts";
import { fieldsToSchema, readSchema } from "../../protocol/standard_schema.ts";
import type { CompiledSchema } from "../../protocol/standard_schema.ts";
import { toolNameFault } from "../../protocol/tool_name.ts";
import type { JsonObject, Tool } from "../../protocol/types.ts";
import { checkFunction } from "../../protocol/unknown_option.ts";
import { checkToolAnnotations } from "./annotations.ts";
import { checkComponent, checkNamed, commonMembers, COMPONENT_KEYS } from "./component.ts";
import type { ComponentOptions } from "./component.ts";
import { fillDefaults } from "./fill_defaults.ts";
import type { FillDefaults } from "./fill_defaults.ts";
import type { Mounted } from "./mounted.ts";
import type { DefineTool, ServerTool, ToolOptions } from "./tool_types.ts";

/** What a server needs of a tool to answer calls. */
export interface ToolParts {
  /** The arguments' schema, and the library behind it. */
  readonly input: CompiledSchema;
  /** Puts the defaults of `args` in the place of absent arguments; undefined when there are none. */
  readonly fill?: FillDefaults | undefined;
  /** The structured result's schema. */
  readonly output: CompiledSchema | undefined;
  /** Arguments that travel in headers too. */
  readonly mirrored: readonly MirroredParam[];
  /** Milliseconds; the server's own deadline when absent. */
  readonly timeout: number | undefined;
  /** Runs the call. */
  readonly handler: (args: never, ctx: Context) => unknown;
  /** The options that every component has, and whether a call may, or must, become a task. */
  readonly options: ComponentOptions & { readonly task?: "optional" | "required" | undefined };
  /** The mounted server that it belongs to. */
  readonly within?: Mounted | undefined;
}

const PARTS: unique symbol = Symbol("parts of a tool");

/** The parts of a defined tool; undefined when the value was not made by {@linkcode tool}. */
export function toolParts(value: unknown): ToolParts | undefined {
  return (value as { readonly [PARTS]?: ToolParts } | null | undefined)?.[PARTS];
}

/**
 * Defines a tool.
 *
 * @example A tool that returns text
 * ```ts
 * import { tool } from "@causeway/mcp/server";
 *
 * const greet = tool({
 *   name: "greet",
 *   description: "Greets somebody",
 *   args: { name: { type: "string", required: true } },
 *   handler: ({ name }) => `Hello, ${name}!`,
 * });
 * ```
 *
 * @param options Name, schemas and handler.
 * @returns The tool, for `defineServer({ tools: [...] })`.
 * @throws {TypeError} When the name, a schema, an `x-mcp-header` or an option is wrong; the message begins with the path.
 */
export const tool: DefineTool = defineTool as never;

function defineTool(
  options: ToolOptions<string, Schema | undefined, Fields | undefined, Schema | undefined, unknown>,
): ServerTool {
  checkNamed(options, "tool");
  const name = options.name as string;
  const nameFault = toolNameFault(name);
  if (nameFault !== undefined) throw new TypeError(`tools.${name}: ${nameFault}`);
  const path = `tools.${name}`;
  checkComponent(options, KNOWN, path);
  checkToolAnnotations(options.annotations, path);
  checkFunction(options.handler, `${path}.handler`);
  if (options.timeout !== undefined && !(Number.isSafeInteger(options.timeout) && options.timeout > 0)) {
    throw new TypeError(`${path}.timeout: Expected a positive integer of milliseconds`);
  }
  if (options.task !== undefined && options.task !== "optional" && options.task !== "required") {
    throw new TypeError(`${path}.task: Expected "optional" or "required"`);
  }
  const input = readInput(options, path);
  const output = options.output === undefined ? undefined : readSchema(options.output, "output", `${path}.output`);
  if (output !== undefined) checkOutput(output, `${path}.output`);
  const mirrored = mirroredParams(input.json);
  if (!mirrored.ok) {
    const at = `${path}.input${mirrored.path}: ${mirrored.fault}`;
    throw new TypeError(options.args === undefined ? at : asWritten(at, `${path}.input`, `${path}.args`));
  }
  const definition: JsonObject = {
    name,
    ...commonMembers(options),
    inputSchema: input.json,
    ...(output === undefined ? {} : { outputSchema: output.json }),
    ...(options.annotations === undefined ? {} : { annotations: options.annotations as JsonObject }),
    ...(options.meta === undefined ? {} : { _meta: options.meta }),
  };
  const parts: ToolParts = {
    input,
    fill: options.args === undefined ? undefined : fillDefaults(input.json),
    output,
    mirrored: mirrored.params,
    timeout: options.timeout,
    handler: options.handler as ToolParts["handler"],
    options,
  };
  return seal({ kind: "tool", name: options.name, definition: definition as unknown as Tool }, parts);
}

const KNOWN: ReadonlySet<string> = new Set([
  ...COMPONENT_KEYS,
  "name",
  "input",
  "args",
  "additionalProperties",
  "output",
  "annotations",
  "timeout",
  "task",
  "handler",
]);

/** An object without parameters forbids further properties (MCP 2026-07-28, Tools § Tool). */
const NO_ARGUMENTS: CompiledSchema = { json: { type: "object", additionalProperties: false } };

function readInput(
  options: { readonly input?: unknown; readonly args?: unknown; readonly additionalProperties?: boolean | undefined },
  path: string,
): CompiledSchema {
  if (options.input !== undefined && options.args !== undefined) {
    throw new TypeError(`${path}: Expected either input or args, received both`);
  }
  if (options.args !== undefined) {
    const beside = options.additionalProperties === undefined ? {} : { additionalProperties: options.additionalProperties };
    const at = `${path}.args`;
    const json = fieldsToSchema(options.args, at, beside);
    const fault = boundsFault(json, at);
    if (fault !== undefined) throw new TypeError(asWritten(fault, at, at));
    return { json };
  }
  if (options.additionalProperties !== undefined) throw new TypeError(`${path}.additionalProperties: Expected only beside args`);
  if (options.input === undefined) return NO_ARGUMENTS;
  return checked(readSchema(options.input, "input", `${path}.input`), `${path}.input`);
}

function checked(schema: CompiledSchema, path: string): CompiledSchema {
  const fault = boundsFault(schema.json, path);
  if (fault !== undefined) throw new TypeError(fault);
  return schema;
}

function boundsFault(json: JsonObject, path: string): string | undefined {
  return checkSchemaBounds(json, path) ?? patternsFault(json, path);
}

/** The schema made from `args` holds under `properties` what the shorthand has without. */
function asWritten(fault: string, from: string, to: string): string {
  const made = `${from}.properties.`;
  return fault.startsWith(made) ? `${to}.${fault.slice(made.length)}` : fault;
}

/** Members that tell results apart cannot be members of an output. Outputs often hold text of the caller. */
function checkOutput(schema: CompiledSchema, path: string): void {
  const { properties } = checked(schema, path).json;
  for (const name of ["structured", "resultType"]) {
    if (isJsonObject(properties) && Object.hasOwn(properties, name)) {
      throw new TypeError(`${path}.properties.${name}: Expected another name, because "${name}" tells kinds of results apart`);
    }
  }
}

/** The same tool under another name, as part of a mounted server. */
export function moveTool(tool: ServerTool, name: string, move: (before: Mounted | undefined) => Mounted | undefined): ServerTool {
  const parts = toolParts(tool) as ToolParts;
  return seal({ kind: "tool", name, definition: { ...tool.definition, name } }, { ...parts, within: move(parts.within) });
}

function seal(value: ServerTool, parts: ToolParts): ServerTool {
  return Object.freeze(Object.defineProperty(value, PARTS, { value: parts }));
}
