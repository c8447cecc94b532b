/** The client's end of a channel that carries messages as values: a worker's port, a socket of frames, a test. */
import { TransportError } from "../protocol/errors.ts";
import { readMessage } from "../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { Channel, Transport } from "./transport.ts";
import { openWriter } from "./channel_writer.ts";
import { createPeer } from "./peer.ts";
import { answeredId } from "./read_fault.ts";
import { reportTo } from "../protocol/report_to.ts";
import { endsWithin } from "./ends_within.ts";

type Limits = Pick<ResolvedLimits, "subscriptionBuffer" | "stopGrace" | "stalledReader">;

/** Speaks to a server over a channel of messages. */
export function connectMessages(channel: Channel, limits: Limits, onError?: (error: unknown) => void): Transport {
  const reader = channel.readable.getReader();
  const writer = openWriter(channel, limits);
  const close = async (): Promise<void> => {
    await writer.close();
    await endsWithin(reader.cancel().catch(() => undefined), limits.stopGrace);
  };
  const peer = createPeer({ send: writer.send, close }, { limits, onError });
  const end = (cause?: unknown): void => {
    peer.end(new TransportError("closed", "Reading from the server: the channel was closed", { cause }));
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
      const fault = new TransportError("not_mcp", `Reading a message of the server: ${read.error.message}`);
      const id = answeredId(read);
      if (id === undefined || !peer.refuse(id, fault)) reportTo(onError, fault);
      await peer.receiveBroken(read);
    }
  })().then(() => end(), end);
  return peer;
}
