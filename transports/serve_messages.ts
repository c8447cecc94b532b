/** The server's end of a channel that carries messages as values: a worker's port, a socket of frames, a test. */
import { readMessage } from "../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { openWriter } from "./channel_writer.ts";
import { reportTo } from "../protocol/report_to.ts";
import { servePeer } from "./serve_peer.ts";
import type { ServeOptions } from "./serve_peer.ts";
import type { Channel, MessageHandler } from "./transport.ts";

/** Serves a channel of messages until it ends. */
export async function serveMessages(
  handler: MessageHandler,
  channel: Channel,
  options: ServeOptions<Pick<ResolvedLimits, "stopGrace" | "stalledReader">>,
): Promise<void> {
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
      await served.held;
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
