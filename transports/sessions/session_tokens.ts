/** The contract of session ids: sealed tokens, so that an id tells every instance what it needs. */
import type { HandshakeState } from "../../protocol/lifecycle.ts";

/** What a session id says, to those that can open it. */
export interface SessionClaims {
  /** Random; names the session. */
  readonly key: string;
  /** The instance that opened the session. */
  readonly instance: string;
  /** When it was opened, in milliseconds since 1970. */
  readonly issuedAt: number;
  /** What the handshake has agreed on; absent when it did not fit. */
  readonly state?: HandshakeState | undefined;
}

/** Writes and reads session ids, which are visible ASCII (MCP 2025-11-25, Streamable HTTP § Session Management). */
export interface SessionTokens {
  /** Writes the id of a session of this caller; undefined for anonymous ones. */
  seal(claims: SessionClaims, principal: string | undefined): Promise<string>;
  /** Reads an id; undefined when it was altered, is another caller's, or is too old. */
  open(token: string, principal: string | undefined): Promise<SessionClaims | undefined>;
}
