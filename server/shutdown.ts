/** The graceful end of a server. */
import { WATCH_INTERVAL } from "../protocol/limits.ts";
import type { Core } from "./core.ts";

/**
 * Takes nothing new, ends change streams with their result, waits for what runs, then aborts it.
 *
 * @param core What the server's parts share.
 * @param drain Milliseconds to wait.
 */
export async function closeServer(core: Core, drain: number): Promise<void> {
  core.closed = true;
  core.subscriptions.endAll();
  const until = Date.now() + drain;
  while (core.running.size > 0 && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(WATCH_INTERVAL, drain)));
  }
  core.running.endAll(new DOMException("The server is closing", "AbortError"));
}
