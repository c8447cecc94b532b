/** Sampling requests: what is wrong with one before it is sent. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";

/**
 * Says what is wrong with the params of `sampling/createMessage` (MCP 2026-07-28, Sampling § Message content constraints).
 *
 * @param params The params.
 * @param path Where they stand.
 * @returns A sentence that begins with the path, or undefined.
 */
export function samplingFault(params: JsonObject, path: string): string | undefined {
  if (!Number.isSafeInteger(params.maxTokens)) return `${path}.maxTokens: Expected an integer`;
  if (!Array.isArray(params.messages)) return `${path}.messages: Expected a list of messages`;
  return preferencesFault(params.modelPreferences, `${path}.modelPreferences`) ??
    messagesFault(params.messages, `${path}.messages`);
}

function preferencesFault(preferences: JsonValue | undefined, path: string): string | undefined {
  if (preferences === undefined) return undefined;
  if (!isJsonObject(preferences)) return `${path}: Expected an object`;
  for (const name of ["costPriority", "speedPriority", "intelligencePriority"]) {
    const value = preferences[name];
    if (value !== undefined && !(typeof value === "number" && value >= 0 && value <= 1)) {
      return `${path}.${name}: Expected a number from 0 to 1`;
    }
  }
  return undefined;
}

function messagesFault(messages: readonly JsonValue[], path: string): string | undefined {
  let asked: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `${path}[${index}]`;
    if (!isJsonObject(message) || (message.role !== "user" && message.role !== "assistant")) {
      return `${at}: Expected a message with role "user" or "assistant"`;
    }
    const blocks = Array.isArray(message.content) ? message.content : [message.content];
    if (blocks.length === 0 || !blocks.every(isTyped)) return `${at}.content: Expected content blocks`;
    const results = idsOf(blocks, "tool_result", "toolUseId");
    if (results.length > 0 && results.length !== blocks.length) return `${at}.content: Expected nothing beside tool results`;
    if (!sameIds(asked, results)) return `${at}.content: Expected one tool result for each tool use of the message before`;
    asked = idsOf(blocks, "tool_use", "id");
  }
  return asked.length === 0 ? undefined : `${path}: Expected the results of the last tool uses`;
}

function isTyped(block: JsonValue | undefined): block is JsonObject {
  return isJsonObject(block) && typeof block.type === "string";
}

function idsOf(blocks: readonly JsonObject[], type: string, member: string): readonly string[] {
  return blocks.filter((block) => block.type === type).map((block) => String(block[member]));
}

function sameIds(asked: readonly string[], results: readonly string[]): boolean {
  return asked.length === results.length && new Set(results).size === results.length && results.every((id) => asked.includes(id));
}
