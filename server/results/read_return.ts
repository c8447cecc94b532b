/** What a resource's `read` returned → the result of `resources/read`. */
import { encodeBase64 } from "../../protocol/base64.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { cacheHintFault } from "../components/cache_hint.ts";
import { jsonFault } from "../json/json_fault.ts";
import { contentsFault } from "./block_fault.ts";

/**
 * Writes the members of a read result: text, bytes, contents written out, or any JSON value.
 *
 * @param value What `read` returned; never `undefined` and never an `InputRequired`.
 * @param uri The URI that was asked for.
 * @param mimeType The definition's type, if it has one.
 * @throws {TypeError} When a part is not JSON or no contents; the message names the path.
 */
export function writeReadResult(value: unknown, uri: string, mimeType: string | undefined): JsonObject {
  if (typeof value === "string") return { contents: [{ uri, ...typed(mimeType), text: value }] };
  if (value instanceof Uint8Array) return { contents: [{ uri, ...typed(mimeType), blob: encodeBase64(value) }] };
  if (isWrittenOut(value)) return writtenOut(value);
  const fault = jsonFault(value, "read");
  if (fault !== undefined) throw new TypeError(fault);
  return { contents: [{ uri, ...typed(mimeType ?? "application/json"), text: JSON.stringify(value) }] };
}

function typed(mimeType: string | undefined): { readonly mimeType?: string } {
  return mimeType === undefined ? {} : { mimeType };
}

function isWrittenOut(value: unknown): value is JsonObject {
  return isJsonObject(value) && Array.isArray(value.contents) &&
    value.contents.every((item) =>
      isJsonObject(item) && typeof item.uri === "string" && (Object.hasOwn(item, "text") || Object.hasOwn(item, "blob"))
    );
}

function writtenOut(value: JsonObject): JsonObject {
  const { ttlMs, cacheScope, _meta } = value;
  const hint = cacheHintFault({ ttlMs, cacheScope } as never);
  if (hint !== undefined) throw new TypeError(`read.${hint}`);
  const contents = (value.contents as readonly JsonObject[]).map((item, index) => {
    const blob = item.blob as unknown;
    const written = blob instanceof Uint8Array ? { ...item, blob: encodeBase64(blob) } : item;
    if (typeof written.text !== "string" && typeof written.blob !== "string") {
      throw new TypeError(`read.contents[${index}]: Expected text that is a string, or blob that is bytes or Base64`);
    }
    const wrong = contentsFault(written, `read.contents[${index}]`);
    if (wrong !== undefined) throw new TypeError(wrong);
    return written as JsonValue;
  });
  const fault = jsonFault(contents, "read.contents") ?? jsonFault(_meta, "read._meta");
  if (fault !== undefined) throw new TypeError(fault);
  return {
    contents,
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(cacheScope === undefined ? {} : { cacheScope }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}
