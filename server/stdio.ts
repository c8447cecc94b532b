/**
 * Serves a server on standard input and output.
 *
 * @example A program that a host starts
 * ```ts ignore
 * import { defineServer, tool } from "@causeway/mcp/server";
 * import { serveStdio } from "@causeway/mcp/stdio";
 *
 * const hello = tool({ name: "hello", handler: () => "Hello!" });
 * await serveStdio(defineServer({ name: "greeter", version: "1.0.0", tools: [hello] }));
 * ```
 *
 * @module
 */
import { checkObject, checkOptionNames } from "../protocol/unknown_option.ts";
import { checkServed } from "../transports/served_settings.ts";
import { serveStandardStreams } from "../transports/stdio_server.ts";
import type { Served } from "../transports/transport.ts";
export type {
  ClientCapabilities,
  Icon,
  Implementation,
  JsonObject,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonValue,
  LogLevel,
  RequestId,
} from "../protocol/types.ts";
export type {
  AuthInfo,
  Connection,
  HandshakeState,
  HeaderReader,
  MessageHandler,
  MessageInfo,
  Principal,
  Served,
  ServerTypes,
  Session,
} from "../transports/transport.ts";

/** Options of {@linkcode serveStdio}. */
export interface ServeStdioOptions {
  /** Ends serving early. */
  readonly signal?: AbortSignal | undefined;
}

const KNOWN: ReadonlySet<string> = new Set(["signal"]);

/**
 * Serves until stdin ends or the parent is gone. `console` writes to stderr meanwhile, because stdout may hold nothing
 * but messages (MCP 2026-07-28, stdio).
 *
 * @param server What `defineServer` gave.
 * @param options What ends it early.
 * @returns Resolves when serving has ended; calls that still run are cancelled.
 * @throws {TypeError} For what is not a server, and for an option that nobody reads.
 */
export async function serveStdio(server: Served, options: ServeStdioOptions = {}): Promise<void> {
  checkServed(server, "serveStdio.server");
  checkObject(options, "serveStdio.options");
  checkOptionNames(options, KNOWN, "serveStdio.");
  await serveStandardStreams(server, { signal: options.signal });
}
