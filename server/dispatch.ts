/** Message → answer: classifies a request, finds its method and runs it. */
import { classify } from "../protocol/classification.ts";
import { ERROR_CODES } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { errorResponse, isNotification, isRequest, withHttpStatus } from "../protocol/json_rpc.ts";
import type { JsonRpcMessage, JsonRpcNotification, RequestId } from "../protocol/types.ts";
import type { MessageHandler, MessageInfo } from "../transports/transport.ts";
import type { Core } from "./core.ts";
import { RunningExchange } from "./exchange.ts";
import type { Answer } from "./exchange.ts";
import { closingError, SERVICE_UNAVAILABLE } from "./shutdown.ts";

const NOTHING: Promise<undefined> = Promise.resolve(undefined);

/**
 * Makes the handler that carriers call. It never rejects.
 *
 * @param core What the server's parts share.
 */
export function createHandler(core: Core): MessageHandler {
  const knows = (method: string): boolean => core.methods.has(method);
  return (message, info) => {
    if (!isRequest(message)) {
      if (isNotification(message)) notified(core, message, info);
      return NOTHING;
    }
    const classified = classify(message, info.headers, core.dialects, knows);
    if (!classified.ok) {
      const { code, message: sentence, data } = classified.error;
      return Promise.resolve(withHttpStatus(errorResponse(message.id, code, sentence, data), classified.status));
    }
    if (core.closed) return Promise.resolve(closing(message.id));
    const method = core.methods.get(message.method);
    const exchange = new RunningExchange(core, classified, info, method as NonNullable<typeof method>);
    return info.connection.transport === "http" ? exchange.run() : runTracked(core, exchange, info);
  };
}

function closing(id: RequestId): JsonRpcMessage {
  const { code, message, data } = closingError("it takes no new requests");
  return withHttpStatus(errorResponse(id, code, message, data), SERVICE_UNAVAILABLE);
}

/** On a duplex connection a request can be cancelled by its id, and ids in flight are unique (MCP 2026-07-28, Basic § Requests). */
function runTracked(core: Core, exchange: RunningExchange, info: MessageInfo): Promise<Answer> {
  let inFlight = core.inFlight.get(info.connection);
  if (inFlight === undefined) core.inFlight.set(info.connection, inFlight = new Map());
  const id = exchange.request.id;
  if (inFlight.has(id)) {
    return Promise.resolve(
      errorResponse(id, ERROR_CODES.invalid_request, "Invalid request: the id belongs to a request in flight"),
    );
  }
  const running = exchange.run();
  if (exchange.done) return running;
  const own = inFlight;
  own.set(id, exchange);
  const settled = exchange.onSettled;
  exchange.onSettled = () => {
    settled?.();
    own.delete(id);
  };
  return running;
}

/** A cancellation of an unknown or finished request is ignored, as is a malformed one (MCP 2026-07-28, Cancellation). */
function notified(core: Core, message: JsonRpcNotification, info: MessageInfo): void {
  if (message.method !== "notifications/cancelled" || !isJsonObject(message.params)) return;
  const id = ownMember(message.params, "requestId");
  if (typeof id !== "string" && typeof id !== "number") return;
  const reason = ownMember(message.params, "reason");
  const told = typeof reason === "string" ? `The client cancelled the request: ${reason}` : "The client cancelled the request";
  core.inFlight.get(info.connection)?.get(id)?.cancel(new DOMException(told, "AbortError"));
}
