/** The server that carriers are tried with. */
import { defineServer } from "../server/server.ts";
import type { Server } from "../server/server_types.ts";
import { tool } from "../server/components/tool.ts";

/** A server whose handlers tell the case what happens to them. */
export interface CaseServer {
  /** The server. */
  readonly server: Server;
  /** How many calls of `wait` have begun. */
  readonly begun: () => number;
  /** How many calls of `wait` were told that nobody waits for them any more. */
  readonly ended: () => number;
  /** Resolves when a condition holds; looks again whenever a handler begins or ends. */
  until(condition: () => boolean): Promise<void>;
}

/** Makes a fresh server. */
export function caseServer(): CaseServer {
  let begun = 0;
  let ended = 0;
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  const echo = tool({ name: "echo", input: { type: "object" }, handler: (args) => ({ structured: args }) });
  const count = tool({
    name: "count",
    args: { to: { type: "integer", required: true } },
    async handler({ to }, ctx) {
      for (let step = 1; step <= to; step++) await ctx.progress(step, to);
      return "counted";
    },
  });
  const wait = tool({
    name: "wait",
    async handler(_args, ctx) {
      begun++;
      changed();
      await new Promise<void>((resolve) => {
        if (ctx.signal.aborted) resolve();
        else ctx.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      ended++;
      changed();
      return "over";
    },
  });
  const late = tool({
    name: "late",
    args: { turns: { type: "integer", required: true } },
    async handler({ turns }) {
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
      return { structured: { turns } };
    },
  });
  return {
    server: defineServer({ name: "cases", version: "1.0.0", tools: [echo, count, wait, late] }),
    begun: () => begun,
    ended: () => ended,
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!condition()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}
