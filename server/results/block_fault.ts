/** Content blocks: what is wrong with one before it is sent. */
import { isBase64 } from "../../protocol/base64.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { Annotations, JsonObject, JsonValue } from "../../protocol/types.ts";
import { hasScheme } from "../components/absolute_uri.ts";
import { annotationsFault } from "../components/annotations.ts";
import { shapeFault } from "../components/content_block.ts";

/** RFC 6838 § 4.2: type and subtype, then parameters. */
const MEDIA_TYPE = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(?:\s*;.*)?$/;

/**
 * Says what is wrong with a content block: its shape, media type, Base64, URI or annotations
 * (MCP 2026-07-28, Prompts § PromptMessage, Tools § Tool result).
 *
 * @param block The block.
 * @param path Where it stands.
 * @returns A sentence that begins with the path, or undefined.
 */
export function blockFault(block: JsonValue | undefined, path: string): string | undefined {
  const shape = shapeFault(block, path);
  if (shape !== undefined || !isJsonObject(block)) return shape;
  if (block.annotations !== undefined) {
    if (!isJsonObject(block.annotations)) return `${path}.annotations: Expected an object`;
    const fault = annotationsFault(block.annotations as Annotations);
    if (fault !== undefined) return `${path}.annotations.${fault}`;
  }
  switch (block.type) {
    case "image":
    case "audio":
      return mediaFault(block, path);
    case "resource":
      return contentsFault(block.resource as JsonObject, `${path}.resource`);
    case "resource_link":
      return hasScheme(block.uri as string) ? undefined : `${path}.uri: Expected an absolute URI`;
    default:
      return undefined;
  }
}

/** Says what is wrong with the contents of a resource. */
export function contentsFault(contents: JsonObject, path: string): string | undefined {
  if (!hasScheme(String(contents.uri))) return `${path}.uri: Expected an absolute URI`;
  if (contents.mimeType !== undefined && !MEDIA_TYPE.test(String(contents.mimeType))) {
    return `${path}.mimeType: Expected a media type`;
  }
  return contents.blob === undefined || isBase64(contents.blob) ? undefined : `${path}.blob: Expected Base64`;
}

function mediaFault(block: JsonObject, path: string): string | undefined {
  if (!MEDIA_TYPE.test(String(block.mimeType))) return `${path}.mimeType: Expected a media type such as "${block.type}/…"`;
  return isBase64(block.data) ? undefined : `${path}.data: Expected Base64`;
}
