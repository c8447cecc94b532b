/** Progress of one request: never goes back, and at most so many notifications a second. */
import type { Progress } from "../../protocol/types.ts";
import type { Exchange } from "../core.ts";

/** Reports progress; resolves when there is room for more. */
export type ReportProgress = (progress: number, total?: number, message?: string) => Promise<void>;

const SECOND = 1000;

/**
 * Makes the reporter of one request. Without a progress token it does nothing. A report that comes too soon is held
 * back; the last one always goes, before the answer (MCP 2026-07-28, Progress § Behavior requirements).
 */
export function createProgress(exchange: Exchange): ReportProgress {
  const token = exchange.request.progressToken;
  if (token === undefined) return () => Promise.resolve();
  const perSecond = exchange.core.limits.progressPerSecond;
  let last = -Infinity;
  let windowStart = 0;
  let sent = 0;
  let held: Progress | undefined;
  const send = (progress: Progress): Promise<void> => exchange.emit(exchange.dialect.writeProgress(token, progress));
  exchange.beforeAnswer = () => {
    if (held !== undefined) send(held);
    held = undefined;
  };
  return (progress, total, message) => {
    if (!Number.isFinite(progress)) throw new TypeError("ctx.progress: Expected a finite number");
    if (total !== undefined && !Number.isFinite(total)) throw new TypeError("ctx.progress: Expected a finite number as total");
    if (message !== undefined && typeof message !== "string") throw new TypeError("ctx.progress: Expected a string as message");
    if (progress <= last) return Promise.resolve();
    last = progress;
    const report: Progress = {
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    const now = Date.now();
    if (now - windowStart >= SECOND) {
      windowStart = now;
      sent = 0;
    }
    if (sent >= perSecond) {
      held = report;
      return Promise.resolve();
    }
    sent++;
    held = undefined;
    return send(report);
  };
}
