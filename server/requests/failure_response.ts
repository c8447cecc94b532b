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
export function failureResponse({ core, request, dialect }: Exchange, error: unknown, status?: number): JsonRpcMessage {
  const { id } = request;
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
  const errorId = core.report(error, request);
  return errorResponse(id, ERROR_CODES.internal_error, "Internal error", { errorId });
}
