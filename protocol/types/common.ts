/** What many shapes of the protocol share: who speaks, icons, implementations, annotations and cache hints. */

/** Who speaks or is meant to read (MCP 2026-07-28, Prompts § PromptMessage; Resources § Annotations). */
export type Role = "user" | "assistant";

/** An icon that a host may draw (MCP 2026-07-28, Basic § `icons`). Untrusted: an SVG can hold scripts. */
export interface Icon {
  /** An absolute https URL, or a `data:` URI with base64 content. */
  readonly src: string;
  /** The media type, such as "image/png", when the one that `src` answers with is missing or too general. */
  readonly mimeType?: string | undefined;
  /** Sizes in pixels as "48x48", or "any" for a scalable image; any size when absent. */
  readonly sizes?: readonly string[] | undefined;
  /** The background that it was drawn for; either when absent. */
  readonly theme?: "light" | "dark" | undefined;
}

/**
 * Name and version of a client or server, in its own words: for display and logs, never a proof of identity (MCP 2026-07-28,
 * Basic § `_meta`).
 */
export interface Implementation {
  /** The name for programs; shown when there is no `title`. */
  readonly name: string;
  /** The version of this implementation, in whatever scheme it uses. */
  readonly version: string;
  /** The name for people. */
  readonly title?: string | undefined;
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Icons that stand for it, any of which may be drawn. */
  readonly icons?: readonly Icon[] | undefined;
  /** The address of its website. */
  readonly websiteUrl?: string | undefined;
}

/**
 * Hints about who should see a piece of content (MCP 2026-07-28, Resources § Annotations). Untrusted when they come from a
 * server.
 */
export interface Annotations {
  /** For whom it is meant; for everybody when absent. */
  readonly audience?: readonly Role[] | undefined;
  /** How much it matters, from 0 (entirely optional) to 1 (effectively required). */
  readonly priority?: number | undefined;
  /** When it last changed, as ISO 8601: "2026-01-12T15:00:58Z". */
  readonly lastModified?: string | undefined;
}

/** How long, and for whom, an answer may be kept (MCP 2026-07-28, Caching § Cacheable Model). */
export interface CacheHint {
  /** Milliseconds from its arrival for which an answer stays fresh; 0 means do not keep. */
  readonly ttlMs?: number | undefined;
  /** "public": whoever asks gets the same answer. "private": for the caller's credential only. */
  readonly cacheScope?: "public" | "private" | undefined;
}
