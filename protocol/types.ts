/** The vocabulary of the protocol: shapes that cross the wire, spelled as the specification spells them. */
import type { JsonObject, JsonValue } from "./json.ts";

export type { JsonObject, JsonValue } from "./json.ts";
export type { LimitOptions, Limits } from "./limits.ts";

/** A value, or a promise of one. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Protocol revisions this package speaks, newest first; other strings are allowed so that newer ones can be named. */
export type ProtocolVersion = "2026-07-28" | "2025-11-25" | "2025-06-18";

/** Stateless revisions are "modern"; those that begin with a handshake are "legacy". */
export type Era = "modern" | "legacy";

/** Who speaks or is meant to read. */
export type Role = "user" | "assistant";

/** Severity of a log message, lowest first. */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** An icon that a host may draw. */
export interface Icon {
  /** Absolute https or data URI. */
  readonly src: string;
  readonly mimeType?: string | undefined;
  /** For example "48x48" or "any". */
  readonly sizes?: readonly string[] | undefined;
  readonly theme?: "light" | "dark" | undefined;
}

/** Name and version of a client or server. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly websiteUrl?: string | undefined;
}

/** Hints about who should see a piece of content. */
export interface Annotations {
  readonly audience?: readonly Role[] | undefined;
  /** 0 (optional) to 1 (required). */
  readonly priority?: number | undefined;
  /** ISO 8601. */
  readonly lastModified?: string | undefined;
}

/** Hints about what a tool does. Untrusted when they come from a server. */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** Text for the model or the user. */
export interface TextContent {
  readonly type: "text";
  readonly text: string;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** An image, base64. */
export interface ImageContent {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** A sound, base64. */
export interface AudioContent {
  readonly type: "audio";
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** The contents of a text resource. */
export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text: string;
  readonly _meta?: JsonObject | undefined;
}

/** The contents of a binary resource, base64. */
export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly blob: string;
  readonly _meta?: JsonObject | undefined;
}

/** The contents of a resource. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/** A resource carried inside a result. */
export interface EmbeddedResource {
  readonly type: "resource";
  readonly resource: ResourceContents;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** A pointer to a resource that the client may read. */
export interface ResourceLink {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly size?: number | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** One block of a tool result or a prompt message. */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

/** A tool as a server lists it. */
export interface Tool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** A resource as a server lists it. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly size?: number | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** A resource template as a server lists it. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** A prompt as a server lists it. */
export interface Prompt {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly arguments?:
    | readonly {
      readonly name: string;
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly required?: boolean | undefined;
    }[]
    | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** One message of a rendered prompt. */
export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

/** What a client says it can do. */
export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: JsonObject | undefined; readonly url?: JsonObject | undefined } | undefined;
  readonly sampling?: { readonly tools?: JsonObject | undefined; readonly context?: JsonObject | undefined } | undefined;
  readonly roots?: { readonly listChanged?: boolean | undefined } | undefined;
  readonly extensions?: { readonly [id: string]: JsonObject } | undefined;
  readonly experimental?: { readonly [key: string]: JsonObject } | undefined;
}

/** What a server says it can do. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean | undefined } | undefined;
  readonly resources?: { readonly subscribe?: boolean | undefined; readonly listChanged?: boolean | undefined } | undefined;
  readonly prompts?: { readonly listChanged?: boolean | undefined } | undefined;
  readonly completions?: JsonObject | undefined;
  readonly logging?: JsonObject | undefined;
  readonly extensions?: { readonly [id: string]: JsonObject } | undefined;
  readonly experimental?: { readonly [key: string]: JsonObject } | undefined;
}

/** How long, and for whom, an answer may be kept. */
export interface CacheHint {
  /** Milliseconds; 0 means do not keep. */
  readonly ttlMs?: number | undefined;
  /** "private": for the caller's credential only. */
  readonly cacheScope?: "public" | "private" | undefined;
}

/** Progress of one request. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** A root that the client shows to the server. */
export interface Root {
  readonly uri: string;
  readonly name?: string | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** A model's wish to call a tool. */
export interface ToolUseContent {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly _meta?: JsonObject | undefined;
}

/** The outcome of a tool that a model asked for. */
export interface ToolResultContent {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue | undefined;
  readonly isError?: boolean | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** One block of a sampling message. */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One message of a sampling conversation. */
export interface SamplingMessage {
  readonly role: Role;
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly _meta?: JsonObject | undefined;
}

/** A request to the client's model. */
export interface SamplingParams {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string | undefined;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly modelPreferences?: {
    readonly hints?: readonly { readonly name?: string | undefined }[] | undefined;
    readonly costPriority?: number | undefined;
    readonly speedPriority?: number | undefined;
    readonly intelligencePriority?: number | undefined;
  } | undefined;
  readonly includeContext?: "none" | "thisServer" | "allServers" | undefined;
  readonly tools?: readonly Tool[] | undefined;
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" | undefined } | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** What the client's model answered. */
export interface SamplingResult {
  readonly role: Role;
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly model: string;
  readonly stopReason?: string | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** The params of a form elicitation. */
export interface ElicitFormParams {
  readonly mode?: "form" | undefined;
  readonly message: string;
  readonly requestedSchema: JsonObject;
}

/** The params of a URL elicitation. */
export interface ElicitUrlParams {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
}

/** What a person answered. `content` is there only when a form was accepted. */
export type ElicitResult<T = JsonObject> =
  | { readonly action: "accept"; readonly content: T }
  | { readonly action: "decline"; readonly content?: undefined }
  | { readonly action: "cancel"; readonly content?: undefined };

/** What a person answered to a URL. */
export interface ElicitUrlResult {
  readonly action: "accept" | "decline" | "cancel";
}

/** One question of a server to the client. */
export type InputRequest =
  | { readonly method: "elicitation/create"; readonly params: ElicitFormParams | ElicitUrlParams }
  | { readonly method: "sampling/createMessage"; readonly params: SamplingParams }
  | { readonly method: "roots/list"; readonly params?: JsonObject };

/** Questions by key. */
export type InputRequests = { readonly [key: string]: InputRequest };

/** Answers by key. */
export type InputResponses = {
  readonly [key: string]: ElicitResult | ElicitUrlResult | SamplingResult | { readonly roots: readonly Root[] };
};

/** A tool result. When `isError` is true the tool ran and reports its own failure in `content`. */
export type CallToolResult<T = unknown> =
  | {
    readonly resultType: "complete";
    readonly content: readonly ContentBlock[];
    readonly structuredContent: T;
    readonly isError?: false;
    readonly _meta?: JsonObject;
  }
  | {
    readonly resultType: "complete";
    readonly content: readonly ContentBlock[];
    readonly structuredContent?: unknown;
    readonly isError: true;
    readonly _meta?: JsonObject;
  };

/** The contents of a read. */
export interface ReadResourceResult {
  readonly resultType: "complete";
  readonly contents: readonly ResourceContents[];
  readonly ttlMs?: number | undefined;
  readonly cacheScope?: "public" | "private" | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** A rendered prompt. */
export interface GetPromptResult {
  readonly resultType: "complete";
  readonly description?: string | undefined;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject | undefined;
}

/** Completion values. */
export interface CompleteResult {
  readonly resultType: "complete";
  readonly completion: {
    readonly values: readonly string[];
    readonly total?: number | undefined;
    readonly hasMore?: boolean | undefined;
  };
  readonly _meta?: JsonObject | undefined;
}

/** What a server says about itself. */
export interface DiscoverResult {
  readonly resultType: "complete";
  readonly supportedVersions: readonly string[];
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string | undefined;
  readonly ttlMs?: number | undefined;
  readonly cacheScope?: "public" | "private" | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** What a change stream should carry. Extension keys (such as Tasks' `taskIds`) pass unchanged. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean | undefined;
  readonly promptsListChanged?: boolean | undefined;
  readonly resourcesListChanged?: boolean | undefined;
  readonly resourceSubscriptions?: readonly string[] | undefined;
  readonly [extensionKey: string]: unknown;
}

/** Headers as `fetch` takes them, without a name that only the DOM library knows. */
export type HeadersLike = Headers | Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];

/** A JSON-RPC request id. */
export type RequestId = string | number;

/** A JSON-RPC request. */
export interface JsonRpcRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

/** A JSON-RPC notification. */
export interface JsonRpcNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

/** A JSON-RPC response. */
export type JsonRpcResponse =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: JsonObject }
  | {
    readonly jsonrpc: "2.0";
    readonly id?: RequestId;
    readonly error: { readonly code: number; readonly message: string; readonly data?: JsonValue };
  };

/** Any JSON-RPC message. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;
