/** The text of a result. */
import type { ContentBlock, ReadResourceResult, SamplingContent } from "../protocol/types.ts";

/**
 * Joins the text blocks of a result, or the texts of what was read, with line ends; what is no text is left out.
 *
 * @param result A tool result, a prompt message, what a model answered, or what was read of a resource.
 * @returns The text; the empty string when there is none.
 */
export function textOf(
  result:
    | { readonly content: ContentBlock | SamplingContent | readonly (ContentBlock | SamplingContent)[] }
    | Pick<ReadResourceResult, "contents">,
): string {
  if ("contents" in result) return result.contents.flatMap((one) => "text" in one ? [one.text] : []).join("\n");
  const { content } = result;
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.filter((block) => block.type === "text").map((block) => block.text).join("\n");
}
