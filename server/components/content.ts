/** Content blocks and prompt messages: short ways to write them. */
import { encodeBase64 } from "../../protocol/base64.ts";
import { checkObject, checkOptions } from "../../protocol/unknown_option.ts";
import type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  JsonObject,
  PromptMessage,
  ResourceLink,
  TextContent,
} from "../../protocol/types.ts";

/** What every block may carry. */
export interface BlockOptions {
  /** Who should see it, and how much it matters. */
  readonly annotations?: Annotations | undefined;
  /** Becomes `_meta`. */
  readonly meta?: JsonObject | undefined;
}

/**
 * A text block.
 *
 * @throws {TypeError} For malformed options.
 */
export function text(text: string, options?: BlockOptions): TextContent {
  return { type: "text", text, ...beside(options, "text") };
}

/**
 * An image block from bytes or base64.
 *
 * @throws {TypeError} For any other data, and for malformed options.
 */
export function image(data: Uint8Array | string, mimeType: string, options?: BlockOptions): ImageContent {
  return { type: "image", data: base64(data, "image"), mimeType, ...beside(options, "image") };
}

/**
 * An audio block from bytes or base64.
 *
 * @throws {TypeError} For any other data, and for malformed options.
 */
export function audio(data: Uint8Array | string, mimeType: string, options?: BlockOptions): AudioContent {
  return { type: "audio", data: base64(data, "audio"), mimeType, ...beside(options, "audio") };
}

/**
 * A resource carried in the result: a string becomes text, bytes become a blob.
 *
 * @throws {TypeError} For any other data, and for malformed options.
 */
export function embed(
  uri: string | URL,
  data: string | Uint8Array,
  options?: BlockOptions & { readonly mimeType?: string | undefined },
): EmbeddedResource {
  const held = typeof data === "string" ? { text: data } : { blob: base64(data, "embed") };
  const mimeType = options?.mimeType ?? (typeof data === "string" ? "text/plain" : "application/octet-stream");
  return { type: "resource", resource: { uri: String(uri), mimeType, ...held }, ...beside(options, "embed", " mimeType") };
}

/**
 * A pointer to a resource.
 *
 * @throws {TypeError} For malformed options.
 */
export function link(
  uri: string | URL,
  options: BlockOptions & Omit<ResourceLink, "type" | "uri" | "annotations" | "_meta">,
): ResourceLink {
  checkObject(options, "link.options");
  const { annotations: _annotations, meta: _meta, ...rest } = options;
  const beneath = beside(options, "link", " name title description mimeType size icons");
  return { type: "resource_link", uri: String(uri), ...rest, ...beneath };
}

/**
 * A prompt message from the user. With a text, an image or a sound in it, it is a message for `ctx.sample` too.
 *
 * @throws {TypeError} For what is neither a text nor a block.
 */
export function user<C extends string | ContentBlock>(
  content: C,
): PromptMessage & { readonly content: C extends ContentBlock ? C : TextContent } {
  return { role: "user", content: block(content, "user") };
}

/**
 * A prompt message from the assistant. With a text, an image or a sound in it, it is a message for `ctx.sample` too.
 *
 * @throws {TypeError} For what is neither a text nor a block.
 */
export function assistant<C extends string | ContentBlock>(
  content: C,
): PromptMessage & { readonly content: C extends ContentBlock ? C : TextContent } {
  return { role: "assistant", content: block(content, "assistant") };
}

/** The block that a message holds: its type is that of the block given, or of a text. */
function block<B>(content: string | ContentBlock, path: string): B {
  if (typeof content === "string") return { type: "text", text: content } satisfies TextContent as B;
  checkObject(content, path);
  return content as B;
}

function base64(data: Uint8Array | string, path: string): string {
  if (typeof data === "string") return data;
  if (data instanceof Uint8Array) return encodeBase64(data);
  throw new TypeError(`${path}.data: Expected a string or bytes`);
}

/** `more` are the names of options that this block has alone, each with a blank in front. */
function beside(
  options: BlockOptions | undefined,
  name: string,
  more = "",
): { annotations?: Annotations; _meta?: JsonObject } {
  if (options === undefined) return {};
  checkOptions(options, name, `annotations meta${more}`);
  const { annotations, meta: _meta } = options;
  return { ...(annotations && { annotations }), ...(_meta && { _meta }) };
}
