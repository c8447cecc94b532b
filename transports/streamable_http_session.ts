/** Streamable HTTP with sessions, which the handshake revisions have: session ids, the GET stream, DELETE, and replay. */
import { versionHeaderFault } from "../protocol/classification.ts";
import { ERROR_CODES } from "../protocol/errors.ts";
import { HEADERS } from "../protocol/headers.ts";
import type { HeaderReader } from "../protocol/headers.ts";
import { errorResponse, isRequest } from "../protocol/json_rpc.ts";
import type { JsonRpcErrorObject } from "../protocol/json_rpc.ts";
import type { JsonRpcMessage, JsonRpcRequest, RequestId } from "../protocol/types.ts";
import { belongsToSession, SESSION_METHODS } from "./sessions/belongs_to_session.ts";
import { acceptsEvents } from "./http_accept.ts";
import { httpError, jsonResponse } from "./http_response.ts";
import { SERVICE_UNAVAILABLE } from "./http_status.ts";
import type { HttpSession } from "./sessions/http_session.ts";
import { SessionRegistry } from "./sessions/session_registry.ts";
import type { Refused, SessionRegistryOptions } from "./sessions/session_registry.ts";
import { SseResponses } from "./sse_response.ts";
import { tokenEnd } from "./token_end.ts";
import type { Principal } from "./transport.ts";

export type { EventStore, SessionRecord, SessionStore, StoredEvent, StreamName } from "./sessions/session_stores.ts";
export type { SessionClaims, SessionTokens } from "./sessions/session_tokens.ts";

/** What the sessions of a server are made of. */
export type HttpSessionsOptions = Omit<SessionRegistryOptions, "streams">;

/** The sessions of a server. */
export interface HttpSessions {
  /** The methods that the endpoint takes. */
  readonly allow: string;
  /** Is a message that came by POST the business of sessions? Those of stateless revisions are not. */
  takes(message: JsonRpcMessage, headers: HeaderReader): boolean;
  /** Answers a message that came by POST; `events` says whether the client takes a stream. */
  post(message: JsonRpcMessage, headers: HeaderReader, principal: Principal | undefined, events: boolean): Promise<Response>;
  /** Answers a request by another method. */
  visit(request: Request, principal: Principal | undefined): Promise<Response>;
  /** Ends every session in this process, after what is being written to them. */
  close(): Promise<void>;
}

/** RFC 9110 § 15.6.1. */
const FAILED = 500;

/**
 * Makes the sessions of a server (MCP 2025-11-25, Streamable HTTP § Session Management).
 *
 * @param options What they are made of.
 */
export function createHttpSessions(options: HttpSessionsOptions): HttpSessions {
  return new Sessions(options);
}

class Sessions implements HttpSessions {
  readonly allow = SESSION_METHODS;
  readonly #options: HttpSessionsOptions;
  readonly #registry: SessionRegistry;

  constructor(options: HttpSessionsOptions) {
    this.#options = options;
    this.#registry = new SessionRegistry({ ...options, streams: new SseResponses(options.limits) });
  }

  takes(message: JsonRpcMessage, headers: HeaderReader): boolean {
    return belongsToSession(message, headers, this.#options.dialects);
  }

  async post(
    message: JsonRpcMessage,
    headers: HeaderReader,
    principal: Principal | undefined,
    events: boolean,
  ): Promise<Response> {
    const id = isRequest(message) ? message.id : undefined;
    try {
      if (isRequest(message) && message.method === "initialize") return await this.#initialize(message, headers, principal);
      const found = await this.#find(headers, principal, id);
      return found instanceof Response ? found : await found.answer(message, headers, principal, events);
    } catch (error) {
      return this.#failed(error, id);
    }
  }

  async visit(request: Request, principal: Principal | undefined): Promise<Response> {
    const { method, headers } = request;
    if (method !== "GET" && method !== "DELETE") {
      return httpError(405, `Method not allowed: the endpoint takes ${SESSION_METHODS}, received ${method}`, {
        allow: SESSION_METHODS,
      });
    }
    if (method === "GET" && !acceptsEvents(headers.get("Accept"))) {
      return httpError(406, "Not acceptable: Accept must allow text/event-stream");
    }
    try {
      const found = await this.#find(headers, principal, undefined);
      if (found instanceof Response) return found;
      if (method === "GET") return await this.#listen(found, headers.get(HEADERS.lastEventId), tokenEnd(principal));
      await this.#registry.end(found);
      return new Response(null, { status: 204 });
    } catch (error) {
      return this.#failed(error, undefined);
    }
  }

  close(): Promise<void> {
    return this.#registry.close();
  }

  /** A place is taken before the handshake, so that a flood of them stops here. */
  async #initialize(message: JsonRpcRequest, headers: HeaderReader, principal: Principal | undefined): Promise<Response> {
    if (headers.get(HEADERS.sessionId) !== null) {
      return httpError(400, "Invalid request: initialize opens a session, and names none in Mcp-Session-Id", { id: message.id });
    }
    const beginning = this.#registry.begin(principal?.principal);
    if ("ok" in beginning) return this.#full(beginning, message.id);
    try {
      const response = await beginning.session.answer(message, headers, principal, false);
      const token = await beginning.establish();
      if (typeof token === "object") return this.#full(token, message.id);
      if (token !== undefined) response.headers.set("mcp-session-id", token);
      return response;
    } finally {
      beginning.abandon();
    }
  }

  async #listen(session: HttpSession, lastEventId: string | null, until: number | undefined): Promise<Response> {
    if (lastEventId === null) return await session.listen(until);
    return await session.resume(lastEventId, until) ??
      httpError(400, "Invalid request: Last-Event-ID names no event that is kept, so that its stream cannot be taken up again");
  }

  /** The session that a message belongs to, or the refusal. */
  async #find(
    headers: HeaderReader,
    principal: Principal | undefined,
    id: RequestId | undefined,
  ): Promise<HttpSession | Response> {
    const token = headers.get(HEADERS.sessionId);
    if (token === null) {
      const fault = versionHeaderFault(headers, this.#options.dialects, undefined);
      if (fault !== undefined) return this.#refused(fault.status, fault.error, id);
      return httpError(400, "Invalid request: Mcp-Session-Id is missing; initialize gives the id of a session", { id });
    }
    const found = await this.#registry.find(token, principal?.principal);
    if (found === undefined) {
      return httpError(404, "Not found: the session is unknown or has ended; initialize anew, without Mcp-Session-Id", { id });
    }
    if ("ok" in found) return this.#full(found, id);
    const fault = versionHeaderFault(headers, this.#options.dialects, found.session.state?.version);
    return fault === undefined ? found : this.#refused(fault.status, fault.error, id);
  }

  #full({ sentence, limit }: Refused, id: RequestId | undefined): Response {
    const reason = "capacity_reached";
    const data = limit.value === undefined ? { reason, limit: limit.name } : { reason, [limit.name]: limit.value };
    return this.#refused(SERVICE_UNAVAILABLE, { code: ERROR_CODES.internal_error, message: sentence, data }, id);
  }

  /** What a store or a handler throws is no business of the client's. */
  #failed(error: unknown, id: RequestId | undefined): Response {
    this.#options.onError(error);
    return this.#refused(FAILED, { code: ERROR_CODES.internal_error, message: "Internal error" }, id);
  }

  #refused(status: number, { code, message, data }: JsonRpcErrorObject, id: RequestId | undefined): Response {
    return jsonResponse(errorResponse(id, code, message, data), this.#options.limits, status);
  }
}
