/** The text of a result. */
import { isJsonObject } from "./json.ts";
import type { ContentBlock, ReadResourceResult, SamplingContent } from "./types.ts";

/**
 * Joins the text blocks of a result, or the texts of what was read, with line ends; what is no text is left out.
 *
 * @param result A tool result, a prompt message, what a model answered, or what was read of a resource.
 * @returns The text; the empty string when there is none.
 * @throws {TypeError} For what has neither `content` nor `contents`.
 */
export function textOf(
  result:
    | { readonly content: ContentBlock | SamplingContent | readonly (ContentBlock | SamplingContent)[] }
    | Pick<ReadResourceResult, "contents">,
): string {
  const given: unknown = result;
  if (!isJsonObject(given) || !("contents" in given || "content" in given)) {
    throw new TypeError("textOf: Expected a result with content or contents");
  }
  const { content, contents } = given;
  // A server may put anything anywhere.
  if (Array.isArray(contents)) return contents.flatMap((one) => one?.text ?? []).join("\n");
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.filter((block) => block?.type === "text").map((block) => block.text).join("\n");
}
