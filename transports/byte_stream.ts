/** Newline-framed JSON-RPC over any byte channel: sockets, pipes, standard streams. */
import { TransportError } from "../protocol/errors.ts";
import { resolveLimits } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { rarely } from "../protocol/rarely.ts";
import type { Channel, MessageHandler, Transport } from "./transport.ts";
import { openPipe } from "./byte_pipe.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { LineChannel } from "./line_channel.ts";
import { readLines } from "./line_reader.ts";
import { createLineWriter } from "./line_writer.ts";
import { connectMessages } from "./message_stream.ts";
import { createPeer } from "./peer.ts";
import { answeredId, readFault } from "./read_fault.ts";
import { reportTo } from "./report.ts";
import { servePeer } from "./serve_peer.ts";
import type { ServePeerInfo } from "./serve_peer.ts";

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
 */
export function connectChannel(channel: Channel, options: ConnectChannelOptions = {}): Transport {
  if (channel instanceof LineChannel) {
    return connectPipe(openPipe(channel.bytes), options.limits ?? channel.limits ?? resolveLimits(undefined), options);
  }
  return connectMessages(channel, options.limits ?? resolveLimits(undefined), options.onError);
}

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
    onBad(text, read) {
      const fault = readFault("Read a message of the server", text, read.error, limits);
      const id = answeredId(read);
      if (id === undefined || !peer.refuse(id, fault)) bad(() => fault);
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

/** Options of {@linkcode servePipe}. */
export interface ServePipeOptions {
  /** What is the same for every message. */
  readonly info: ServePeerInfo;
  /** Bounds. */
  readonly limits: ResolvedLimits;
  /** Ends serving. */
  readonly signal?: AbortSignal | undefined;
  /** Told what a handler threw, and what could not be read or written. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Serves lines over a pipe until its reading side ends. */
export async function servePipe(handler: MessageHandler, pipe: BytePipe, options: ServePipeOptions): Promise<void> {
  const { limits, signal, onError } = options;
  const writer = createLineWriter(pipe, limits, (fault) => {
    reportTo(onError, fault);
    stop();
  });
  const served = servePeer(handler, writer, options.info, onError);
  const stop = (): void => {
    served.end();
    pipe.abort();
  };
  signal?.addEventListener("abort", stop);
  try {
    if (signal?.aborted === true) return;
    await readLines(pipe, limits, {
      onMessage(message) {
        served.receive(message);
        return writer.drained();
      },
      onBad(_text, read) {
        served.refuse(read);
        return writer.drained();
      },
      onUnreadable(_fault, error, _isMessage, kind) {
        served.refuse({ id: undefined, kind, error });
        return writer.drained();
      },
    });
  } catch (error) {
    reportTo(onError, error);
  } finally {
    signal?.removeEventListener("abort", stop);
    served.end();
    await writer.close();
    pipe.abort();
  }
}
