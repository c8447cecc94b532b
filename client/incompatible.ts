/** The error of a negotiation that found no common revision. */
import type { Dialect } from "../protocol/dialect.ts";
import { ERROR_CODES, ProtocolError } from "../protocol/errors.ts";
import { shown } from "../protocol/shown.ts";

/** What led to it. */
export interface IncompatibleFacts {
  /** The revision that was asked for last. */
  readonly requested: Dialect;
  /** The dialects that this client may speak. */
  readonly allowed: readonly Dialect[];
  /** What the server says it speaks; empty when it does not say. */
  readonly supported: readonly string[];
  /** What showed it, as the end of a sentence. */
  readonly seen: string;
  /** What the server answered. */
  readonly cause?: unknown;
}

/** Makes the error: -32022 with `{ supported, requested }`; its text names the versions of both sides. */
export function incompatible({ requested, allowed, supported, seen, cause }: IncompatibleFacts): ProtocolError {
  const ours = allowed.map(({ version }) => version).join(", ");
  const unnamed = requested.handshake === undefined
    ? "the server seems to speak a revision that begins with a handshake"
    : "the server does not say what it speaks";
  const theirs = supported.length === 0 ? unnamed : `the server speaks ${shown(supported.join(", "))}`;
  const text = `Connecting: no common protocol revision: ${seen}; this client speaks ${ours}, ${theirs}`;
  const data = { supported: [...supported], requested: requested.version };
  return new ProtocolError(ERROR_CODES.unsupported_version, text, { data, cause, reason: "unsupported_version" });
}
