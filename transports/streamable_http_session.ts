/** Streamable HTTP with sessions, which the handshake revisions have: which requests are theirs. */
import { isModern } from "../protocol/classification.ts";
import type { HeaderReader } from "../protocol/headers.ts";
import { isResponse } from "../protocol/json_rpc.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import { acceptsEvents } from "./http_accept.ts";
import { httpError } from "./http_response.ts";
import type { ServedSessions } from "./served_sessions.ts";
import type { SessionRegistryOptions } from "./session_registry.ts";
import type { Principal } from "./transport.ts";

export type { EventStore, SessionRecord, SessionStore, StoredEvent, StreamName } from "./session_stores.ts";
export type { SessionClaims, SessionTokens } from "./session_tokens.ts";

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

const ALLOW = "GET, POST, DELETE";

/**
 * Makes the sessions of a server (MCP 2025-11-25, Streamable HTTP § Session Management). What serves them is loaded when the
 * first of them is asked for: most clients of a server may need none.
 *
 * @param options What they are made of.
 */
export function createHttpSessions(options: HttpSessionsOptions): HttpSessions {
  return new Sessions(options);
}

class Sessions implements HttpSessions {
  readonly allow = ALLOW;
  readonly #options: HttpSessionsOptions;
  #served: Promise<ServedSessions> | undefined;
  #closed = false;

  constructor(options: HttpSessionsOptions) {
    this.#options = options;
  }

  takes(message: JsonRpcMessage, headers: HeaderReader): boolean {
    return isResponse(message) || !isModern(message, headers, this.#options.dialects);
  }

  async post(
    message: JsonRpcMessage,
    headers: HeaderReader,
    principal: Principal | undefined,
    events: boolean,
  ): Promise<Response> {
    return await (await this.#load()).post(message, headers, principal, events);
  }

  async visit(request: Request, principal: Principal | undefined): Promise<Response> {
    const { method, headers } = request;
    if (method !== "GET" && method !== "DELETE") {
      return httpError(405, `Method not allowed: the endpoint takes ${ALLOW}, received ${method}`, { allow: ALLOW });
    }
    if (method === "GET" && !acceptsEvents(headers.get("accept"))) {
      return httpError(406, "Not acceptable: Accept must allow text/event-stream");
    }
    return await (await this.#load()).visit(method, headers, principal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#served)?.close();
  }

  #load(): Promise<ServedSessions> {
    return this.#served ??= import("./served_sessions.ts").then(async ({ ServedSessions }) => {
      const served = new ServedSessions(this.#options);
      if (this.#closed) await served.close();
      return served;
    });
  }
}
