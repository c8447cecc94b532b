/** Every carrier of the package, in one process, as functions that connect to a server. */
import type { Server } from "@causeway/mcp/server";
import { resolveLimits } from "@causeway/mcp/protocol";
import { connectChannel, connectInMemory, connectStreamableHttp, lines, serveChannel } from "@causeway/mcp/transports";
import type { ByteChannel, Channel, JsonRpcMessage, Transport } from "@causeway/mcp/transports";
import { localFetch } from "../../testing/local_fetch.ts";
import { createWireLog } from "../../testing/wire_log.ts";

/** Two ends of a channel of bytes. */
export function bytePair(): { readonly near: ByteChannel; readonly far: ByteChannel } {
  const up = new TransformStream<Uint8Array, Uint8Array>();
  const down = new TransformStream<Uint8Array, Uint8Array>();
  return {
    near: { readable: down.readable, writable: up.writable },
    far: { readable: up.readable, writable: down.writable },
  };
}

/** Two ends of a channel of messages. */
export function channelPair(): { readonly near: Channel; readonly far: Channel } {
  const up = new TransformStream<JsonRpcMessage, JsonRpcMessage>();
  const down = new TransformStream<JsonRpcMessage, JsonRpcMessage>();
  return {
    near: { readable: down.readable, writable: up.writable },
    far: { readable: up.readable, writable: down.writable },
  };
}

/** Connects over lines of bytes; the client's end may be changed. */
export function overLines(server: Server, change: (bytes: ByteChannel) => ByteChannel = (bytes) => bytes): Transport {
  const { near, far } = bytePair();
  void serveChannel(server, lines(far));
  return connectChannel(lines(change(near)));
}

/** Connects over a channel of messages; the client's end may be changed. */
export function overChannel(server: Server, change: (channel: Channel) => Channel = (channel) => channel): Transport {
  const { near, far } = channelPair();
  void serveChannel(server, far);
  return connectChannel(change(near));
}

/** Connects over HTTP without a socket. */
export function overHttp(server: Server): Transport {
  const fetch = localFetch(server, undefined, createWireLog());
  return connectStreamableHttp("http://localhost/mcp", { limits: resolveLimits(undefined), fetch });
}

/** Connects over HTTP and a socket. */
export function overSocket(server: Server): Transport {
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, server.fetch);
  const transport = connectStreamableHttp(`http://127.0.0.1:${http.addr.port}/mcp`, { limits: resolveLimits(undefined) });
  let closing: Promise<void> | undefined;
  return {
    exchange: (request, options) => transport.exchange(request, options),
    send: (message, options) => transport.send(message, options),
    incoming: transport.incoming,
    close: () => closing ??= transport.close().then(() => http.shutdown()),
  };
}

/** All of them by name. */
export const CARRIERS: Readonly<Record<string, (server: Server) => Transport>> = {
  "in memory": (server) => connectInMemory(server),
  "lines of bytes": (server) => overLines(server),
  "a channel of messages": (server) => overChannel(server),
  "Streamable HTTP": overHttp,
  "Streamable HTTP on a socket": overSocket,
};
