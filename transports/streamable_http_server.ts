/** Streamable HTTP, the server's side: `Request` → `Response` around a message handler. */
import { DIALECTS } from "../protocol/dialects/mod.ts";
import { ERROR_CODES } from "../protocol/errors.ts";
import { errorResponse, httpStatusOf, isNotification, isRequest, messageText, parseMessage } from "../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage, RequestId } from "../protocol/types.ts";
import { isLonger } from "./byte_length.ts";
import { isReadAtOnce, readBody, Reading, READING_TURNS, utf8Decoders } from "./http_body.ts";
import type { BodyFault } from "./http_body.ts";
import { HttpExchange } from "./http_exchange.ts";
import { SseResponses } from "./sse_response.ts";
import type { MessageHandler, Principal } from "./transport.ts";

/** Answers one HTTP request. */
export type HttpHandler = (
  request: Request,
  principal: Principal | undefined,
  signal: AbortSignal | undefined,
) => Promise<Response>;

/** What clients send (MCP 2026-07-28, Streamable HTTP § Sending messages), compared before anything is parsed. */
const USUAL_ACCEPT = "application/json, text/event-stream";

const JSON_INIT = { headers: { "content-type": "application/json" } };

/**
 * Makes the HTTP side of a server (MCP 2026-07-28, Streamable HTTP): one POST per message, answered with one JSON object,
 * or with an SSE stream when the handler answers with several: something precedes the response, or it lasts. The status is
 * decided before the first byte.
 *
 * @param handle Answers messages.
 * @param limits Bounds of bodies, JSON and streams.
 */
export function createHttpHandler(handle: MessageHandler, limits: ResolvedLimits): HttpHandler {
  const streams = new SseResponses(limits);
  const decoders = utf8Decoders();
  return async (request, principal, signal) => {
    const { headers } = request;
    const accept = headers.get("accept");
    const refused = refuse(request.method, headers.get("content-type"), accept);
    if (refused !== undefined) return refused;
    const length = headers.get("content-length");
    let body: string | BodyFault;
    if (isReadAtOnce(length, limits)) {
      // Written out here, because one more asynchronous function costs an eighth of the throughput.
      const reading = new Reading(request);
      for (let turn = 0; turn < READING_TURNS && !reading.settled; turn++) await undefined;
      body = reading.settled ? reading.text(decoders, limits) : await reading.inTime(decoders, limits);
    } else {
      body = await readBody(request, length, decoders, limits);
    }
    if (typeof body !== "string") return httpError(body.status, body.sentence, body.code);
    const read = parseMessage(body, limits);
    if (!read.ok) return respond(400, errorResponse(read.id, read.error.code, read.error.message), limits);
    const message = read.message;
    if (!isRequest(message)) return await receive(message, request, handle, principal, signal);
    const events = acceptsEvents(accept);
    if (!events && DIALECTS.some((dialect) => dialect.answersWithStream(message.method))) {
      return httpError(406, `Not acceptable: ${message.method} is answered with text/event-stream, which Accept must allow`);
    }
    const exchange = new HttpExchange(request, principal, signal);
    const answer = await handle(message, exchange);
    // Nobody reads the answer of a request that was given up.
    if (answer === undefined) return httpError(499, "Client closed request");
    if (Symbol.asyncIterator in answer) return events ? streams.open(answer, exchange) : await lastOf(answer, message.id, limits);
    return respond(httpStatusOf(answer), answer, limits);
  };
}

/** Writes an error that stands for the HTTP request itself. */
export function httpError(status: number, sentence: string, code: number = ERROR_CODES.invalid_request): Response {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (status === 405) headers.allow = "POST";
  return new Response(messageText(errorResponse(undefined, code, sentence)), { status, headers });
}

/** RFC 9110 § 15.5.6, § 15.5.16 and § 15.5.7, in this order. */
function refuse(method: string, type: string | null, accept: string | null): Response | undefined {
  if (method !== "POST") return httpError(405, `Method not allowed: the endpoint takes POST, received ${method}`);
  if (type !== "application/json" && !isJson(type)) {
    return httpError(415, "Unsupported media type: Content-Type must be application/json");
  }
  if (accept !== USUAL_ACCEPT && !acceptsJson(accept)) {
    return httpError(406, "Not acceptable: Accept must allow application/json");
  }
  return undefined;
}

function respond(status: number, message: JsonRpcMessage, limits: ResolvedLimits): Response {
  const text = messageText(message);
  if (isLonger(text, limits.responseBody)) return tooLarge(message, limits);
  return new Response(text, status === 200 ? JSON_INIT : { status, headers: { "content-type": "application/json" } });
}

function tooLarge(message: JsonRpcMessage, limits: ResolvedLimits): Response {
  const id = "id" in message ? message.id : undefined;
  const sentence = `Internal error: the response is larger than ${limits.responseBody} bytes (limit responseBody)`;
  const data = { reason: "response_too_large", limit: limits.responseBody };
  return new Response(messageText(errorResponse(id, ERROR_CODES.internal_error, sentence, data)), { status: 500, ...JSON_INIT });
}

/** A notification is accepted without a body; a response answers nothing here (MCP 2026-07-28, Streamable HTTP § Sending messages). */
async function receive(
  message: JsonRpcMessage,
  request: Request,
  handle: MessageHandler,
  principal: Principal | undefined,
  signal: AbortSignal | undefined,
): Promise<Response> {
  if (!isNotification(message)) {
    return httpError(400, "Invalid request: this endpoint takes requests and notifications, received a response");
  }
  await handle(message, new HttpExchange(request, principal, signal));
  return new Response(null, { status: 202 });
}

/** For clients that take JSON only: what precedes the response is left out. */
async function lastOf(answer: AsyncIterable<JsonRpcMessage>, id: RequestId, limits: ResolvedLimits): Promise<Response> {
  for await (const message of answer) {
    if (!("method" in message)) return respond(httpStatusOf(message), message, limits);
  }
  return respond(200, errorResponse(id, ERROR_CODES.internal_error, "Internal error"), limits);
}

function isJson(type: string | null): boolean {
  return type !== null && /^application\/json\s*(?:;|$)/i.test(type.trim());
}

function acceptsJson(accept: string | null): boolean {
  return accept === null || accepts(accept, "application", "json");
}

function acceptsEvents(accept: string | null): boolean {
  return accept === null || accept === USUAL_ACCEPT || accepts(accept, "text", "event-stream");
}

/** RFC 9110 § 12.5.1: is a media type in an Accept header, with a weight other than zero? The most specific range decides. */
function accepts(accept: string, type: string, subtype: string): boolean {
  let best = -1;
  let weight = 0;
  for (const range of accept.toLowerCase().split(",")) {
    const [media = "", ...params] = range.split(";").map((part) => part.trim());
    const rank = [`*/*`, `${type}/*`, `${type}/${subtype}`].indexOf(media);
    if (rank < best || rank < 0) continue;
    const q = params.find((param) => param.startsWith("q="));
    best = rank;
    weight = q === undefined ? 1 : Number(q.slice(2));
  }
  return weight > 0;
}
