/** The text of a result. */
import type { ContentBlock, SamplingContent } from "../protocol/types.ts";

/**
 * Joins the text blocks of a result with line ends; other blocks are left out.
 *
 * @param result A tool result, a prompt message, or what a model answered.
 * @returns The text; the empty string when there is none.
 */
export function textOf(
  result: { readonly content: ContentBlock | SamplingContent | readonly (ContentBlock | SamplingContent)[] },
): string {
  const { content } = result;
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.filter((block) => block.type === "text").map((block) => block.text).join("\n");
}
