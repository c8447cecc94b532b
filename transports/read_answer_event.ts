/** Reads one event of the stream that answers a request. */
import { brokenRequest } from "../protocol/broken_request.ts";
import { TransportError } from "../protocol/errors.ts";
import type { StreamEvent } from "../protocol/framing/sse.ts";
import { isResponse } from "../protocol/json_rpc.ts";
import type { JsonBounds } from "../protocol/json_rpc.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../protocol/types.ts";
import { ownAnswer } from "./http_reply.ts";
import { keptList } from "./kept_list.ts";
import { readEvent } from "./read_event.ts";
import { answeredId, httpReadFault } from "./read_fault.ts";
import type { Rarely } from "../protocol/rarely.ts";
import type { StreamCursor } from "./stream_cursor.ts";

/** What the reading of an event needs. */
export interface ReadAnswerEventOptions {
  /** The endpoint, for errors. */
  readonly where: string;
  /** Bounds of one message. */
  readonly limits: JsonBounds;
  /** Told of items of a list that are left out. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Told of events that hold no message, and of answers to other requests: a stream may bring many. */
  readonly onStray: Rarely;
  /** A handshake is over: requests of the server have answers, those that can not be read too. */
  readonly answers?: boolean | undefined;
  /** The member of the result that is a list, where the method is none of the protocol's own. */
  readonly list?: string | undefined;
}

/**
 * Reads one event of the stream that answers a request.
 *
 * @param request What was asked.
 * @param event The event.
 * @param cursor Knows what has come already.
 * @param options Bounds, and who hears of stray faults.
 * @returns The message; undefined for what is none, has come before, or answers another request.
 * @throws {TransportError} "limit" or "not_mcp" when it was meant as the answer and cannot be read.
 */
export function readAnswerEvent(
  request: JsonRpcRequest,
  event: StreamEvent,
  cursor: StreamCursor,
  { where, limits, onError, onStray, answers, list }: ReadAnswerEventOptions,
): JsonRpcMessage | undefined {
  const attempt = `Reading the answer of ${where}`;
  const held = cursor.take(event);
  if (held === "nothing") return undefined;
  let read = readEvent(event, limits);
  if (!read.ok && answeredId(read) === request.id) {
    read = keptList({ asked: { method: request.method, list }, text: event.data, read, limits, onError });
  }
  const answer = read.ok ? ownAnswer(request, read.message) : undefined;
  // Its own response is never a repetition, whatever its event is called: it would have ended the reading.
  if (held === "repeated" && answer === undefined) return undefined;
  if (!read.ok) {
    const fault = httpReadFault(attempt, read.error, limits);
    // Of a damaged response the id may be lost, and only one is sent on this stream.
    if (answeredId(read) === request.id || (event.damaged === true && read.kind === "response" && read.id === undefined)) {
      throw fault;
    }
    onStray(() => fault);
    return answers === true ? brokenRequest(read) : undefined;
  }
  if (!isResponse(read.message)) return read.message;
  if (answer === undefined) {
    const text = `${attempt}: the stream holds the answer of another request`;
    onStray((soFar) => new TransportError("not_mcp", text + soFar));
  }
  return answer;
}
