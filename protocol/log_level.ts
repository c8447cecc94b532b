/** The severities of log messages (RFC 5424 § 6.2.1, as MCP 2026-07-28, Logging § Log Levels names them). */
import type { LogLevel } from "./types.ts";

/** Every severity, the least first. */
export const LOG_LEVELS: readonly LogLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** Says whether a value names a severity. */
export function isLogLevel(value: unknown): value is LogLevel {
  return (LOG_LEVELS as readonly unknown[]).includes(value);
}
