/** stdio without a process: two pipes of bytes, and what passes through them. */
import { createLineReader } from "../protocol/framing/lines.ts";
import { resolveLimits } from "../protocol/limits.ts";
import type { ByteChannel } from "../transports/transport.ts";
import type { WireEntry, WireLog } from "./wire_log.ts";

/** Two channels of bytes, each the other end of the other one. */
export interface LocalPipe {
  /** The client's end. */
  readonly client: ByteChannel;
  /** The server's end. */
  readonly server: ByteChannel;
}

/** Makes two pipes, and keeps the messages that pass. */
export function localPipe(log: WireLog): LocalPipe {
  const up = tapped("client", log);
  const down = tapped("server", log);
  return {
    client: { readable: down.readable, writable: up.writable },
    server: { readable: up.readable, writable: down.writable },
  };
}

function tapped(from: WireEntry["from"], log: WireLog): TransformStream<Uint8Array, Uint8Array> {
  const reader = createLineReader({
    maxBytes: resolveLimits(undefined).frame,
    onLine: (text) => log.addText(from, text),
    onOverlong: () => undefined,
    onInvalidUtf8: () => undefined,
  });
  return new TransformStream({
    transform(chunk, controller) {
      reader.push(chunk);
      controller.enqueue(chunk);
    },
    flush: () => reader.end(),
  });
}
