/** The answers of a server that are streams: what writes them is loaded by the first one, since many servers never give one. */
import type { ResolvedLimits } from "../protocol/limits.ts";
import { onDemand } from "../protocol/on_demand.ts";
import type { JsonRpcMessage, RequestId } from "../protocol/types.ts";
import type { HttpExchange } from "./http_exchange.ts";
import { failure } from "./http_response.ts";
import type { SseResponses } from "./sse_response.ts";

/** Answers with streams. */
export interface Streams {
  /**
   * Answers a request with a stream of messages, as `SseResponses` does; at once when that is loaded. When it cannot be loaded,
   * the answer is given up, and the status is 500.
   */
  open(
    id: RequestId,
    messages: AsyncIterable<JsonRpcMessage>,
    exchange: HttpExchange,
    until?: number,
  ): Response | Promise<Response>;
}

/**
 * Makes the streams of a server. When the load fails, the next one loads again.
 *
 * @param limits The bounds of events and the times of streams.
 * @param onError Told why what writes them could not be loaded.
 * @param load Loads it.
 */
export function streamsOnDemand(
  limits: ResolvedLimits,
  onError: ((error: unknown) => void) | undefined,
  load: () => Promise<SseResponses> = () => loadStreams(limits),
): Streams {
  const streams = onDemand(load);
  return {
    open: (id, messages, exchange, until) =>
      streams.loaded?.open(messages, exchange, until) ??
        streams.load().then((loaded) => loaded.open(messages, exchange, until), (error) => {
          exchange.disconnect();
          messages[Symbol.asyncIterator]().return?.().catch(() => undefined);
          onError?.(error);
          return failure(id, limits);
        }),
  };
}

async function loadStreams(limits: ResolvedLimits): Promise<SseResponses> {
  const { SseResponses } = await import("./sse_response.ts");
  return new SseResponses(limits);
}
