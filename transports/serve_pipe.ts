/** Serves newline-framed JSON-RPC over a pipe of bytes. */
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { readLines } from "./line_reader.ts";
import { createLineWriter } from "./line_writer.ts";
import { reportTo } from "../protocol/report_to.ts";
import { servePeer } from "./serve_peer.ts";
import type { ServeOptions } from "./serve_peer.ts";
import type { MessageHandler } from "./transport.ts";
import { endsWithin } from "./ends_within.ts";

/**
 * Serves lines over a pipe until its reading side ends. A message whose line has no other end than that is still answered, within
 * `stopGrace` milliseconds.
 */
export async function servePipe(handler: MessageHandler, pipe: BytePipe, options: ServeOptions<ResolvedLimits>): Promise<void> {
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
      onMessage(message, last) {
        const answered = served.receive(message);
        // The end of the input would cancel the call whose line it ends.
        if (last && answered !== undefined) return endsWithin(answered, limits.stopGrace);
        return served.held === undefined ? writer.drained() : served.held.then(() => writer.drained());
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
