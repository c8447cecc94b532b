/** Notifications of a server that every dialect writes alike: progress, and logs. */
import type { Dialect } from "../dialect.ts";

/** Writes a progress notification (MCP 2026-07-28, Progress; the same in MCP 2025-06-18). */
export const writeProgress: Dialect["writeProgress"] = (token, progress) => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken: token, ...progress },
});

/** Writes a log notification (MCP 2026-07-28, Logging; the same in MCP 2025-06-18). */
export const writeLog: Dialect["writeLog"] = (level, data, logger) => ({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: logger === undefined ? { level, data } : { level, logger, data },
});
