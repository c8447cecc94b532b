/** Carries out a negotiation over a live carrier. */
import type { Dialect } from "../protocol/dialect.ts";
import { ERROR_CODES, ProtocolError, TransportError } from "../protocol/errors.ts";
import { isJsonObject } from "../protocol/json.ts";
import { nextStep } from "../protocol/negotiation.ts";
import type { ProbeAnswer } from "../protocol/negotiation.ts";
import type { JsonObject } from "../protocol/types.ts";

/** What a negotiation needs. */
export interface NegotiateOptions {
  /** The dialects that may be spoken, newest first. */
  readonly allowed: readonly Dialect[];
  /** Sends `server/discover` in a dialect. */
  readonly ask: (dialect: Dialect) => Promise<JsonObject>;
  /** A peer of a handshake revision may stay silent on this carrier. */
  readonly silenceTells: boolean;
}

/** The dialect to speak, and how the server described itself. */
export interface Agreement {
  /** The dialect. */
  readonly dialect: Dialect;
  /** The result of `server/discover`. */
  readonly result: JsonObject;
}

/**
 * Finds the revision that both sides speak: asks in the newest one, and again in another one when the server names it.
 *
 * @throws {ProtocolError} -32022 with `{ supported, requested }` when nothing is common; other errors as they come.
 */
export async function negotiate({ allowed, ask, silenceTells }: NegotiateOptions): Promise<Agreement> {
  const tried: Dialect[] = [];
  let dialect = allowed[0] as Dialect;
  for (;;) {
    tried.push(dialect);
    let failure: unknown;
    let answer: ProbeAnswer | undefined;
    try {
      answer = { type: "result", result: await ask(dialect) };
    } catch (error) {
      failure = error;
      answer = answerOf(error, silenceTells);
    }
    const step = answer === undefined ? { type: "report" } as const : nextStep(answer, tried, allowed);
    switch (step.type) {
      case "agreed":
        return step;
      case "repeat":
        dialect = step.dialect;
        break;
      case "report":
        throw failure;
      case "handshake":
        throw incompatible(dialect, allowed, [], "it wants a handshake", failure);
      case "incompatible":
        throw incompatible(dialect, allowed, step.supported, step.seen, failure);
    }
  }
}

/** What an error tells about the peer; undefined when it tells nothing. */
function answerOf(error: unknown, silenceTells: boolean): ProbeAnswer | undefined {
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    return { type: "error", error: data === undefined ? { code, message } : { code, message, data } };
  }
  if (!(error instanceof TransportError)) return undefined;
  if (error.reason === "timeout" && silenceTells) return { type: "silence" };
  const status = error.reason === "not_mcp" && isJsonObject(error.data) ? error.data.status : undefined;
  return typeof status === "number" ? { type: "refusal", status } : undefined;
}

function incompatible(
  requested: Dialect,
  allowed: readonly Dialect[],
  supported: readonly string[],
  seen: string,
  cause: unknown,
): ProtocolError {
  const ours = allowed.map(({ version }) => version).join(", ");
  const theirs = supported.length === 0
    ? "the server seems to speak a revision that begins with a handshake"
    : `the server speaks ${supported.join(", ")}`;
  const text = `Connecting: no common protocol revision: ${seen}; this client speaks ${ours}, ${theirs}`;
  const data = { supported: [...supported], requested: requested.version };
  return new ProtocolError(ERROR_CODES.unsupported_version, text, { data, cause, reason: "unsupported_version" });
}
