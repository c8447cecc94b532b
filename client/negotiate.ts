/** Carries out a negotiation by `server/discover` over a live carrier. */
import type { Dialect } from "../protocol/dialect.ts";
import { ProtocolError, TransportError } from "../protocol/errors.ts";
import { isJsonObject } from "../protocol/json.ts";
import { httpStatusOf } from "../protocol/json_rpc.ts";
import { nextStep } from "../protocol/negotiation.ts";
import type { ProbeAnswer } from "../protocol/negotiation.ts";
import type { JsonObject } from "../protocol/types.ts";
import { incompatible } from "./incompatible.ts";

/** What a negotiation needs. */
export interface NegotiateOptions {
  /** The dialects that may be spoken, newest first; one of them at least has `server/discover`. */
  readonly allowed: readonly Dialect[];
  /** Sends `server/discover` in a dialect; gives the result as it came. */
  readonly ask: (dialect: Dialect) => Promise<JsonObject>;
  /** The carrier has HTTP headers: there silence says nothing about the revision. */
  readonly overHttp: boolean;
  /** A server that has gone can be started again. */
  readonly restarts: boolean;
}

/** What came of it. */
export type Agreement =
  /** The dialect to speak, and how the server described itself. */
  | { readonly type: "agreed"; readonly dialect: Dialect; readonly result: JsonObject }
  /** The server wants a handshake in one of these dialects; `answer` is what showed it. */
  | { readonly type: "handshake"; readonly dialects: readonly Dialect[]; readonly answer: ProbeAnswer["type"] };

/**
 * Finds the revision that both sides speak: asks in the newest one, and again in another one when the server names it
 * (MCP 2026-07-28, Versioning § Negotiation).
 *
 * @throws {ProtocolError} -32022 with `{ supported, requested }` when nothing is common; other errors as they come.
 */
export async function negotiate({ allowed, ask, overHttp, restarts }: NegotiateOptions): Promise<Agreement> {
  const tried: Dialect[] = [];
  let dialect = allowed.find((one) => one.hasRequest("server/discover", "client")) as Dialect;
  for (;;) {
    tried.push(dialect);
    let failure: unknown;
    let answer: ProbeAnswer | undefined;
    try {
      answer = { type: "result", result: await ask(dialect) };
    } catch (error) {
      failure = error;
      answer = answerOf(error, overHttp, restarts);
    }
    if (answer === undefined) throw failure;
    const step = nextStep(answer, tried, allowed);
    switch (step.type) {
      case "agreed":
        return step;
      case "repeat":
        dialect = step.dialect;
        break;
      case "report":
        throw failure;
      case "handshake":
        return { type: "handshake", dialects: step.dialects, answer: answer.type };
      case "incompatible":
        throw incompatible({ ...step, requested: dialect, allowed, cause: failure });
    }
  }
}

/** Has the server gone? */
export function isGone(error: unknown): boolean {
  return error instanceof TransportError && (error.reason === "server_exited" || error.reason === "closed");
}

/** What an error tells about the peer; undefined when it tells nothing. */
function answerOf(error: unknown, overHttp: boolean, restarts: boolean): ProbeAnswer | undefined {
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    const status = overHttp ? httpStatusOf(error) : undefined;
    return {
      type: "error",
      error: data === undefined ? { code, message } : { code, message, data },
      headerless: !overHttp,
      status,
    };
  }
  if (!(error instanceof TransportError)) return undefined;
  if (restarts && isGone(error)) return { type: "exit" };
  if (error.reason === "timeout" && !overHttp) return { type: "silence" };
  if (error.reason !== "not_mcp") return undefined;
  // On other carriers an answer of whatever shape is still an answer of that server, and no modern one.
  if (!overHttp) return { type: "result", result: {} };
  const status = isJsonObject(error.data) ? error.data.status : undefined;
  return typeof status === "number" ? { type: "refusal", status } : undefined;
}
