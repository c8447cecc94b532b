/** One file out of an answer to `resources/read`: found, measured and verified, in this order. */
import { decodeBase64 } from "../../protocol/base64.ts";
import { TransportError } from "../../protocol/errors.ts";
import { frontmatterDifference, readFrontmatter } from "../../protocol/extensions/skill_frontmatter.ts";
import { canonicalSkillUri } from "../../protocol/extensions/skill_uri.ts";
import type { SkillFile } from "../../protocol/extensions/skills.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { skillDigest } from "./skill_digest.ts";

/** What the file turned out to be: bytes with their type, or why they may not be used, as the end of a sentence. */
export type ReadFile =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly mimeType: string | undefined }
  | { readonly reason: "size" | "digest"; readonly found: string };

/**
 * Takes a file out of an answer.
 *
 * @param result The answer.
 * @param uri The file, in the one spelling for comparison.
 * @param expected What the entry says of it; undefined for dynamic skills.
 * @throws {TransportError} "not_mcp" for an answer that does not hold this file once.
 */
export async function readSkillFile(result: JsonObject, uri: string, expected: SkillFile | undefined): Promise<ReadFile> {
  const content = contentOf(result, uri);
  const mimeType = ownMember(content, "mimeType");
  // Size comes first: what is too long is neither decoded nor hashed (SEP-2640, Resources).
  const bytes = bytesOf(content, expected?.size ?? Infinity);
  if (bytes === undefined || (expected !== undefined && bytes.byteLength !== expected.size)) {
    const seen = bytes === undefined ? "more" : bytes.byteLength;
    return { reason: "size", found: `it has ${seen} bytes, the entry says ${expected?.size}` };
  }
  if (expected !== undefined && await skillDigest(bytes) !== expected.digest) {
    return { reason: "digest", found: "its bytes are not those that the entry says" };
  }
  return { bytes, mimeType: typeof mimeType === "string" ? mimeType : undefined };
}

/** Bytes as text, nothing left out or replaced; undefined when they are not UTF-8. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Compares the frontmatter of a `SKILL.md` with that of its entry (SEP-2640, Frontmatter Verification).
 *
 * @returns What differs, as the end of a sentence; undefined when they are the same.
 */
export function manifestFault(text: string | undefined, frontmatter: JsonObject): string | undefined {
  if (text === undefined) return "it is not UTF-8";
  try {
    const difference = frontmatterDifference(frontmatter, readFrontmatter(text));
    return difference === undefined ? undefined : `its frontmatter differs from the entry (${difference})`;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return `its frontmatter cannot be read (${error.message})`;
  }
}

function contentOf(result: JsonObject, uri: string): JsonObject {
  const contents = ownMember(result, "contents");
  if (!Array.isArray(contents)) throw malformed("contents is not a list");
  const own = (contents as JsonValue[]).filter((item): item is JsonObject => {
    const name = isJsonObject(item) ? ownMember(item, "uri") : undefined;
    return typeof name === "string" && canonicalSkillUri(name) === uri;
  });
  const [content] = own;
  if (content === undefined || own.length > 1) throw malformed(`the file is there ${own.length} times`);
  return content;
}

/** The bytes; undefined when it shows without decoding that there are more than `most`. */
function bytesOf(content: JsonObject, most: number): Uint8Array<ArrayBuffer> | undefined {
  const text = ownMember(content, "text");
  const blob = ownMember(content, "blob");
  if ((typeof text === "string") === (typeof blob === "string")) throw malformed("the file is neither text nor blob, or both");
  if (typeof text === "string") {
    // A text has at least as many bytes of UTF-8 as units of UTF-16.
    return text.length > most ? undefined : new TextEncoder().encode(text);
  }
  // Four characters are three bytes, and padding stands for two at most.
  if ((blob as string).length / 4 * 3 - 2 > most) return undefined;
  const bytes = decodeBase64(blob as string);
  if (bytes === undefined) throw malformed("the blob is not Base64");
  return bytes;
}

function malformed(found: string): TransportError {
  return new TransportError("not_mcp", `Reading the answer to resources/read: ${found}`);
}
