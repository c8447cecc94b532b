/** Serves a server on our own standard streams. */
import { PARENT_LOOK, resolveLimits } from "../protocol/limits.ts";
import type { LimitOptions } from "../protocol/limits.ts";
import { parentProcess, standardStreams } from "./process.ts";
import { servePipe } from "./serve_pipe.ts";
import { settingsOf } from "./served_settings.ts";
import type { Served } from "./transport.ts";

/** Options of {@linkcode serveStandardStreams}. */
export interface ServeStandardStreamsOptions {
  /** Ends serving. */
  readonly signal?: AbortSignal | undefined;
  /** Bounds; those of the server by default. */
  readonly limits?: LimitOptions | undefined;
  /** Told what a handler threw; nobody by default. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Serves on standard input and output until the input ends (MCP 2026-07-28, stdio § Shutdown), or until the process that
 * started us is gone, where the platform tells: somebody else may hold our input open.
 *
 * Standard output may hold nothing but messages. Meanwhile `console` and `process.stdout.write` write to standard error.
 * Nothing can be done about code that writes to `Deno.stdout` or the file descriptor itself: it must not.
 *
 * @param server Any server.
 * @param options What ends it early, and bounds.
 * @returns Resolves when serving has ended; calls that still run are cancelled. The program then ends by itself, unless it
 * has other work.
 */
export async function serveStandardStreams(server: Served, options: ServeStandardStreamsOptions = {}): Promise<void> {
  const settings = settingsOf(server);
  const limits = options.limits === undefined ? settings.limits : resolveLimits(options.limits);
  const streams = standardStreams();
  const restoreConsole = redirectConsole(streams.errorConsole());
  const restoreOutput = streams.guardOutput();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const unwatch = watchParent(end);
  options.signal?.addEventListener("abort", end);
  if (options.signal?.aborted === true) end();
  try {
    await servePipe((message, about) => server.handle(message, about), streams.pipe, {
      info: { transport: "stdio" },
      limits,
      signal: ending.signal,
      onError: options.onError ?? settings.onError,
    });
  } finally {
    unwatch();
    options.signal?.removeEventListener("abort", end);
    restoreOutput();
    restoreConsole();
  }
}

/** Calls back once the process that started us is gone: somebody else is our parent then. */
function watchParent(onGone: () => void): () => void {
  const first = parentProcess();
  if (first === undefined) return () => undefined;
  const timer = setInterval(() => {
    if (parentProcess() === first) return;
    clearInterval(timer);
    onGone();
  }, PARENT_LOOK);
  return () => clearInterval(timer);
}

type Methods = Record<string, unknown>;

/** Every method of a console that writes to standard output. */
const WRITING = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "group",
  "groupCollapsed",
  "groupEnd",
  "count",
  "countReset",
  "time",
  "timeLog",
  "timeEnd",
  "assert",
  "trace",
  "warn",
  "error",
  "clear",
];

/** Puts the methods of another console in place of ours; the result puts ours back. */
function redirectConsole(target: object): () => void {
  const ours = globalThis.console as unknown as Methods;
  const theirs = target as Methods;
  const before = WRITING.map((name) => [name, ours[name]] as const);
  for (const name of WRITING) {
    const method = theirs[name];
    if (typeof method === "function") ours[name] = method.bind(target);
  }
  return () => {
    for (const [name, method] of before) ours[name] = method;
  };
}
