/** The answer to a call for which there is no handler's slot and no place in the queue. */
import { ERROR_CODES } from "../../protocol/errors.ts";
import { errorResponse, withHttpStatus } from "../../protocol/json_rpc.ts";
import type { JsonRpcMessage, JsonValue } from "../../protocol/types.ts";
import { SERVICE_UNAVAILABLE } from "../../transports/http_status.ts";
import type { Exchange } from "../core.ts";

/** Answers that the limits `handlers` and `handlerQueue` are reached, with the HTTP status 503 (RFC 9110 § 15.6.4). */
export function capacityReached(exchange: Exchange): JsonRpcMessage {
  const { running, waiting, handlers, handlerQueue } = exchange.core.admission.state;
  const message =
    `Capacity reached: ${running} handlers run and ${waiting} calls wait (limits handlers ${handlers}, handlerQueue ${handlerQueue})`;
  const data: JsonValue = { reason: "capacity_reached", handlers, handlerQueue };
  return withHttpStatus(errorResponse(exchange.request.id, ERROR_CODES.internal_error, message, data), SERVICE_UNAVAILABLE);
}
