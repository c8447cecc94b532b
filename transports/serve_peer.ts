/** The server's end of a duplex channel: hands messages to a handler and writes what it answers. */
import { ERROR_CODES, TransportError } from "../protocol/errors.ts";
import { ownMember } from "../protocol/json.ts";
import { errorResponse, isRequest, isResponse } from "../protocol/json_rpc.ts";
import type { JsonRpcMessage, JsonRpcResponse, RequestId } from "../protocol/types.ts";
import type { Link } from "./link.ts";
import type { BadMessage } from "./read_fault.ts";
import { reportTo } from "../protocol/report_to.ts";
import { createSession } from "./session.ts";
import type { OpenSession } from "./session.ts";
import type { Connection, MessageHandler, MessageInfo, Principal } from "./transport.ts";
import { unreadAnswer } from "./unread_answer.ts";

/** What is the same for every message of a channel. */
export interface ServePeerInfo {
  /** The verified caller. */
  readonly principal?: Principal | undefined;
  /** The kind of carrier that the server is told of. */
  readonly transport: Connection["transport"];
}

/** How a channel is served. */
export interface ServeOptions<Limits> {
  /** What is the same for every message. */
  readonly info: ServePeerInfo;
  /** Bounds. */
  readonly limits: Limits;
  /** Ends serving. */
  readonly signal?: AbortSignal | undefined;
  /** Told what a handler threw, and what could not be read or written. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A served channel, fed by its reading end. */
export interface ServedPeer {
  /** Takes one message in; its answer is written when it is there. What comes back resolves then, and never rejects. */
  receive(message: JsonRpcMessage): Promise<void> | undefined;
  /**
   * Answers something that was not a message, unless it was meant as one that has no answer (JSON-RPC 2.0 § 4.1): that is reported,
   * and ends the question of the server that it was to answer.
   */
  refuse(read: BadMessage): void;
  /** There while the server has no room for more: nothing is to be read before it is over. */
  readonly held: Promise<void> | undefined;
  /** The channel has ended: every listener is called, and nothing more is written. */
  end(): void;
}

/**
 * Serves one duplex channel. The server is told of one connection with one session, which lasts as long as the channel, so
 * that handshake revisions can be spoken on it (MCP 2025-11-25, Lifecycle). Requests run at
 * once; what one of them answers keeps its order. What a handler throws is masked. After `notifications/cancelled` nothing more is
 * written for its request (MCP 2026-07-28, stdio § Cancellation).
 *
 * @param handler Answers messages.
 * @param link Where answers go.
 * @param info What is the same for every message.
 * @param onError Told what a handler or listener threw, and what could not be written.
 */
export function servePeer(
  handler: MessageHandler,
  link: Pick<Link, "send">,
  info: ServePeerInfo,
  onError?: (error: unknown) => void,
): ServedPeer {
  return new Served(handler, link, info, onError);
}

/** One message that is being answered. */
interface Entry {
  /** Called when the peer goes; there while the message is in `#listening`. */
  listeners: Set<() => void> | undefined;
  /** The peer does not want the answer. */
  gone: boolean;
}

class Served implements ServedPeer {
  readonly #handler: MessageHandler;
  readonly #link: Pick<Link, "send">;
  readonly #principal: Principal | undefined;
  readonly #session: OpenSession;
  readonly #connection: Connection;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #running = new Map<unknown, Entry>();
  readonly #listening = new Set<Entry>();
  readonly #hold = (room: Promise<void>): void => {
    const held = this.held = room.then(() => {
      if (this.held === held) this.held = undefined;
    });
  };
  held: Promise<void> | undefined;
  #ended = false;

  constructor(
    handler: MessageHandler,
    link: Pick<Link, "send">,
    info: ServePeerInfo,
    onError: ((error: unknown) => void) | undefined,
  ) {
    this.#handler = handler;
    this.#link = link;
    this.#principal = info.principal;
    this.#session = createSession({ send: (message) => this.#send(message) });
    this.#connection = Object.freeze({ transport: info.transport, session: this.#session });
    this.#onError = onError;
  }

  receive(message: JsonRpcMessage): Promise<void> | undefined {
    if (this.#ended) return undefined;
    const entry: Entry = { listeners: undefined, gone: false };
    const id = isRequest(message) ? message.id : undefined;
    if (id !== undefined) this.#running.set(id, entry);
    const answered = this.#answer(message, id, entry);
    if ("method" in message && message.method === "notifications/cancelled" && id === undefined) {
      const cancelled = this.#running.get(ownMember(message.params ?? {}, "requestId"));
      if (cancelled !== undefined) this.#leave(cancelled);
    }
    return answered;
  }

  refuse({ id, kind, error }: BadMessage): void {
    if (kind === "response" || kind === "notification") {
      reportTo(this.#onError, new TransportError("not_mcp", `Reading a message of the client: ${error.message}`));
      if (kind === "response" && id !== undefined) void this.receive(unreadAnswer(id, error));
    } else {
      void this.#send(errorResponse(id, error.code, error.message, error.data));
    }
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const entry of [...this.#running.values(), ...this.#listening]) this.#leave(entry);
    this.#running.clear();
    this.#session.end();
  }

  async #answer(message: JsonRpcMessage, id: RequestId | undefined, entry: Entry): Promise<void> {
    try {
      const answer = await this.#handler(message, this.#infoFor(entry));
      if (answer === undefined) return;
      if (Symbol.asyncIterator in answer) await this.#stream(answer, entry);
      else if (!entry.gone) await this.#send(answer);
    } catch (error) {
      this.#report(error);
      if (id !== undefined && !entry.gone) await this.#send(errorResponse(id, ERROR_CODES.internal_error, "Internal error"));
    } finally {
      if (id !== undefined && this.#running.get(id) === entry) this.#running.delete(id);
    }
  }

  async #stream(answer: AsyncIterable<JsonRpcMessage>, entry: Entry): Promise<void> {
    for await (const part of answer) {
      if (entry.gone) return;
      await this.#send(part);
    }
  }

  /** Writes one message; never rejects. */
  async #send(message: JsonRpcMessage): Promise<void> {
    if (this.#ended) return;
    try {
      await this.#link.send(message);
    } catch (error) {
      if (this.#ended) return;
      this.#report(error);
      if (isResponse(message) && message.id !== undefined) await this.#sendInstead(message.id, error);
    }
  }

  /** A response that cannot be written is an error of that call alone. */
  async #sendInstead(id: RequestId, error: unknown): Promise<void> {
    try {
      await this.#link.send(replacement(id, error));
    } catch {
      // The channel is gone: its end is told by the reading side.
    }
  }

  #infoFor(entry: Entry): MessageInfo {
    return {
      principal: this.#principal,
      connection: this.#connection,
      onDisconnect: (listener) => this.#listen(entry, listener),
      hold: this.#hold,
    };
  }

  #listen(entry: Entry, listener: () => void): () => void {
    if (this.#ended || entry.gone) {
      queueMicrotask(() => this.#call(listener));
      return () => undefined;
    }
    const own = (): void => listener();
    const listeners = entry.listeners ??= new Set();
    listeners.add(own);
    this.#listening.add(entry);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0) this.#listening.delete(entry);
    };
  }

  #leave(entry: Entry): void {
    entry.gone = true;
    this.#listening.delete(entry);
    const listeners = entry.listeners;
    entry.listeners = undefined;
    if (listeners === undefined) return;
    for (const listener of listeners) this.#call(listener);
  }

  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    reportTo(this.#onError, error);
  }
}

function replacement(id: RequestId, error: unknown): JsonRpcResponse {
  if (error instanceof TransportError && error.reason === "limit") {
    const limit = (error.data as { readonly value?: number } | undefined)?.value ?? 0;
    const data = { reason: "response_too_large", limit };
    return errorResponse(
      id,
      ERROR_CODES.internal_error,
      `Internal error: the response is larger than ${limit} bytes (limit frame)`,
      data,
    );
  }
  return errorResponse(id, ERROR_CODES.internal_error, "Internal error");
}
