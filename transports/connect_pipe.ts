/** The client's end of newline-framed JSON-RPC over a pipe of bytes. */
import { TransportError } from "../protocol/errors.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { rarely } from "../protocol/rarely.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { keptList } from "./kept_list.ts";
import { readLines } from "./line_reader.ts";
import { createLineWriter } from "./line_writer.ts";
import { createPeer } from "./peer.ts";
import { answeredId, readFault } from "./read_fault.ts";
import { reportTo } from "../protocol/report_to.ts";
import type { Transport } from "./transport.ts";

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
      Promise.resolve(new TransportError("closed", "Reading from the server: the connection was closed", { cause }));
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
      const fault = (): TransportError => readFault("Reading a message of the server", text, error, limits);
      if (id === undefined || !peer.refuse(id, fault())) bad(fault);
      return peer.receiveBroken(read);
    },
    onUnreadable(fault, _error, isMessage) {
      // Whose answer it was cannot be told, and nobody shall wait for it until the timeout.
      if (!isMessage || !peer.refuse(undefined, fault)) bad(() => fault);
      return undefined;
    },
  }).then(() => end(), end);
  return peer;
}
