/**
 * Serves a server on standard input and output.
 *
 * @module
 */
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

/**
 * Serves until stdin ends or the parent is gone. `console` writes to stderr meanwhile, because stdout may hold nothing
 * but messages (MCP 2026-07-28, stdio).
 *
 * @param server What `defineServer` gave.
 * @param options What ends it early.
 * @returns Resolves when serving has ended; calls that still run are cancelled.
 */
export async function serveStdio(server: Served, options: ServeStdioOptions = {}): Promise<void> {
  await serveStandardStreams(server, { signal: options.signal });
}
