/** The answer to a request that failed. */
import { ERROR_CODES, isMcpError } from "../../protocol/errors.ts";
import { challengeOf, errorResponse, httpStatusOf, withChallenge, withHttpStatus } from "../../protocol/json_rpc.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { SERVICE_UNAVAILABLE } from "../../transports/http_status.ts";
import type { Exchange } from "../core.ts";
import { jsonFault } from "../json/json_fault.ts";

/**
 * Answers with an error. Only errors that are meant for the peer reach it; everything else is masked and reported.
 *
 * @param exchange The request.
 * @param error What was thrown.
 * @param status The HTTP status, where it differs from the one that the code has.
 */
export function failureResponse(exchange: Exchange, error: unknown, status?: number): JsonRpcMessage {
  const { core, request } = exchange;
  let thrown = error;
  try {
    const meant = meantForPeer(exchange, error, status);
    if (meant !== undefined) return meant;
  } catch (fault) {
    // What throws when it is looked at, as a revoked proxy does, is reported by that.
    thrown = fault;
  }
  return errorResponse(request.id, ERROR_CODES.internal_error, "Internal error", { errorId: core.report(thrown, request) });
}

function meantForPeer(
  { request: { id }, dialect }: Exchange,
  error: unknown,
  status: number | undefined,
): JsonRpcMessage | undefined {
  if (isMcpError(error) && error.kind === "protocol") {
    const challenge = challengeOf(error);
    if (challenge !== undefined) {
      return withChallenge(
        withHttpStatus(errorResponse(id, error.code, error.message, error.data), httpStatusOf(error)),
        challenge,
      );
    }
    const code = error.reason === undefined ? error.code : dialect.errorCode(error.reason);
    if (dialect.allowsErrorCode(code) && jsonFault(error.data, "data") === undefined) {
      const own = httpStatusOf(error) === SERVICE_UNAVAILABLE ? SERVICE_UNAVAILABLE : dialect.httpStatus(code);
      return withHttpStatus(errorResponse(id, code, error.message, error.data), status ?? own);
    }
  } else if (isMcpError(error) && error.kind === "tool") {
    return errorResponse(id, ERROR_CODES.internal_error, error.message);
  }
  return undefined;
}
