/** Content: the blocks of tool results and prompt messages, and the contents of resources. */
import type { JsonObject } from "../json.ts";
import type { Annotations, Icon, Role } from "./common.ts";

/** Text for the model or the user (MCP 2026-07-28, Tools § Text Content). */
export interface TextContent {
  /** Tells text from other blocks. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
  /** Who should see it. */
  readonly annotations?: Annotations | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** An image (MCP 2026-07-28, Tools § Image Content). */
export interface ImageContent {
  /** Tells images from other blocks. */
  readonly type: "image";
  /** The bytes, in base64. */
  readonly data: string;
  /** The media type, such as "image/png". */
  readonly mimeType: string;
  /** Who should see it. */
  readonly annotations?: Annotations | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** A sound (MCP 2026-07-28, Tools § Audio Content). */
export interface AudioContent {
  /** Tells sounds from other blocks. */
  readonly type: "audio";
  /** The bytes, in base64. */
  readonly data: string;
  /** The media type, such as "audio/wav". */
  readonly mimeType: string;
  /** Who should hear it. */
  readonly annotations?: Annotations | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** The contents of a text resource (MCP 2026-07-28, Resources § Resource Contents). */
export interface TextResourceContents {
  /** The URI that these contents have; a read may answer with several, below the one that was asked for. */
  readonly uri: string;
  /** The media type, when known. */
  readonly mimeType?: string | undefined;
  /** The text. */
  readonly text: string;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** The contents of a binary resource (MCP 2026-07-28, Resources § Resource Contents). */
export interface BlobResourceContents {
  /** The URI that these contents have; a read may answer with several, below the one that was asked for. */
  readonly uri: string;
  /** The media type, when known. */
  readonly mimeType?: string | undefined;
  /** The bytes, in base64. */
  readonly blob: string;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** The contents of a resource: text or bytes (MCP 2026-07-28, Resources § Resource Contents). */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/** A resource carried inside a result (MCP 2026-07-28, Tools § Embedded Resources). */
export interface EmbeddedResource {
  /** Tells embedded resources from other blocks. */
  readonly type: "resource";
  /** Its contents. */
  readonly resource: ResourceContents;
  /** Who should see it. */
  readonly annotations?: Annotations | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/**
 * A pointer to a resource that the client may read; `resources/list` need not name it (MCP 2026-07-28, Tools § Resource Links).
 */
export interface ResourceLink {
  /** Tells links from other blocks. */
  readonly type: "resource_link";
  /** The URI to read. */
  readonly uri: string;
  /** The name for programs; shown when there is no `title`. */
  readonly name: string;
  /** The name for people. */
  readonly title?: string | undefined;
  /** What it is, for the model. */
  readonly description?: string | undefined;
  /** The media type, when known. */
  readonly mimeType?: string | undefined;
  /** Bytes of the raw content, before any encoding, when known. */
  readonly size?: number | undefined;
  /** Icons that stand for it, any of which may be drawn. */
  readonly icons?: readonly Icon[] | undefined;
  /** Who should see it. */
  readonly annotations?: Annotations | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** One block of a tool result or a prompt message, told apart by `type` (MCP 2026-07-28, Tools § Tool Result). */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

/** One message of a rendered prompt (MCP 2026-07-28, Prompts § PromptMessage). */
export interface PromptMessage {
  /** Who speaks. */
  readonly role: Role;
  /** What is said: one block. */
  readonly content: ContentBlock;
}
