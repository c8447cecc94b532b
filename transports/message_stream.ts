/** Both ends of a channel that carries messages as values: a worker's port, a socket of frames, a test. */
import { TransportError } from "../protocol/errors.ts";
import { readMessage } from "../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import type { Channel, MessageHandler, Transport } from "./transport.ts";
import { createPeer } from "./peer.ts";
import { answeredId } from "./read_fault.ts";
import { reportTo } from "./report.ts";
import { servePeer } from "./serve_peer.ts";
import type { ServePeerInfo } from "./serve_peer.ts";
import { within } from "./within.ts";

type Limits = Pick<ResolvedLimits, "subscriptionBuffer" | "stopGrace" | "stalledReader">;

/** Speaks to a server over a channel of messages. */
export function connectMessages(channel: Channel, limits: Limits, onError?: (error: unknown) => void): Transport {
  const reader = channel.readable.getReader();
  const writer = openWriter(channel, limits);
  const close = async (): Promise<void> => {
    await writer.close();
    await within(reader.cancel().catch(() => undefined), limits.stopGrace);
  };
  const peer = createPeer({ send: writer.send, close }, { limits, onError });
  const end = (cause?: unknown): void => {
    peer.end(new TransportError("closed", "Read from the server: the channel was closed", { cause }));
    void close();
  };
  (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const read = readMessage(value);
      if (read.ok) {
        await peer.receive(read.message);
        continue;
      }
      const fault = new TransportError("not_mcp", `Read a message of the server: ${read.error.message}`);
      const id = answeredId(read);
      if (id === undefined || !peer.refuse(id, fault)) reportTo(onError, fault);
    }
  })().then(() => end(), end);
  return peer;
}

/** What {@linkcode serveMessages} takes beside the channel. */
export interface ServeMessagesOptions {
  /** What is the same for every message. */
  readonly info: ServePeerInfo;
  /** Bounds. */
  readonly limits: Limits;
  /** Ends serving. */
  readonly signal?: AbortSignal | undefined;
  /** Told what a handler threw, and what could not be read or written. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Serves a channel of messages until it ends. */
export async function serveMessages(handler: MessageHandler, channel: Channel, options: ServeMessagesOptions): Promise<void> {
  const { limits, onError, signal } = options;
  const reader = channel.readable.getReader();
  const writer = openWriter(channel, limits);
  const served = servePeer(handler, writer, options.info, onError);
  const stop = (): void => {
    served.end();
    reader.cancel().catch(() => undefined);
  };
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const read = readMessage(value);
      if (read.ok) served.receive(read.message);
      else served.refuse(read);
      await writer.ready();
    }
  } catch (error) {
    reportTo(onError, error);
  } finally {
    signal?.removeEventListener("abort", stop);
    served.end();
    await writer.close();
    reader.cancel().catch(() => undefined);
  }
}

interface ChannelWriter {
  send(message: JsonRpcMessage): Promise<void>;
  ready(): Promise<void>;
  close(): Promise<void>;
}

function openWriter(channel: Channel, limits: Limits): ChannelWriter {
  const writer = channel.writable.getWriter();
  // A failure is told to those that write.
  writer.closed.catch(() => undefined);
  writer.ready.catch(() => undefined);
  return {
    send: (message) =>
      writer.write(message).catch((cause) => {
        throw new TransportError("closed", "Write a message: the channel is closed", { cause });
      }),
    async ready() {
      const limit = limits.stalledReader;
      if ((writer.desiredSize ?? 1) > 0 || await within(writer.ready, limit)) return;
      const data = { limit: "stalledReader", value: limit, seen: limit };
      throw new TransportError("limit", `Write to the peer: it took nothing for ${limit} ms (limit stalledReader)`, { data });
    },
    async close() {
      if (await within(writer.close().catch(() => undefined), limits.stopGrace)) return;
      writer.abort().catch(() => undefined);
    },
  };
}
