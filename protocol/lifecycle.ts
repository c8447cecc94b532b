/** The handshake as a state machine: what a connection has agreed on, as plain JSON. */
import type { ClientCapabilities, Implementation, LogLevel } from "./types.ts";

/**
 * What a handshake has agreed on, and what the client has set since (MCP 2025-11-25, Lifecycle). It is plain JSON, so that
 * a session may be kept elsewhere and go on in another process. A connection without one has not been opened yet.
 */
export interface HandshakeState {
  /** The revision that was agreed on. */
  readonly version: string;
  /** The client, as it names itself. */
  readonly clientInfo: Implementation;
  /** What it declared, for as long as the session lasts. */
  readonly clientCapabilities: ClientCapabilities;
  /** Has `notifications/initialized` come? Before that a server asks nothing. */
  readonly initialized: boolean;
  /** From which level on it wants log messages; absent until it says so. */
  readonly logLevel?: LogLevel | undefined;
  /** The URIs of the resources that it subscribed to. */
  readonly subscriptions: readonly string[];
}
