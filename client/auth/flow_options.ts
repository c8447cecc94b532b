/** What every flow takes. */
import type { TokenStore } from "./token_store.ts";

/** Options of all flows. */
export interface FlowOptions {
  /** Where tokens and registrations are kept; in memory by default. One store belongs to one person or one machine. */
  readonly store?: TokenStore | undefined;
  /** Sends the requests to authorization servers; the runtime's `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Binds tokens to a key (RFC 9449). An authorization server that gives unbound tokens all the same is refused. Off by default. */
  readonly dpop?: boolean | undefined;
  /** For development only: allows http on loopback hosts, where any local program may listen. Off by default. */
  readonly allowInsecureLoopback?: boolean | undefined;
  /**
   * Accepts metadata whose issuer has one slash more or less at its end than the identifier that led to it. Off by default,
   * since MCP 2026-07-28 (Authorization Server Metadata Discovery) wants identical texts.
   */
  readonly allowIssuerTrailingSlash?: boolean | undefined;
}
