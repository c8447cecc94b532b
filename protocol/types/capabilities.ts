/** Capabilities: what the two sides say they can do. */
import type { JsonObject } from "../json.ts";

/** What a client says it can do, with each request (MCP 2026-07-28, Basic § `_meta`). */
export interface ClientCapabilities {
  /** It can ask a person: with a form, at a URL. Empty means `form` alone (MCP 2026-07-28, Elicitation § Capabilities). */
  readonly elicitation?: { readonly form?: JsonObject | undefined; readonly url?: JsonObject | undefined } | undefined;
  /** It can ask a model; with tools, with the context of servers (MCP 2026-07-28, Sampling § Capabilities; deprecated there). */
  readonly sampling?: { readonly tools?: JsonObject | undefined; readonly context?: JsonObject | undefined } | undefined;
  /**
   * It can list its roots; `listChanged` only on a handshake connection (MCP 2026-07-28, Roots § Capabilities; deprecated
   * there).
   */
  readonly roots?: { readonly listChanged?: boolean | undefined } | undefined;
  /** Extensions by identifier, each with its settings (MCP 2026-07-28, Versioning § Extension Negotiation). */
  readonly extensions?: { readonly [id: string]: JsonObject } | undefined;
  /** What no specification names. */
  readonly experimental?: { readonly [key: string]: JsonObject } | undefined;
}

/** What a server says it can do (MCP 2026-07-28, Discovery § DiscoverResult). */
export interface ServerCapabilities {
  /** It has tools; `listChanged`: it says when their list changes (MCP 2026-07-28, Tools § Capabilities). */
  readonly tools?: { readonly listChanged?: boolean | undefined } | undefined;
  /**
   * It has resources; `subscribe`: it says when one changes; `listChanged`: it says when their list changes
   * (MCP 2026-07-28, Resources § Capabilities).
   */
  readonly resources?: { readonly subscribe?: boolean | undefined; readonly listChanged?: boolean | undefined } | undefined;
  /** It has prompts; `listChanged`: it says when their list changes (MCP 2026-07-28, Prompts § Capabilities). */
  readonly prompts?: { readonly listChanged?: boolean | undefined } | undefined;
  /** It completes arguments and variables (MCP 2026-07-28, Completion § Capabilities). */
  readonly completions?: JsonObject | undefined;
  /** It sends log messages (MCP 2026-07-28, Logging § Capabilities; deprecated there). */
  readonly logging?: JsonObject | undefined;
  /** Extensions by identifier, each with its settings (MCP 2026-07-28, Versioning § Extension Negotiation). */
  readonly extensions?: { readonly [id: string]: JsonObject } | undefined;
  /** What no specification names. */
  readonly experimental?: { readonly [key: string]: JsonObject } | undefined;
}
