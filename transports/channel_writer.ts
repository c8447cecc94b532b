/** Writes messages to a channel that carries them as values. */
import { TransportError } from "../protocol/errors.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import type { Channel } from "./transport.ts";
import { endsWithin } from "./ends_within.ts";

/** Writes messages to a channel. */
export interface ChannelWriter {
  /** Writes one message. */
  send(message: JsonRpcMessage): Promise<void>;
  /** Resolves when there is room for more; rejects with "limit" when the peer takes nothing for too long. */
  ready(): Promise<void>;
  /** Ends writing, in bounded time. */
  close(): Promise<void>;
}

/** Opens the writing side of a channel. */
export function openWriter(channel: Channel, limits: Pick<ResolvedLimits, "stopGrace" | "stalledReader">): ChannelWriter {
  const writer = channel.writable.getWriter();
  // A failure is told to those that write.
  writer.closed.catch(() => undefined);
  writer.ready.catch(() => undefined);
  return {
    send: (message) =>
      writer.write(message).catch((cause) => {
        throw new TransportError("closed", "Writing a message: the channel is closed", { cause });
      }),
    async ready() {
      const limit = limits.stalledReader;
      if ((writer.desiredSize ?? 1) > 0 || await endsWithin(writer.ready, limit)) return;
      const data = { limit: "stalledReader", value: limit, seen: limit };
      throw new TransportError("limit", `Writing to the peer: it took nothing for ${limit} ms (limit stalledReader)`, { data });
    },
    async close() {
      if (await endsWithin(writer.close().catch(() => undefined), limits.stopGrace)) return;
      writer.abort().catch(() => undefined);
    },
  };
}
