/** Sampling: what a server asks the client's model, and what it answers. Deprecated by MCP 2026-07-28, and still spoken. */
import type { JsonObject, JsonValue } from "../json.ts";
import type { Role } from "./common.ts";
import type { AudioContent, ContentBlock, ImageContent, TextContent } from "./content.ts";
import type { Tool } from "./definitions.ts";

/** A model's wish to call a tool (MCP 2026-07-28, Sampling § Sampling with Tools). */
export interface ToolUseContent {
  /** Tells wishes from other blocks. */
  readonly type: "tool_use";
  /** Names this wish; the outcome repeats it. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** The arguments. */
  readonly input: JsonObject;
  /** Metadata, to be kept when the block is sent again. */
  readonly _meta?: JsonObject | undefined;
}

/** The outcome of a tool that a model asked for (MCP 2026-07-28, Sampling § Tool Result Messages). */
export interface ToolResultContent {
  /** Tells outcomes from other blocks. */
  readonly type: "tool_result";
  /** The `id` of the wish. */
  readonly toolUseId: string;
  /** The blocks, as a tool result has them. */
  readonly content: readonly ContentBlock[];
  /** The structured content, as a tool result has it. */
  readonly structuredContent?: JsonValue | undefined;
  /** The tool ran and reports its own failure. False when absent. */
  readonly isError?: boolean | undefined;
  /** Metadata, to be kept when the block is sent again. */
  readonly _meta?: JsonObject | undefined;
}

/** One block of a sampling message, told apart by `type` (MCP 2026-07-28, Sampling § Messages). */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One message of a sampling conversation (MCP 2026-07-28, Sampling § Messages). */
export interface SamplingMessage {
  /** Who speaks. */
  readonly role: Role;
  /** What is said: one block, or several. */
  readonly content: SamplingContent | readonly SamplingContent[];
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** A request to the client's model, which the client may change or refuse (MCP 2026-07-28, Sampling § Creating Messages). */
export interface SamplingParams {
  /** The conversation so far. */
  readonly messages: readonly SamplingMessage[];
  /** Tokens at most; the client may take fewer. */
  readonly maxTokens: number;
  /** What the model is told first. */
  readonly systemPrompt?: string | undefined;
  /** How much chance there is in the answer, on the scale of the model's provider. */
  readonly temperature?: number | undefined;
  /** Texts at which the model stops. */
  readonly stopSequences?: readonly string[] | undefined;
  /** Which model to choose; advice (MCP 2026-07-28, Sampling § Model Preferences). */
  readonly modelPreferences?: {
    /** Parts of model names, the best first; they go before the numbers. */
    readonly hints?: readonly { readonly name?: string | undefined }[] | undefined;
    /** How much a low price matters, 0 to 1. */
    readonly costPriority?: number | undefined;
    /** How much a fast answer matters, 0 to 1. */
    readonly speedPriority?: number | undefined;
    /** How much ability matters, 0 to 1. */
    readonly intelligencePriority?: number | undefined;
  } | undefined;
  /** Whose context to add. "none" when absent; the others need the capability `sampling.context`. */
  readonly includeContext?: "none" | "thisServer" | "allServers" | undefined;
  /** Tools that the model may wish to call; needs the capability `sampling.tools`. */
  readonly tools?: readonly Tool[] | undefined;
  /** Whether it may ("auto", the default), must ("required") or must not ("none") wish to; needs `sampling.tools`. */
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" | undefined } | undefined;
  /** Passed on to the model's provider, in its own form. */
  readonly metadata?: JsonObject | undefined;
}

/** What the client's model answered (MCP 2026-07-28, Sampling § Result Fields). */
export interface SamplingResult {
  /** Who speaks: the assistant. */
  readonly role: Role;
  /** What is said: one block, or several. */
  readonly content: SamplingContent | readonly SamplingContent[];
  /** The name of the model that answered. */
  readonly model: string;
  /** Why it stopped: "endTurn", "stopSequence", "maxTokens", "toolUse" or a provider's own word. */
  readonly stopReason?: string | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}
