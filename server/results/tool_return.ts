/** What a tool's handler returned → the result of `tools/call`. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { isBlock } from "../components/content_block.ts";
import { jsonFault } from "../json/json_fault.ts";
import { blockFault } from "./block_fault.ts";

/** A tool result in the making: its members, and the structured value that is still to be checked. */
export interface ToolResultParts {
  /** The blocks; undefined when the JSON text of the structured value stands in. */
  readonly content: readonly JsonValue[] | undefined;
  /** Is there structured content? */
  readonly hasStructured: boolean;
  /** The structured content. */
  readonly structured: unknown;
  /** The tool ran and reports its own failure. */
  readonly isError: boolean;
  /** The result's `_meta`. */
  readonly meta: JsonObject | undefined;
}

/**
 * Reads what a handler returned: text, blocks, `{ structured }`, a result written out, any JSON value, or nothing.
 *
 * @param value What was returned; never an `InputRequired`.
 * @param hasOutput Does the tool have an `output` schema? Then nothing is guessed: the value is its data.
 */
export function readToolReturn(value: unknown, hasOutput: boolean): ToolResultParts {
  if (isStructured(value)) return fromStructured(value);
  if (isRawResult(value) && (!hasOutput || Object.hasOwn(value, "structuredContent") || value.isError === true)) {
    return fromRaw(value);
  }
  if (hasOutput) return structured(value);
  if (value === undefined) return content([]);
  if (typeof value === "string") return content([textBlock(value)]);
  if (isBlock(value)) return content([value as JsonObject]);
  if (Array.isArray(value) && value.some(isBlock) && value.every((item) => typeof item === "string" || isBlock(item))) {
    return content(value.map((item) => typeof item === "string" ? textBlock(item) : item as JsonObject));
  }
  return structured(value);
}

/**
 * Writes the members of a tool result. Structured content gets its JSON text as a block when there are no blocks
 * (MCP 2026-07-28, Tools § Structured content).
 *
 * @throws {TypeError} When a part is not JSON; the message names the path.
 */
export function writeToolResult(parts: ToolResultParts): JsonObject {
  if (!parts.hasStructured && !parts.isError && parts.meta === undefined && isPlainText(parts.content)) {
    return { content: parts.content };
  }
  const fault = jsonFault(parts.structured, "structuredContent") ?? jsonFault(parts.content, "content") ??
    jsonFault(parts.meta, "_meta");
  if (fault !== undefined) throw new TypeError(fault);
  const blocks = parts.content ?? [textBlock(JSON.stringify(parts.structured) ?? "null")];
  blocks.forEach((block, at) => {
    const wrong = blockFault(block, `content[${at}]`);
    if (wrong !== undefined) throw new TypeError(wrong);
  });
  return {
    content: blocks,
    ...(parts.hasStructured ? { structuredContent: parts.structured as JsonValue } : {}),
    ...(parts.isError ? { isError: true } : {}),
    ...(parts.meta === undefined ? {} : { _meta: parts.meta }),
  };
}

/** A result that tells the model what went wrong. */
export function errorResult(text: string, structuredContent?: JsonValue): JsonObject {
  return {
    content: [textBlock(text)],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: true,
  };
}

const STRUCTURED_KEYS: ReadonlySet<string> = new Set(["structured", "content", "isError", "meta"]);

const RAW_KEYS: ReadonlySet<string> = new Set(["content", "structuredContent", "isError", "_meta", "resultType"]);

function isStructured(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, "structured") && Object.keys(value).every((key) => STRUCTURED_KEYS.has(key));
}

/** Meant as a block, well written or not: writing the result names what is wrong with it. */
function isTyped(item: unknown): boolean {
  return isJsonObject(item) && typeof item.type === "string";
}

function isRawResult(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, "content") && Array.isArray(value.content) && value.content.every(isTyped) &&
    Object.keys(value).every((key) => RAW_KEYS.has(key));
}

function fromStructured(value: JsonObject): ToolResultParts {
  const given = value.content;
  const list = given === undefined ? undefined : Array.isArray(given) ? given : [given];
  return {
    content: list?.map((item) => typeof item === "string" ? textBlock(item) : item as JsonValue),
    hasStructured: value.structured !== undefined,
    structured: value.structured,
    isError: value.isError === true,
    meta: value.meta as JsonObject | undefined,
  };
}

function fromRaw(value: JsonObject): ToolResultParts {
  return {
    content: value.content as readonly JsonValue[],
    hasStructured: value.structuredContent !== undefined,
    structured: value.structuredContent,
    isError: value.isError === true,
    meta: value._meta as JsonObject | undefined,
  };
}

function structured(value: unknown): ToolResultParts {
  return { content: undefined, hasStructured: value !== undefined, structured: value, isError: false, meta: undefined };
}

function content(blocks: readonly JsonValue[]): ToolResultParts {
  return { content: blocks, hasStructured: false, structured: undefined, isError: false, meta: undefined };
}

/** One text block of this file's own making needs no further look. */
function isPlainText(content: readonly JsonValue[] | undefined): content is readonly JsonValue[] {
  if (content === undefined || content.length !== 1) return false;
  const block = content[0] as JsonObject;
  return block.type === "text" && typeof block.text === "string" && block.annotations === undefined && block._meta === undefined;
}

function textBlock(text: string): JsonObject {
  return { type: "text", text };
}
