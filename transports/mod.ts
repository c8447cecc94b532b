/**
 * What carries messages, without processes: in memory, over byte and message channels, over HTTP; and the contracts for
 * carriers of your own.
 *
 * @module
 */
export type { ResolvedLimits } from "../protocol/limits.ts";
export type {
  ClientCapabilities,
  HeadersLike,
  Icon,
  Implementation,
  JsonObject,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonValue,
  LimitOptions,
  Limits,
  LogLevel,
  RequestId,
} from "../protocol/types.ts";
export type {
  AuthInfo,
  ByteChannel,
  Channel,
  Connection,
  ExchangeOptions,
  HandshakeState,
  HeaderPairs,
  HeaderReader,
  ListenOptions,
  MessageHandler,
  MessageInfo,
  Principal,
  SendOptions,
  Served,
  ServerTypes,
  Session,
  Transport,
} from "./transport.ts";
export { connectChannel, lines, serveChannel } from "./byte_stream.ts";
export type { ConnectChannelOptions, LinesOptions, ServeChannelOptions } from "./byte_stream.ts";
export { connectInMemory } from "./in_memory.ts";
export type { InMemoryOptions } from "./in_memory.ts";
export { connectStreamableHttp } from "./streamable_http_client.ts";
export type { StreamableHttpOptions } from "./streamable_http_client.ts";
