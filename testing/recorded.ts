/** `recorded`: a carrier that keeps what passes over it. */
import type { JsonRpcMessage, JsonRpcRequest } from "../protocol/types.ts";
import type { ExchangeOptions, Transport } from "../transports/transport.ts";
import { around } from "./around.ts";
import { createWireLog } from "./wire_log.ts";
import type { WireEntry, WireLog } from "./wire_log.ts";

/** A carrier with the wire in view. */
export type RecordedTransport = Transport & {
  /** Every message so far, in order. */
  readonly wire: readonly WireEntry[];
};

/**
 * Keeps what passes over a carrier, both ways: requests when they are sent, everything else when it is sent or read. What a
 * carrier does without a message, such as closing a stream to cancel, is not a message here either.
 *
 * ```ts
 * import { connect } from "@causeway/mcp/client";
 * import { defineServer } from "@causeway/mcp/server";
 * import { recorded, wireSnapshot } from "@causeway/mcp/testing";
 * import { connectInMemory } from "@causeway/mcp/transports";
 *
 * const server = defineServer({ name: "empty", version: "1.0.0" });
 * const transport = recorded(connectInMemory(server));
 * const client = await connect(transport);
 * await client.close();
 * const text = wireSnapshot(transport.wire); // in a test: compare with a file
 * if (!text.includes('"method": "server/discover"')) throw new Error("Nothing was asked");
 * ```
 *
 * @param transport Any carrier.
 * @returns The same carrier, with `wire`.
 * @throws {TypeError} For what is not a carrier.
 */
export function recorded(transport: Transport): RecordedTransport {
  if (typeof transport?.exchange !== "function") throw new TypeError("recorded.transport: Expected a transport");
  return recordedIn(transport, createWireLog());
}

/** The same with a log that is there. */
export function recordedIn(transport: Transport, log: WireLog): RecordedTransport {
  const recording = around(transport, {
    exchange: (request, options) => recordExchange(transport, request, options, log),
    send(message, options) {
      log.add("client", message);
      return transport.send(message, options);
    },
    incoming: recordStream(() => transport.incoming[Symbol.asyncIterator](), log),
    close: () => transport.close(),
  });
  return Object.defineProperty(recording, "wire", { value: log.entries, enumerable: true }) as RecordedTransport;
}

function recordExchange(
  transport: Transport,
  request: JsonRpcRequest,
  options: ExchangeOptions,
  log: WireLog,
): AsyncIterable<JsonRpcMessage> {
  return recordStream(() => {
    log.add("client", request);
    return transport.exchange(request, options)[Symbol.asyncIterator]();
  }, log);
}

/** Carriers send a request when its answer is first read, so the iterator is asked for only then. */
function recordStream(open: () => AsyncIterator<JsonRpcMessage>, log: WireLog): AsyncIterable<JsonRpcMessage> {
  let source: AsyncIterator<JsonRpcMessage> | undefined;
  let left = false;
  const iterator: AsyncIterableIterator<JsonRpcMessage, undefined> = {
    async next() {
      if (left) return { done: true, value: undefined };
      source ??= open();
      const step = await source.next();
      if (step.done === true) return { done: true, value: undefined };
      log.add("server", step.value);
      return step;
    },
    async return() {
      left = true;
      await source?.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}
