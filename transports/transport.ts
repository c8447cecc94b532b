/** The two contracts between messages and what carries them, and the names under which a server's types travel. */
import type { AuthInfo } from "../protocol/auth/auth_info.ts";
import type { HeaderReader } from "../protocol/headers.ts";
import type { HandshakeState } from "../protocol/lifecycle.ts";
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../protocol/types.ts";

export type { AuthInfo } from "../protocol/auth/auth_info.ts";
export type { HeaderReader } from "../protocol/headers.ts";
export type { HandshakeState } from "../protocol/lifecycle.ts";

/** What goes with one request on its way out. */
export interface ExchangeOptions {
  /** Ends the exchange. Ending the iteration early does the same. */
  readonly signal?: AbortSignal | undefined;
  /** Header pairs that the dialect wants; carriers without headers ignore them. */
  readonly headers?: HeaderPairs | undefined;
  /** The request, its params and their `_meta` were made for this exchange: the carrier may keep and change them. */
  readonly owned?: boolean | undefined;
  /**
   * This is the handshake: the carrier keeps the session that the answer opens, in place of any other, and names it with all
   * that follows; the request itself names none. Leaving it is never told to the server (MCP 2025-11-25, Cancellation).
   */
  readonly opensSession?: boolean | undefined;
  /**
   * Leaving the exchange is told to the server by its owner, and a stream that breaks off before the response is taken up
   * again where the server allows that (MCP 2025-11-25, Streamable HTTP § Resumability and Redelivery).
   */
  readonly resumable?: boolean | undefined;
  /**
   * The member of the result that is a list, where the method is none of the protocol's own: of it, too, items that nest too deep
   * are left out alone.
   */
  readonly list?: string | undefined;
}

/** Pairs of a header's name and value. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** How what belongs to no exchange is listened to. */
export interface ListenOptions {
  /** Ends listening. */
  readonly signal: AbortSignal;
  /** Called when messages may have been missed. */
  readonly onGap?: (() => void) | undefined;
  /** Called once when the stream is lost for good, or is not offered; calls are not affected. */
  readonly onLost?: ((error: unknown) => void) | undefined;
}

/** What goes with one message that has no answer. */
export interface SendOptions extends Pick<ExchangeOptions, "headers"> {
  /** Gives the message up, on a carrier that can still take it back: over HTTP its request is ended. */
  readonly signal?: AbortSignal | undefined;
}

/** A carrier on the client's side: one request out, a stream of messages back that ends with its response. */
export interface Transport {
  /**
   * Sends a request; yields what arrives for it; the last message is the response. Ending the iteration early,
   * or aborting the signal, is cancellation (MCP 2026-07-28, Cancellation).
   */
  exchange(request: JsonRpcRequest, options: ExchangeOptions): AsyncIterable<JsonRpcMessage>;
  /** Sends something that has no answer: a notification, or an answer to a request of the server. */
  send(message: JsonRpcNotification | JsonRpcResponse, options?: SendOptions): Promise<void>;
  /** What belongs to no exchange: requests of the server and stray notifications. Ends when the carrier is closed. */
  readonly incoming: AsyncIterable<JsonRpcMessage>;
  /** The id of the open session, where the carrier has such ids. */
  readonly sessionId?: string | undefined;
  /**
   * An exchange is its own iterator, and its `return()` cancels it at any time, also while a message is awaited: no signal is
   * needed. Generators cannot promise that. What `return()` is given says why, as the reason of a signal would.
   */
  readonly endsWithStream?: true | undefined;
  /** The handshake is over: these headers go with whatever comes without its own (streams, the end of the session). */
  agreed?(headers: HeaderPairs): void;
  /** Opens the stream for what belongs to no exchange, where it is not always open: the GET stream of Streamable HTTP. */
  listen?(options: ListenOptions): void;
  /** Ends everything, the session included. A second call does nothing. */
  close(): Promise<void>;
}

/** A verified identity: never taken from headers, arguments or what the client says about itself. */
export type Principal = AuthInfo<unknown>;

/** What a message came over: the process behind stdio, a channel, an HTTP session, or a single HTTP exchange. */
export interface Connection {
  /** The kind of carrier. */
  readonly transport: "http" | "stdio" | "memory";
  /** There when the connection outlasts one exchange, which the handshake revisions need for most of what they can do. */
  readonly session?: Session | undefined;
}

/** A connection that lasts, as the server sees it. One object for its whole life in this process. */
export interface Session {
  /** Names the session on every instance that serves it; absent when no other instance can. Never shown to anyone. */
  readonly key?: string | undefined;
  /** What the handshake has agreed on; undefined before it. */
  readonly state: HandshakeState | undefined;
  /** Keeps a new state; the server calls it. */
  update(state: HandshakeState): void;
  /**
   * Sends what belongs to no request. Resolves when it is on its way or has been given up; never rejects.
   *
   * @param everywhere Every instance that serves the session sends it, so that one of them has to.
   */
  send(message: JsonRpcNotification | JsonRpcRequest, everywhere?: boolean): Promise<void>;
  /**
   * Registers a listener that is called once when the session has ended.
   *
   * @returns Takes the listener back.
   */
  onEnd(listener: () => void): () => void;
}

/** What is known about a message that comes in. */
export interface MessageInfo {
  /** The verified caller; absent for anonymous ones. */
  readonly principal?: Principal | undefined;
  /** What the message came over. Ids are unique within one connection only. */
  readonly connection: Connection;
  /** The HTTP headers; absent on other carriers. */
  readonly headers?: HeaderReader | undefined;
  /**
   * Registers a listener that is called once, within 100 ms of the peer's going or of its cancelling this request. In a
   * session it is the session's end that counts, not a hang-up.
   *
   * @returns Takes the listener back.
   */
  onDisconnect(listener: () => void): () => void;
  /**
   * Asks the carrier to bring nothing more until there is room. Where it is absent, which is wherever each message has an
   * exchange of its own, what finds no room is refused.
   */
  readonly hold?: ((room: Promise<void>) => void) | undefined;
}

/**
 * A server as carriers see it. It answers with one message, with a stream that ends in the response, or with
 * nothing (a notification came in, or the request was cancelled). Which of them is decided at the first emission.
 */
export type MessageHandler = (
  message: JsonRpcMessage,
  info: MessageInfo,
) => Promise<JsonRpcMessage | undefined | AsyncIterable<JsonRpcMessage>>;

/** The same, which answers without a promise where nothing has to be waited for. */
export type PromptHandler = (
  message: JsonRpcMessage,
  info: MessageInfo,
) => ReturnType<MessageHandler> | Awaited<ReturnType<MessageHandler>>;

/** Two ends of a message channel; `connect` and `serveChannel` take one. */
export interface Channel {
  /** What comes from the peer. */
  readonly readable: ReadableStream<JsonRpcMessage>;
  /** What goes to the peer. */
  readonly writable: WritableStream<JsonRpcMessage>;
}

/** Two ends of a byte channel: a socket, a pipe. */
export interface ByteChannel {
  /** What comes from the peer. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What goes to the peer. */
  readonly writable: WritableStream<Uint8Array>;
}

/** The names and types of what a server offers, as `typeof server` carries them. */
export interface ServerTypes {
  /** Arguments and structured results of tools, by name. */
  readonly tools: { readonly [name: string]: { readonly args: object; readonly result: unknown } };
  /** Arguments of prompts, by name. */
  readonly prompts: { readonly [name: string]: { readonly [name: string]: string | undefined } };
}

/** Anything that `connect` can reach in process, and whose types a client can be given. */
export interface Served<T extends ServerTypes = ServerTypes> {
  /** Answers one message. */
  readonly handle: MessageHandler;
  /** Types only; never there at run time. */
  readonly "~types"?: T;
}
