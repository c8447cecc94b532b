/** Says locally what was wrong with a text that should have been a message. */
import { TransportError } from "../protocol/errors.ts";
import type { JsonBounds, JsonRpcErrorObject, ReadMessage } from "../protocol/json_rpc.ts";
import { EXCERPT } from "../protocol/limits.ts";
import type { RequestId } from "../protocol/types.ts";

/**
 * Makes the local error for a text that was not a message: "limit" when it broke a bound, else "not_mcp" with an excerpt.
 *
 * @param attempt What was read.
 * @param text The text.
 * @param error What `parseMessage` said.
 * @param bounds The bounds that it was given.
 */
export function readFault(attempt: string, text: string, error: JsonRpcErrorObject, bounds: JsonBounds): TransportError {
  const fault = httpReadFault(attempt, error, bounds);
  if (fault.reason === "limit") return fault;
  return new TransportError("not_mcp", fault.message, { data: { excerpt: excerpt(text) } });
}

/** The same for an answer over HTTP, without an excerpt: it may repeat the credentials of its request. */
export function httpReadFault(attempt: string, error: JsonRpcErrorObject, bounds: JsonBounds): TransportError {
  const limit = brokenBound(error);
  if (limit !== undefined) {
    return new TransportError("limit", `${attempt}: ${error.message}`, { data: { limit, value: bounds[limit] } });
  }
  return new TransportError("not_mcp", `${attempt}: ${error.message}`);
}

/** Something that was not a message. */
export type BadMessage = Pick<Extract<ReadMessage, { readonly ok: false }>, "id" | "kind" | "error">;

/** The id of the request that it may have been the answer to. A request of the peer's own may have the same one. */
export function answeredId({ id, kind }: BadMessage): RequestId | undefined {
  return kind === "request" || kind === "notification" ? undefined : id;
}

/** The beginning of a text, on one line. */
export function excerpt(text: string): string {
  const { characters } = EXCERPT;
  const line = text.slice(0, 2 * characters).replaceAll(/\s+/g, " ").trim();
  return line.length > characters ? `${line.slice(0, characters)}…` : line;
}

/** The bound that was broken, as the sentence of `parseMessage` tells; reading a hostile text once more would cost as much again. */
export function brokenBound(error: JsonRpcErrorObject): keyof JsonBounds | undefined {
  return (["jsonDepth", "jsonElements"] as const).find((bound) => error.message.endsWith(`(limit ${bound})`));
}
