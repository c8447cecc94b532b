/** Results: what a server answers to calls, reads, prompts, completions and discovery. */
import type { JsonObject } from "../json.ts";
import type { ServerCapabilities } from "./capabilities.ts";
import type { ContentBlock, PromptMessage, ResourceContents } from "./content.ts";

/**
 * A tool result (MCP 2026-07-28, Tools § Tool Result). When `isError` is true the tool ran and reports its own failure in
 * `content`; a tool that could not be called at all is a `ProtocolError` instead.
 */
export type CallToolResult<T = unknown> =
  | (
    & {
      /** Tells it from a result that asks for input. */
      readonly resultType: "complete";
      /** The blocks, for the model. */
      readonly content: readonly ContentBlock[];
      /** The tool did what it was asked. */
      readonly isError?: false;
      /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
      readonly _meta?: JsonObject;
    }
    & ([undefined] extends [T] ? {
        /** The value for programs, as the tool's output schema has it; absent from tools without one. */
        readonly structuredContent?: T;
      }
      : {
        /** The value for programs, as the tool's output schema has it. */
        readonly structuredContent: T;
      })
  )
  | {
    /** Tells it from a result that asks for input. */
    readonly resultType: "complete";
    /** The failure in words, for the model. */
    readonly content: readonly ContentBlock[];
    /** Any value; the output schema does not bind a failure. */
    readonly structuredContent?: unknown;
    /** The tool failed. */
    readonly isError: true;
    /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
    readonly _meta?: JsonObject;
  };

/** The contents of a read (MCP 2026-07-28, Resources § Reading Resources). */
export interface ReadResourceResult {
  /** Tells it from a result that asks for input. */
  readonly resultType: "complete";
  /** The contents: one entry, or one for each part of the resource. */
  readonly contents: readonly ResourceContents[];
  /** Milliseconds from its arrival for which the answer stays fresh; 0 means do not keep. */
  readonly ttlMs?: number | undefined;
  /** "public": whoever asks gets the same answer. "private": for the caller's credential only. */
  readonly cacheScope?: "public" | "private" | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** A rendered prompt (MCP 2026-07-28, Prompts § Getting a Prompt). */
export interface GetPromptResult {
  /** Tells it from a result that asks for input. */
  readonly resultType: "complete";
  /** What it is for. */
  readonly description?: string | undefined;
  /** The messages, in order. */
  readonly messages: readonly PromptMessage[];
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** Completion values (MCP 2026-07-28, Completion § CompleteResult). */
export interface CompleteResult {
  /** Tells it from a result that asks for input. */
  readonly resultType: "complete";
  /** The values and how many there are. */
  readonly completion: {
    /** The values, best first, at most 100. */
    readonly values: readonly string[];
    /** How many there are in all, when known. */
    readonly total?: number | undefined;
    /** Whether there are more than these. */
    readonly hasMore?: boolean | undefined;
  };
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** What a server says about itself (MCP 2026-07-28, Discovery § DiscoverResult). */
export interface DiscoverResult {
  /** Tells it from a result that asks for input. */
  readonly resultType: "complete";
  /** The revisions that it speaks, for the requests that follow. */
  readonly supportedVersions: readonly string[];
  /** What it can do. */
  readonly capabilities: ServerCapabilities;
  /** How to use it, for the model. Untrusted. */
  readonly instructions?: string | undefined;
  /** Milliseconds from its arrival for which the answer stays fresh; 0 means do not keep. */
  readonly ttlMs?: number | undefined;
  /** "public": whoever asks gets the same answer. "private": for the caller's credential only. */
  readonly cacheScope?: "public" | "private" | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`; the server's name and version stand here. */
  readonly _meta?: JsonObject | undefined;
}
