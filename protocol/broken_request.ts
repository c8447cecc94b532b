/** A request of the peer that cannot be read, as a message: it still wants an answer. */
import type { JsonRpcErrorObject, ReadMessage } from "./json_rpc.ts";
import type { JsonRpcRequest } from "./types.ts";

const FAULT: unique symbol = Symbol("what is wrong with a request");

/**
 * Makes the message that stands for a broken request, so that it takes the way of all requests to whoever answers them.
 *
 * @param read What the reader of messages said.
 * @returns The message; undefined for what was no request, and for one without an id, which nobody can answer (JSON-RPC 2.0 § 5).
 */
export function brokenRequest(
  { id, kind, error }: Pick<ReadMessage & { readonly ok: false }, "id" | "kind" | "error">,
): JsonRpcRequest | undefined {
  if (kind !== "request" || id === undefined) return undefined;
  return Object.defineProperty({ jsonrpc: "2.0", id, method: "" }, FAULT, { value: error }) as JsonRpcRequest;
}

/** The error that the peer gets for a broken request; undefined for every other message. */
export function requestFault(request: JsonRpcRequest): JsonRpcErrorObject | undefined {
  return (request as { readonly [FAULT]?: JsonRpcErrorObject })[FAULT];
}
