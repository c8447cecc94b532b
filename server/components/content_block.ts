/** Content blocks: which values are one. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";

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
  return isJsonObject(value) && misfit(value) === undefined;
}

/**
 * Says what keeps a value from being a content block.
 *
 * @param value The value.
 * @param path Where it stands.
 * @returns A sentence that begins with the path, or undefined.
 */
export function shapeFault(value: unknown, path: string): string | undefined {
  if (!isJsonObject(value)) return `${path}: Expected a content block`;
  const name = misfit(value);
  if (name === undefined) return undefined;
  if (name === "type") return `${path}.type: Expected one of ${[...BLOCKS.keys()].join(", ")}`;
  if (!BLOCKS.get(value.type)?.required.includes(name)) return `${path}.${name}: Unknown member of a content block`;
  return `${path}.${name}: Expected ${name === "resource" ? "a uri with text or blob" : "a string"}`;
}

/** The member by which it is no block. */
function misfit(value: JsonObject): string | undefined {
  const shape = BLOCKS.get(value.type);
  if (shape === undefined) return "type";
  for (const name of shape.required) {
    const member = value[name];
    const fits = name === "resource" ? isContents(member) : typeof member === "string";
    if (!fits || !Object.hasOwn(value, name)) return name;
  }
  return Object.keys(value).find((key) => key !== "type" && !shape.required.includes(key) && !shape.optional.has(key));
}

function isContents(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && typeof value.uri === "string" &&
    (typeof value.text === "string" || typeof value.blob === "string");
}
