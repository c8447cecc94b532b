/** Streamable HTTP, the server's side: `Request` → `Response` around a message handler. */
import { versionHeaderFault } from "../protocol/classification.ts";
import type { Dialect } from "../protocol/dialect.ts";
import { DIALECTS } from "../protocol/dialects/mod.ts";
import { ERROR_CODES } from "../protocol/errors.ts";
import { HEADERS } from "../protocol/headers.ts";
import { errorResponse, isNotification, isRequest, parseMessage } from "../protocol/json_rpc.ts";
import type { ReadMessage } from "../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import { acceptsEvents, acceptsJson } from "./http_accept.ts";
import { isReadAtOnce, readBody, Reading, READING_TURNS, utf8Decoders } from "./http_body.ts";
import type { BodyFault } from "./http_body.ts";
import { HttpExchange } from "./http_exchange.ts";
import { httpError, jsonResponse, lastOf } from "./http_response.ts";
import type { HttpSessions } from "./streamable_http_session.ts";
import { streamsOnDemand } from "./streams_on_demand.ts";
import { tokenEnd } from "./token_end.ts";
import type { Principal, PromptHandler } from "./transport.ts";

/** Answers one HTTP request. */
export type HttpHandler = (
  request: Request,
  principal: Principal | undefined,
  signal: AbortSignal | undefined,
) => Promise<Response>;

/** What goes with {@linkcode createHttpHandler}. */
export interface HttpHandlerOptions {
  /** The dialects that are served, newest first; all by default. */
  readonly dialects?: readonly Dialect[] | undefined;
  /** The sessions of the handshake revisions; without them each request stands alone, and only POST is there. */
  readonly sessions?: HttpSessions | undefined;
  /** Told why an answer could not become a stream. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Makes the HTTP side of a server (MCP 2026-07-28, Streamable HTTP): one POST per message, answered with one JSON object,
 * or with an SSE stream when the handler answers with several: something precedes the response, or it lasts. The status is
 * decided before the first byte.
 *
 * @param handle Answers messages.
 * @param limits Bounds of bodies, JSON and streams.
 * @param options What is served, and sessions.
 */
export function createHttpHandler(
  handle: PromptHandler,
  limits: ResolvedLimits,
  { dialects = DIALECTS, sessions, onError }: HttpHandlerOptions = {},
): HttpHandler {
  const streams = streamsOnDemand(limits, onError);
  const decoders = utf8Decoders();
  return async (request, principal, signal) => {
    const { headers } = request;
    if (request.method !== "POST") return sessions === undefined ? onlyPost(request) : await sessions.visit(request, principal);
    const accept = headers.get("accept");
    const refused = refuse(headers.get("content-type"), accept);
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
    if (typeof body !== "string") {
      const refused = httpError(body.status, body.sentence, { code: body.code, closes: body.unread });
      return await unlessCoded(headers, body.code, refused, onError);
    }
    const read = parseMessage(body, limits);
    if (!read.ok) {
      await endQuestion(read, sessions, headers, principal);
      const { kind, error: { code, message } } = read;
      // The id of a response is one of ours: nobody there waits for an answer to it.
      const id = kind === "response" ? undefined : read.id;
      return await unlessCoded(headers, code, jsonResponse(errorResponse(id, code, message), limits, 400), onError);
    }
    const message = read.message;
    if (sessions !== undefined && sessions.takes(message, headers)) {
      return await sessions.post(message, headers, principal, acceptsEvents(accept));
    }
    if (!isRequest(message)) {
      return refuseAlone(message, request, dialects) ??
        await receive(message, new HttpExchange(request, principal, signal), handle);
    }
    const events = acceptsEvents(accept);
    if (!events && dialects.some((dialect) => dialect.answersWithStream(message.method))) {
      return httpError(406, `Not acceptable: ${message.method} is answered with text/event-stream, which Accept must allow`);
    }
    const exchange = new HttpExchange(request, principal, signal);
    const answered = handle(message, exchange);
    const answer = answered instanceof Promise ? await answered : answered;
    // Nobody reads the answer of a request that was given up.
    if (answer === undefined) return httpError(499, "Client closed request", { id: message.id });
    if (Symbol.asyncIterator in answer) {
      if (!events) return await lastOf(answer, message.id, limits);
      // A stream that lasts must not outlive what its caller was let in with; a call is let in once.
      const lasts = dialects.some((dialect) => dialect.answersWithStream(message.method));
      return await streams.open(message.id, answer, exchange, lasts ? tokenEnd(principal) : undefined);
    }
    return jsonResponse(answer, limits);
  };
}

/** RFC 9110 § 15.5.6. */
function onlyPost({ method }: Request): Response {
  return httpError(405, `Method not allowed: the endpoint takes POST, received ${method}`, { allow: "POST" });
}

/** RFC 9110 § 15.5.16 and § 15.5.7, in this order. */
function refuse(type: string | null, accept: string | null): Response | undefined {
  if (type !== "application/json" && !isJson(type)) {
    return httpError(415, "Unsupported media type: Content-Type must be application/json");
  }
  if (!acceptsJson(accept)) return httpError(406, "Not acceptable: Accept must allow application/json");
  return undefined;
}

/**
 * What stands alone is not a response, because there is nothing that it could answer (MCP 2026-07-28, Streamable HTTP § Sending
 * messages), and names no revision that is not served (MCP 2025-11-25, Streamable HTTP § Protocol Version Header).
 */
function refuseAlone(message: JsonRpcMessage, { headers }: Request, dialects: readonly Dialect[]): Response | undefined {
  if (!isNotification(message)) {
    return httpError(400, "Invalid request: this endpoint takes requests and notifications, received a response");
  }
  const named = headers.get(HEADERS.protocolVersion);
  if (named === null || dialects.some(({ version }) => version === named)) return undefined;
  const fault = versionHeaderFault(headers, dialects, undefined);
  return fault === undefined ? undefined : httpError(fault.status, fault.error.message, { code: fault.error.code });
}

/** Where a question was asked, somebody may wait for the answer that a broken response was meant to be. */
async function endQuestion(
  { id, kind, error }: ReadMessage & { readonly ok: false },
  sessions: HttpSessions | undefined,
  headers: Headers,
  principal: Principal | undefined,
): Promise<void> {
  if (sessions === undefined || kind !== "response" || id === undefined) return;
  const { unreadAnswer } = await import("./unread_answer.ts");
  await sessions.post(unreadAnswer(id, error), headers, principal, false);
}

/** A body that is not JSON in UTF-8 may be compressed: its header is read only then, since reading it for each request costs. */
async function unlessCoded(
  headers: Headers,
  code: number,
  otherwise: Response,
  onError: HttpHandlerOptions["onError"],
): Promise<Response> {
  const coding = code === ERROR_CODES.parse_error ? headers.get("content-encoding") : null;
  if (coding === null) return otherwise;
  try {
    return (await import("./coded_body.ts")).refuseCoded(coding, otherwise);
  } catch (error) {
    onError?.(error);
    return otherwise;
  }
}

/** A notification is accepted without a body (MCP 2026-07-28, Streamable HTTP § Sending messages). */
async function receive(message: JsonRpcMessage, exchange: HttpExchange, handle: PromptHandler): Promise<Response> {
  await handle(message, exchange);
  return new Response(null, { status: 202 });
}

function isJson(type: string | null): boolean {
  return type !== null && /^application\/json\s*(?:;|$)/i.test(type.trim());
}
