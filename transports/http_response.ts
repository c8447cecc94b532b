/** HTTP responses that hold one JSON-RPC message. */
import { ERROR_CODES } from "../protocol/errors.ts";
import { challengeOf, errorResponse, httpStatusOf, messageText } from "../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage, RequestId } from "../protocol/types.ts";
import { isLonger } from "./byte_length.ts";

const JSON_INIT = { headers: { "content-type": "application/json" } };

/** Answers with one message, and the status that was noted with it; one over `responseBody` bytes is replaced by an error. */
export function jsonResponse(message: JsonRpcMessage, limits: ResolvedLimits, status: number = httpStatusOf(message)): Response {
  const text = messageText(message);
  if (isLonger(text, limits.responseBody)) return tooLarge(message, limits);
  if (status === 200) return new Response(text, JSON_INIT);
  const challenge = challengeOf(message);
  const headers = { "content-type": "application/json", ...(challenge === undefined ? {} : { "www-authenticate": challenge }) };
  return new Response(text, { status, headers });
}

/** Answers with the last message of several, for clients that take JSON only: what precedes the response is left out. */
export async function lastOf(answer: AsyncIterable<JsonRpcMessage>, id: RequestId, limits: ResolvedLimits): Promise<Response> {
  for await (const message of answer) {
    if (!("method" in message)) return jsonResponse(message, limits);
  }
  return failure(id, limits, 200);
}

/** Answers that something failed which the caller is told nothing more about. */
export function failure(id: RequestId | undefined, limits: ResolvedLimits, status: number = 500): Response {
  return jsonResponse(errorResponse(id, ERROR_CODES.internal_error, "Internal error"), limits, status);
}

/** What goes with {@linkcode httpError}. */
export interface HttpErrorOptions {
  /** The JSON-RPC code; -32600 when absent. */
  readonly code?: number | undefined;
  /** The id of the request that is refused, where one could be read. */
  readonly id?: RequestId | undefined;
  /** The methods that the endpoint takes, for 405. */
  readonly allow?: string | undefined;
  /** Ends the connection, because the rest of the request is not read (RFC 9112 § 9.6). */
  readonly closes?: boolean | undefined;
}

/** Writes an error that stands for the HTTP request itself. */
export function httpError(status: number, sentence: string, options: HttpErrorOptions = {}): Response {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (options.allow !== undefined) headers.allow = options.allow;
  if (options.closes === true) headers.connection = "close";
  const error = errorResponse(options.id, options.code ?? ERROR_CODES.invalid_request, sentence);
  return new Response(messageText(error), { status, headers });
}

function tooLarge(message: JsonRpcMessage, limits: ResolvedLimits): Response {
  const id = "id" in message ? message.id : undefined;
  const sentence = `Internal error: the response is larger than ${limits.responseBody} bytes (limit responseBody)`;
  const data = { reason: "response_too_large", limit: limits.responseBody };
  return new Response(messageText(errorResponse(id, ERROR_CODES.internal_error, sentence, data)), { status: 500, ...JSON_INIT });
}
