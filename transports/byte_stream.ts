/** Newline-framed JSON-RPC over any byte channel: sockets, pipes, standard streams. */
import { TransportError } from "../protocol/errors.ts";
import { resolveLimits } from "../protocol/limits.ts";
import type { LimitOptions, ResolvedLimits } from "../protocol/limits.ts";
import { onDemand } from "../protocol/on_demand.ts";
import { rarely } from "../protocol/rarely.ts";
import { checkOptions } from "../protocol/unknown_option.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import type { AuthInfo, ByteChannel, Channel, MessageHandler, Principal, Served, Transport } from "./transport.ts";
import { openPipe } from "./byte_pipe.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { keptList } from "./kept_list.ts";
import { readLines } from "./line_reader.ts";
import { createLineWriter } from "./line_writer.ts";
import { connectMessages } from "./message_stream.ts";
import { createPeer } from "./peer.ts";
import { answeredId, readFault } from "./read_fault.ts";
import { reportTo } from "./report.ts";
import { checkServed, settingsOf } from "./served_settings.ts";
import type { ServePeerInfo } from "./serve_peer.ts";

/** Options of {@linkcode lines}. */
export interface LinesOptions {
  /** Bounds: `frame`, `jsonDepth`, `jsonElements`, `stalledReader`, `stopGrace`; those of the server or client by default. */
  readonly limits?: LimitOptions | undefined;
}

/**
 * Reads and writes one JSON-RPC message a line over any byte channel (MCP 2026-07-28, stdio § stdio).
 *
 * `serveChannel` answers lines that hold no message with an error, and a connected client passes over them. Whoever reads
 * the channel's `readable` does not get to see them.
 *
 * @param bytes A socket or a pipe. Its streams are locked when the channel is first used.
 * @param options Bounds.
 * @throws {TypeError} For what has no streams, for a bound that does not exist or makes no sense, and for an option that nobody reads.
 */
export function lines(bytes: ByteChannel, options: LinesOptions = {}): Channel {
  checkStreams(bytes, "lines.bytes");
  checkOptions(options, "lines", "limits");
  return new LineChannel(bytes, options.limits === undefined ? undefined : resolveLimits(options.limits));
}

/** Options of {@linkcode connectChannel}. */
export interface ConnectChannelOptions {
  /** Bounds; those of `lines` by default. */
  readonly limits?: ResolvedLimits | undefined;
  /** Told about lines that hold no message, and about messages that belong to no call. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Makes a client's carrier of a channel.
 *
 * @param channel What `lines` gave, or a channel of your own.
 * @param options Bounds, and who hears of stray faults.
 * @throws {TypeError} For what is no channel, and for an option that nobody reads.
 */
export function connectChannel(channel: Channel, options: ConnectChannelOptions = {}): Transport {
  checkStreams(channel, "connectChannel.channel");
  checkOptions(options, "connectChannel", "limits onError");
  if (channel instanceof LineChannel) {
    return connectPipe(openPipe(channel.bytes), options.limits ?? channel.limits ?? resolveLimits(undefined), options);
  }
  return connectMessages(channel, options.limits ?? resolveLimits(undefined), options.onError);
}

/** Options of {@linkcode serveChannel}. */
export interface ServeChannelOptions {
  /** The verified caller; nobody by default. */
  readonly principal?: Principal | undefined;
  /** The same as `principal`, under the name that `server.respond` has for it. */
  readonly auth?: AuthInfo<unknown> | undefined;
  /** Ends serving; the channel is closed. */
  readonly signal?: AbortSignal | undefined;
  /** Told what a handler threw, and what could not be read or written. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Serves one channel until it ends. Requests that still run then are cancelled.
 *
 * @param server Any server.
 * @param channel What `lines` gave, or a channel of your own.
 * @param options Who is calling, and what ends it early.
 * @returns Resolves when the channel has ended, in whatever way. Never rejects for what the peer does.
 * @throws {TypeError} For what is no server, for what is no channel, and for an option that nobody reads.
 */
export async function serveChannel(server: Served, channel: Channel, options: ServeChannelOptions = {}): Promise<void> {
  checkServed(server, "serveChannel.server");
  checkStreams(channel, "serveChannel.channel");
  checkOptions(options, "serveChannel", "principal auth signal onError");
  const settings = settingsOf(server);
  const { signal } = options;
  const onError = options.onError ?? settings.onError;
  const handler: MessageHandler = (message, about) => server.handle(message, about);
  const info: ServePeerInfo = { principal: options.principal ?? options.auth as Principal | undefined, transport: "stdio" };
  // Its streams are locked at once.
  const pipe = channel instanceof LineChannel ? openPipe(channel.bytes) : undefined;
  const { serveMessages, servePipe } = SERVING.loaded ?? await SERVING.load();
  if (channel instanceof LineChannel && pipe !== undefined) {
    await servePipe(handler, pipe, { info, limits: channel.limits ?? settings.limits, signal, onError });
  } else {
    await serveMessages(handler, channel, { info, limits: settings.limits, signal, onError });
  }
}

/** What serves channels; servers over HTTP alone never load it. */
const SERVING = onDemand(() => import("./served_channels.ts"));

/** Options of {@linkcode connectPipe}. */
export interface ConnectPipeOptions {
  /** Told about lines that hold no message, and about messages that belong to no call. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Ends the far side, after the writing side was closed. By default both sides of the pipe are ended. */
  readonly close?: (() => Promise<void>) | undefined;
  /** Says why the pipe broke; called once. By default it was closed. */
  readonly explain?: ((cause: unknown) => Promise<TransportError>) | undefined;
}

/** Speaks lines to a server over a pipe. */
export function connectPipe(pipe: BytePipe, limits: ResolvedLimits, options: ConnectPipeOptions): Transport {
  const { onError } = options;
  let explained: Promise<TransportError> | undefined;
  const writer = createLineWriter(pipe, limits, (fault) => {
    // After a failed write there may still be answers to read; a peer that stands still has none.
    if (fault.reason === "closed") return;
    explained ??= Promise.resolve(fault);
    pipe.abort();
  });
  const explain = (cause: unknown): Promise<TransportError> => {
    explained ??= options.explain?.(cause) ??
      Promise.resolve(new TransportError("closed", "Read from the server: the connection was closed", { cause }));
    return explained;
  };
  const peer = createPeer({
    send: (message) =>
      writer.send(message).catch(async (error) => {
        throw error instanceof TransportError && error.reason === "closed" ? await explain(error) : error;
      }),
    async close() {
      await writer.close();
      await (options.close?.() ?? pipe.abort());
    },
  }, { limits, onError });
  const end = async (cause?: unknown): Promise<void> => {
    peer.end(await explain(cause));
    await peer.close();
  };
  // A server that writes its log where messages belong may write much of it.
  const bad = rarely((fault) => reportTo(onError, fault));
  readLines(pipe, limits, {
    onMessage: (message) => peer.receive(message),
    onBad(text, broken) {
      const id = answeredId(broken);
      const read = keptList({ asked: peer.askedWith(id), text, read: broken, limits, onError });
      if (read.ok) return peer.receive(read.message);
      const { error } = read;
      const fault = (): TransportError => readFault("Read a message of the server", text, error, limits);
      if (id === undefined || !peer.refuse(id, fault())) bad(fault);
      return undefined;
    },
    onUnreadable(fault, _error, isMessage) {
      // Whose answer it was cannot be told, and nobody shall wait for it until the timeout.
      if (!isMessage || !peer.refuse(undefined, fault)) bad(() => fault);
      return undefined;
    },
  }).then(() => end(), end);
  return peer;
}

/** Asked for by name only: to read a stream of a channel of lines would open it. */
function checkStreams(value: object, path: string): void {
  if (!("readable" in Object(value))) throw new TypeError(`${path}: Expected streams`);
}

/** A channel that still knows its bytes, so that either end can answer for every line. */
class LineChannel implements Channel {
  readonly bytes: ByteChannel;
  readonly limits: ResolvedLimits | undefined;
  #streams: Channel | undefined;

  constructor(bytes: ByteChannel, limits: ResolvedLimits | undefined) {
    this.bytes = bytes;
    this.limits = limits;
  }

  get readable(): ReadableStream<JsonRpcMessage> {
    return this.#open().readable;
  }

  get writable(): WritableStream<JsonRpcMessage> {
    return this.#open().writable;
  }

  #open(): Channel {
    this.#streams ??= openStreams(openPipe(this.bytes), this.limits ?? resolveLimits(undefined));
    return this.#streams;
  }
}

function openStreams(pipe: BytePipe, limits: ResolvedLimits): Channel {
  const writer = createLineWriter(pipe, limits, () => pipe.abort());
  let resume: (() => void) | undefined;
  let ended = false;
  const readable = new ReadableStream<JsonRpcMessage>({
    start(controller) {
      const onMessage = (message: JsonRpcMessage): Promise<void> | undefined => {
        controller.enqueue(message);
        return (controller.desiredSize ?? 0) > 0 ? undefined : new Promise((resolve) => resume = resolve);
      };
      readLines(pipe, limits, { onMessage, onBad: () => undefined, onUnreadable: () => undefined })
        .catch((error) => {
          // Some channels, Deno's connections among them, end as a whole when their writing side is closed.
          if (!ended) throw error;
        }).then(() => controller.close()).catch((error) => controller.error(error));
    },
    pull: () => resume?.(),
    cancel() {
      resume?.();
      pipe.abort();
    },
  });
  const writable = new WritableStream<JsonRpcMessage>({
    write: (message) => writer.send(message),
    close() {
      ended = true;
      return writer.close();
    },
    abort: () => pipe.abort(),
  });
  return { readable, writable };
}
