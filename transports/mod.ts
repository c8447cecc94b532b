/**
 * What carries messages, without processes: in memory, over byte and message channels, over HTTP; and the contracts for
 * carriers of your own.
 *
 * @example Client and server over a pair of byte streams
 * ```ts
 * import { connect } from "@causeway/mcp/client";
 * import { defineServer, tool } from "@causeway/mcp/server";
 * import { lines, serveChannel } from "@causeway/mcp/transports";
 *
 * const hello = tool({ name: "hello", handler: () => "Hello!" });
 * const server = defineServer({ name: "greeter", version: "1.0.0", tools: [hello] });
 * const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
 *
 * const served = serveChannel(server, lines({ readable: there.readable, writable: back.writable }));
 * const client = await connect(lines({ readable: back.readable, writable: there.writable }));
 * console.log((await client.listTools()).length);
 * await client.close();
 * await served;
 * ```
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
export { lines } from "./byte_stream.ts";
export type { LinesOptions } from "./byte_stream.ts";
export { connectChannel } from "./connect_channel.ts";
export type { ConnectChannelOptions } from "./connect_channel.ts";
export { serveChannel } from "./serve_channel.ts";
export type { ServeChannelOptions } from "./serve_channel.ts";
export { connectInMemory } from "./in_memory.ts";
export type { InMemoryOptions } from "./in_memory.ts";
export { connectStreamableHttp } from "./streamable_http_client.ts";
export type { StreamableHttpOptions } from "./streamable_http_client.ts";
