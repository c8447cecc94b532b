/** Content blocks and prompt messages: short ways to write them. */
import { encodeBase64 } from "../protocol/base64.ts";
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
} from "../protocol/types.ts";

/** What every block may carry. */
export interface BlockOptions {
  /** Who should see it, and how much it matters. */
  readonly annotations?: Annotations | undefined;
  /** Becomes `_meta`. */
  readonly meta?: JsonObject | undefined;
}

/** A text block. */
export function text(text: string, options?: BlockOptions): TextContent {
  return { type: "text", text, ...beside(options) };
}

/** An image block from bytes or base64. */
export function image(data: Uint8Array | string, mimeType: string, options?: BlockOptions): ImageContent {
  return { type: "image", data: base64(data), mimeType, ...beside(options) };
}

/** An audio block from bytes or base64. */
export function audio(data: Uint8Array | string, mimeType: string, options?: BlockOptions): AudioContent {
  return { type: "audio", data: base64(data), mimeType, ...beside(options) };
}

/** A resource carried in the result: a string becomes text, bytes become a blob. */
export function embed(
  uri: string | URL,
  data: string | Uint8Array,
  options?: BlockOptions & { readonly mimeType?: string | undefined },
): EmbeddedResource {
  const held = typeof data === "string" ? { text: data } : { blob: encodeBase64(data) };
  const mimeType = options?.mimeType ?? (typeof data === "string" ? "text/plain" : "application/octet-stream");
  return { type: "resource", resource: { uri: String(uri), mimeType, ...held }, ...beside(options) };
}

/** A pointer to a resource. */
export function link(
  uri: string | URL,
  options: BlockOptions & Omit<ResourceLink, "type" | "uri" | "annotations" | "_meta">,
): ResourceLink {
  const { annotations: _annotations, meta: _meta, ...rest } = options;
  return { type: "resource_link", uri: String(uri), ...rest, ...beside(options) };
}

/** A prompt message from the user. */
export function user(content: string | ContentBlock): PromptMessage {
  return { role: "user", content: block(content) };
}

/** A prompt message from the assistant. */
export function assistant(content: string | ContentBlock): PromptMessage {
  return { role: "assistant", content: block(content) };
}

function block(content: string | ContentBlock): ContentBlock {
  return typeof content === "string" ? { type: "text", text: content } : content;
}

function base64(data: Uint8Array | string): string {
  return typeof data === "string" ? data : encodeBase64(data);
}

function beside(options: BlockOptions | undefined): { annotations?: Annotations; _meta?: JsonObject } {
  return {
    ...(options?.annotations === undefined ? {} : { annotations: options.annotations }),
    ...(options?.meta === undefined ? {} : { _meta: options.meta }),
  };
}
