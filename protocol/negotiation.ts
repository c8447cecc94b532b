/** Which revision to speak: the next step from what the peer just said to `server/discover`. */
import type { Dialect } from "./dialect.ts";
import { ERROR_CODES } from "./errors.ts";
import { isJsonObject, ownMember } from "./json.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { JsonRpcErrorObject } from "./json_rpc.ts";

/** What came back for `server/discover`. */
export type ProbeAnswer =
  /** A result. */
  | { readonly type: "result"; readonly result: JsonObject }
  /** A JSON-RPC error; `headerless` when the carrier has no headers that it could complain about, `status` where it has. */
  | {
    readonly type: "error";
    readonly error: JsonRpcErrorObject;
    readonly headerless?: boolean | undefined;
    readonly status?: number | undefined;
  }
  /** An HTTP status without a JSON-RPC message. */
  | { readonly type: "refusal"; readonly status: number }
  /** The peer has gone, and another one can be started in its place. */
  | { readonly type: "exit" }
  /** Nothing within the time that a probe may take, on a carrier that was open all the while. */
  | { readonly type: "silence" };

/** What to do next. */
export type NegotiationStep =
  /** Speak this dialect; the peer described itself. */
  | { readonly type: "agreed"; readonly dialect: Dialect; readonly result: JsonObject }
  /** Ask once more, in this dialect. */
  | { readonly type: "repeat"; readonly dialect: Dialect }
  /** Shake hands in one of these dialects, newest first. */
  | { readonly type: "handshake"; readonly dialects: readonly Dialect[] }
  /** No revision is common to both; `seen` says what led to that, as the end of a sentence. */
  | { readonly type: "incompatible"; readonly supported: readonly string[]; readonly seen: string }
  /** The answer says nothing about the revision: hand it on as it is. */
  | { readonly type: "report" };

/** HTTP statuses of the 4xx range that say nothing about the revision: authorization, time and rate. */
const NEUTRAL_STATUSES: ReadonlySet<number> = new Set([401, 403, 407, 408, 429]);

/** Does an HTTP status say nothing about the revision, with whatever body it comes? So do all faults of a server. */
export function isNeutralStatus(status: number): boolean {
  return status >= 500 || NEUTRAL_STATUSES.has(status);
}

/**
 * Decides the next step of a negotiation (MCP 2026-07-28, Versioning § Negotiation; Streamable HTTP § Backward
 * Compatibility; stdio § Backward Compatibility).
 *
 * @param answer What the peer said.
 * @param tried The dialects that were tried so far; a peer that refuses a version and lists it is asked once more.
 * @param allowed The dialects that may be spoken, newest first.
 */
export function nextStep(answer: ProbeAnswer, tried: readonly Dialect[], allowed: readonly Dialect[]): NegotiationStep {
  switch (answer.type) {
    case "result":
      return afterResult(answer.result, allowed);
    case "error":
      return afterError(answer, tried, allowed);
    case "refusal":
      if (answer.status < 400 || isNeutralStatus(answer.status)) return { type: "report" };
      return handshake(allowed, [], `it answered with HTTP status ${answer.status} and no MCP message`);
    case "exit": {
      const step = handshake(allowed, [], "it has gone");
      return step.type === "handshake" ? step : { type: "report" };
    }
    case "silence":
      return handshake(allowed, [], "it did not answer");
  }
}

function afterResult(result: JsonObject, allowed: readonly Dialect[]): NegotiationStep {
  const supported = versions(ownMember(result, "supportedVersions"));
  if (supported === undefined) return handshake(allowed, [], "its answer names no supported versions");
  const dialect = allowed.find((candidate) => discovers(candidate) && supported.includes(candidate.version));
  if (dialect !== undefined) return { type: "agreed", dialect, result };
  return handshake(allowed.filter(({ version }) => supported.includes(version)), supported, "it supports other versions");
}

function afterError(
  { error, headerless, status = 200 }: ProbeAnswer & { readonly type: "error" },
  tried: readonly Dialect[],
  allowed: readonly Dialect[],
): NegotiationStep {
  const seen = `it answered with error ${error.code}`;
  const supported = isJsonObject(error.data) ? versions(ownMember(error.data, "supported")) : undefined;
  switch (error.code) {
    case ERROR_CODES.unsupported_version: {
      // Without its list it is not the error of that name: codes of that range were anybody's in older revisions.
      if (supported === undefined) return handshake(allowed, [], seen);
      const common = allowed.filter((dialect) => supported.includes(dialect.version) && times(dialect, tried) < TRIES);
      const dialect = common.find(discovers);
      return dialect === undefined ? handshake(common, supported, "it supports other versions") : { type: "repeat", dialect };
    }
    case ERROR_CODES.header_mismatch:
      return headerless === true ? handshake(allowed, [], seen) : { type: "report" };
    case ERROR_CODES.missing_capability:
      return { type: "report" };
    default:
      return isNeutralStatus(status) ? { type: "report" } : handshake(allowed, supported ?? [], seen);
  }
}

function handshake(candidates: readonly Dialect[], supported: readonly string[], seen: string): NegotiationStep {
  const dialects = candidates.filter(({ handshake }) => handshake !== undefined);
  return dialects.length > 0 ? { type: "handshake", dialects } : { type: "incompatible", supported, seen };
}

/** A peer that names a version is asked in it at most so often. */
const TRIES = 2;

function times(dialect: Dialect, tried: readonly Dialect[]): number {
  return tried.filter((one) => one === dialect).length;
}

function discovers(dialect: Dialect): boolean {
  return dialect.hasRequest("server/discover", "client");
}

function versions(value: JsonValue | undefined): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}
