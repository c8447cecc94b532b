/** What arrives beside results: progress, log messages and changes. */

/** Severity of a log message, lowest first (RFC 5424 § 6.2.1; MCP 2026-07-28, Logging § Log Levels). */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** Progress of one request (MCP 2026-07-28, Progress § Progress Flow). */
export interface Progress {
  /** How far it is, in the unit of `total`; each report is higher than the one before. */
  readonly progress: number;
  /** Where it ends, when known. */
  readonly total?: number | undefined;
  /** What happens now, for people. */
  readonly message?: string | undefined;
}

/**
 * What a change stream should carry (MCP 2026-07-28, Subscriptions § Notification Filter). Extension keys (such as Tasks'
 * `taskIds`) pass unchanged.
 */
export interface SubscriptionFilter {
  /** Say when the list of tools changes. False when absent. */
  readonly toolsListChanged?: boolean | undefined;
  /** Say when the list of prompts changes. False when absent. */
  readonly promptsListChanged?: boolean | undefined;
  /** Say when the list of resources changes. False when absent. */
  readonly resourcesListChanged?: boolean | undefined;
  /** Say when one of the resources with these URIs changes. */
  readonly resourceSubscriptions?: readonly string[] | undefined;
  /** What an extension adds. */
  readonly [extensionKey: string]: unknown;
}
