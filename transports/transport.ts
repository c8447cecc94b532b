/** The two contracts between messages and what carries them, and the names under which a server's types travel. */
import type { AuthInfo } from "../protocol/auth/auth_info.ts";
import type { HeaderReader } from "../protocol/headers.ts";
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../protocol/types.ts";

export type { AuthInfo } from "../protocol/auth/auth_info.ts";
export type { HeaderReader } from "../protocol/headers.ts";

/** What goes with one request on its way out. */
export interface ExchangeOptions {
  /** Ends the exchange. Ending the iteration early does the same. */
  readonly signal?: AbortSignal | undefined;
  /** Header pairs that the dialect wants; carriers without headers ignore them. */
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
}

/** What goes with one message that has no answer. */
export type SendOptions = Pick<ExchangeOptions, "headers">;

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
  /** Ends everything. A second call does nothing. */
  close(): Promise<void>;
}

/** A verified identity: never taken from headers, arguments or what the client says about itself. */
export type Principal = AuthInfo;

/** What a message came over: the process behind stdio, a channel, or a single HTTP exchange. */
export interface Connection {
  /** The kind of carrier. */
  readonly transport: "http" | "stdio" | "memory";
}

/** What is known about a message that comes in. */
export interface MessageInfo {
  /** The verified caller; absent for anonymous ones. */
  readonly principal?: Principal | undefined;
  /** Over what the message came. Ids are unique within one connection only. */
  readonly connection: Connection;
  /** The HTTP headers; absent on other carriers. */
  readonly headers?: HeaderReader | undefined;
  /**
   * Registers a listener that is called once, within 100 ms of the peer's going or of its cancelling this request.
   *
   * @returns Takes the listener back.
   */
  onDisconnect(listener: () => void): () => void;
}

/**
 * A server as carriers see it. It answers with one message, with a stream that ends in the response, or with
 * nothing (a notification came in, or the request was cancelled). Which of them is decided at the first emission.
 */
export type MessageHandler = (
  message: JsonRpcMessage,
  info: MessageInfo,
) => Promise<JsonRpcMessage | undefined | AsyncIterable<JsonRpcMessage>>;

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
