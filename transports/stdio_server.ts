/** Serves a server on our own standard streams. */
import { resolveLimits } from "../protocol/limits.ts";
import type { LimitOptions } from "../protocol/limits.ts";
import { servePipe } from "./byte_stream.ts";
import { standardStreams } from "./process.ts";
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
 * Serves on standard input and output until the input ends (MCP 2026-07-28, stdio § Shutdown). Meanwhile `console` writes
 * to standard error, because standard output may hold nothing but messages.
 *
 * @param server Any server.
 * @param options What ends it early, and bounds.
 * @returns Resolves when the input has ended; calls that still run are cancelled. The program then ends by itself, unless
 * it has other work.
 */
export async function serveStandardStreams(server: Served, options: ServeStandardStreamsOptions = {}): Promise<void> {
  const settings = settingsOf(server);
  const limits = options.limits === undefined ? settings.limits : resolveLimits(options.limits);
  const streams = standardStreams();
  const restore = redirectConsole(streams.errorConsole());
  try {
    await servePipe((message, about) => server.handle(message, about), streams.pipe, {
      info: { transport: "stdio" },
      limits,
      signal: options.signal,
      onError: options.onError ?? settings.onError,
    });
  } finally {
    restore();
  }
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
