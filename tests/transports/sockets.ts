/** Channels over real sockets: one end is ours, the other is raw. */
import type { Limits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { lines } from "../../transports/byte_stream.ts";
import { connectChannel } from "../../transports/connect_channel.ts";
import { serveChannel } from "../../transports/serve_channel.ts";
import type { ServeChannelOptions } from "../../transports/serve_channel.ts";
import type { Served } from "../../transports/transport.ts";

/** Two ends of a TCP connection. */
export async function sockets(): Promise<[Deno.TcpConn, Deno.TcpConn]> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const [client, server] = await Promise.all([
    Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port }),
    listener.accept(),
  ]);
  listener.close();
  client.setNoDelay(true);
  server.setNoDelay(true);
  return [client, server];
}

/** A server on one end, and the raw other end. */
export async function served(server: Served, { limits, ...options }: ServeChannelOptions & { limits?: Limits } = {}) {
  const [near, far] = await sockets();
  const done = serveChannel(server, lines(far, { limits }), options);
  const replies: JsonRpcMessage[] = [];
  const reading = readRaw(near, (line) => replies.push(JSON.parse(line)));
  return {
    replies,
    write: (text: string | Uint8Array) => writeAll(near, typeof text === "string" ? new TextEncoder().encode(text) : text),
    async end() {
      await near.closeWrite();
      await done;
      await reading;
      near.close();
    },
  };
}

/** A client on one end, and the raw other end. */
export async function connected(limits: Limits = {}) {
  const [near, far] = await sockets();
  const errors: unknown[] = [];
  const transport = connectChannel(lines(near, { limits }), { onError: (error) => errors.push(error) });
  const sent: string[] = [];
  const reading = readRaw(far, (line) => sent.push(line));
  return {
    transport,
    errors,
    sent,
    write: (text: string | Uint8Array) => writeAll(far, typeof text === "string" ? new TextEncoder().encode(text) : text),
    hangUp: () => far.closeWrite(),
    async end() {
      await transport.close();
      await reading;
      far.close();
    },
  };
}

export async function readRaw(from: Deno.TcpConn, onLine: (line: string) => void): Promise<void> {
  let text = "";
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(65536);
  for (;;) {
    const count = await from.read(buffer).catch(() => null);
    if (count === null) break;
    const parts = (text + decoder.decode(buffer.subarray(0, count), { stream: true })).split("\n");
    text = parts.pop() ?? "";
    parts.forEach(onLine);
  }
  if (text !== "") onLine(text);
}

export async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}

export const line = (message: unknown) => `${JSON.stringify(message)}\n`;
export const response = (id: unknown, result: object = {}) => line({ jsonrpc: "2.0", id, result });
export const codes = (replies: JsonRpcMessage[]) =>
  replies.map((one) => "error" in one ? [one.id, one.error.code] : [(one as { id: unknown }).id]);
