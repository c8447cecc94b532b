/** What a handler is told that waits for an answer which cannot be read. */
import { ERROR_CODES } from "../protocol/errors.ts";
import { errorResponse } from "../protocol/json_rpc.ts";
import type { JsonRpcErrorObject } from "../protocol/json_rpc.ts";
import type { JsonRpcResponse, RequestId } from "../protocol/types.ts";

/**
 * Makes the response that ends a question in place of one that cannot be read, so that its handler does not wait until the
 * limit `answerTimeout`.
 *
 * @param id The id of the question.
 * @param error What is wrong with the answer.
 */
export function unreadAnswer(id: RequestId, error: JsonRpcErrorObject): JsonRpcResponse {
  const message = `Asking the client: its answer cannot be read: ${error.message}`;
  return errorResponse(id, ERROR_CODES.internal_error, message, { reason: "invalid_answer" });
}
