/** Reads the answers of Streamable HTTP that are not event streams: one JSON message, or an error status. */
import { TransportError } from "../protocol/errors.ts";
import { errorResponse, isResponse, parseMessage, withHttpStatus } from "../protocol/json_rpc.ts";
import type { JsonBounds } from "../protocol/json_rpc.ts";
import { EXCERPT } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { onDemand } from "../protocol/on_demand.ts";
import type { JsonRpcMessage, JsonRpcRequest, JsonRpcResponse } from "../protocol/types.ts";
import { mediaTypeOf, readAnswer, readUpTo } from "./http_answer.ts";
import { keptList } from "./kept_list.ts";
import { httpReadFault } from "./read_fault.ts";

/** The bounds that an answer keeps: `responseBody`, `jsonDepth`, `jsonElements`. */
export type ReplyBounds = JsonBounds & Pick<ResolvedLimits, "responseBody">;

/** An HTTP answer, and how it is read. */
export interface AnswerReading {
  /** The endpoint, for errors. */
  readonly where: string;
  /** The answer. */
  readonly response: Response;
  /** The bounds. */
  readonly limits: ReplyBounds;
  /** Ends the reading; what comes of it is then of no use. */
  readonly signal?: AbortSignal | undefined;
}

/** How the response to a request is read. */
export interface ReplyReading extends AnswerReading {
  /** Told of items of a list that are left out. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** The member of the result that is a list, where the method is none of the protocol's own. */
  readonly list?: string | undefined;
}

/** A JSON-RPC response with an error. */
export type ErrorResponse = Extract<JsonRpcResponse, { readonly error: unknown }>;

/** The media type of messages. */
export const JSON_TYPE = "application/json";

/** The media type of event streams. */
export const EVENT_TYPE = "text/event-stream";

/** Most programs never see such an answer. */
const ERRORS = onDemand(() => import("./answer_error.ts"));

/**
 * Reads the response to a request from an answer that is not an event stream.
 *
 * @param request What was asked.
 * @param reading The answer, its bounds, and who hears of what is left out.
 * @returns The response; with an error status the JSON-RPC error that the body holds, with the status noted.
 * @throws {TransportError} "limit" for an answer that is too large, "closed" for one that breaks off, "not_mcp" for no message.
 * @throws {AuthorizationError} For 401, and for 403 that has a challenge or holds no JSON-RPC error.
 */
export async function readReply(request: JsonRpcRequest, reading: ReplyReading): Promise<JsonRpcResponse> {
  const { where, response, limits, signal, onError, list } = reading;
  if (!response.ok) {
    const refusal = await readRefusal(request, reading);
    if (refusal instanceof Error) throw refusal;
    return withHttpStatus(refusal, response.status);
  }
  if (mediaTypeOf(response) !== JSON_TYPE) throw await readUnexpected(where, response, "POST", signal);
  const attempt = `Reading the answer of ${where}`;
  const { text, damaged } = await readAnswer(where, response, limits.responseBody, signal);
  if (damaged) throw new TransportError("not_mcp", `${attempt}: Parse error: the body is not UTF-8`);
  let read = parseMessage(text, limits);
  if (!read.ok) read = keptList({ asked: { method: request.method, list }, text, read, limits, onError });
  if (!read.ok) throw httpReadFault(attempt, read.error, limits);
  const answer = ownAnswer(request, read.message);
  if (answer === undefined) throw new TransportError("not_mcp", `${attempt}: it answers another request`);
  return answer;
}

/**
 * Reads an answer with an error status.
 *
 * @param request What was asked; undefined after a notification or a response.
 * @param reading The answer, and its bounds.
 * @returns The JSON-RPC error in its body, or a local error that tells the status.
 * @throws {TransportError} "limit" for an answer that is too large, "closed" for one that breaks off.
 */
export async function readRefusal(
  request: JsonRpcRequest | undefined,
  { where, response, limits, signal }: AnswerReading,
): Promise<Error | ErrorResponse> {
  const forbidden = response.status === 403 && response.headers.has("www-authenticate");
  if (response.status === 401 || forbidden || mediaTypeOf(response) !== JSON_TYPE) {
    return await readUnexpected(where, response, "POST", signal);
  }
  const { text, damaged } = await readAnswer(where, response, limits.responseBody, signal);
  if (damaged) return (await ERRORS.load()).answerError(where, response, text, "POST", "; it is not UTF-8");
  const read = parseMessage(text, limits);
  const message = read.ok && isResponse(read.message) && "error" in read.message ? read.message : undefined;
  if (message === undefined) return (await ERRORS.load()).answerError(where, response, text);
  if (request === undefined || message.id === request.id) return message;
  if (message.id !== undefined) return (await ERRORS.load()).answerError(where, response, text);
  return { ...message, id: request.id };
}

/** The response to a request, with its id when an error came without one; undefined for anything else. */
export function ownAnswer(request: JsonRpcRequest, message: JsonRpcMessage): JsonRpcResponse | undefined {
  if (!isResponse(message)) return undefined;
  if (message.id === request.id) return message;
  if (message.id !== undefined || !("error" in message)) return undefined;
  return errorResponse(request.id, message.error.code, message.error.message, message.error.data);
}

/**
 * Describes an answer that was not expected, whatever it is; reads only its beginning.
 *
 * @param where The endpoint, for errors.
 * @param response The answer.
 * @param method What was sent.
 * @param signal Ends the reading; what comes of it is then of no use.
 * @returns The local error that tells the status.
 */
export async function readUnexpected(where: string, response: Response, method = "POST", signal?: AbortSignal): Promise<Error> {
  const { text } = await readUpTo(where, response, EXCERPT.bytes, signal).catch(() => ({ text: "" }));
  return (await ERRORS.load()).answerError(where, response, text, method);
}
