/** Content blocks: which values are one. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonValue } from "../../protocol/types.ts";

/** Members of the five content types: the required ones, then the optional ones (MCP 2026-07-28, Schema § ContentBlock). */
const BLOCKS: ReadonlyMap<unknown, { readonly required: readonly string[]; readonly optional: ReadonlySet<string> }> = new Map([
  ["text", { required: ["text"], optional: new Set(["annotations", "_meta"]) }],
  ["image", { required: ["data", "mimeType"], optional: new Set(["annotations", "_meta"]) }],
  ["audio", { required: ["data", "mimeType"], optional: new Set(["annotations", "_meta"]) }],
  ["resource", { required: ["resource"], optional: new Set(["annotations", "_meta"]) }],
  ["resource_link", {
    required: ["uri", "name"],
    optional: new Set(["title", "description", "mimeType", "size", "icons", "annotations", "_meta"]),
  }],
]);

/** Is it a content block: one of the five types, its required members, and none that the specification does not give it? */
export function isBlock(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const shape = BLOCKS.get(value.type);
  if (shape === undefined) return false;
  for (const name of shape.required) {
    const member = value[name];
    const fits = name === "resource" ? isContents(member) : typeof member === "string";
    if (!fits || !Object.hasOwn(value, name)) return false;
  }
  return Object.keys(value).every((key) => key === "type" || shape.required.includes(key) || shape.optional.has(key));
}

function isContents(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && typeof value.uri === "string" &&
    (typeof value.text === "string" || typeof value.blob === "string");
}
