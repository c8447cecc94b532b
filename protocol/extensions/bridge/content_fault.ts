/** Says what is wrong with content that crosses the bridge. */
import { isJsonObject, ownMember } from "../../json.ts";
import type { JsonObject, JsonValue } from "../../json.ts";

/** What a block of each type must have as text. */
const TEXTS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["text", ["text"]],
  ["image", ["data", "mimeType"]],
  ["audio", ["data", "mimeType"]],
  ["resource_link", ["uri", "name"]],
  ["resource", []],
]);

/**
 * Says what is wrong with a list of content blocks (MCP 2026-07-28, Tools § Tool Result).
 *
 * @param path Where the list stands.
 * @param types The types that are allowed; all when absent.
 * @returns The end of a sentence, or undefined when every block is sound.
 */
export function contentFault(value: JsonValue | undefined, path: string, types?: readonly string[]): string | undefined {
  if (!Array.isArray(value)) return `${path} is not a list`;
  for (const [index, block] of (value as readonly JsonValue[]).entries()) {
    const fault = blockFault(block, types);
    if (fault !== undefined) return `${path}[${index}] ${fault}`;
  }
  return undefined;
}

function blockFault(block: JsonValue, types: readonly string[] | undefined): string | undefined {
  if (!isJsonObject(block)) return "is not an object";
  const type = ownMember(block, "type");
  const texts = TEXTS.get(type);
  if (texts === undefined || (types !== undefined && !types.includes(type as string))) return "has a type that is not taken here";
  const missing = texts.find((member) => typeof ownMember(block, member) !== "string");
  if (missing !== undefined) return `has no ${missing}`;
  return type === "resource" ? resourceFault(ownMember(block, "resource")) : undefined;
}

function resourceFault(resource: JsonValue | undefined): string | undefined {
  if (!isJsonObject(resource)) return "has no resource";
  if (typeof ownMember(resource, "uri") !== "string") return "has a resource without uri";
  return bodies(resource) === 1 ? undefined : "has a resource without exactly one of text and blob";
}

function bodies(resource: JsonObject): number {
  return ["text", "blob"].filter((member) => typeof ownMember(resource, member) === "string").length;
}
