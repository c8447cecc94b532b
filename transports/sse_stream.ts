/** Server-sent events of a web stream. */
import { TransportError } from "../protocol/errors.ts";
import type { StreamEvent } from "../protocol/framing/sse.ts";
import { createEventReader } from "../protocol/framing/sse_reader.ts";

/** Options of {@linkcode readEvents}. */
export interface ReadEventsOptions {
  /** Bytes of one event: the limit `sseEvent`. */
  readonly maxBytes: number;
  /** Takes the milliseconds after which the sender wants the reader to come back. */
  readonly onRetry?: ((milliseconds: number) => void) | undefined;
  /** Ends the reading, as if the body had ended: an aborted fetch does not always end a read that waits. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the events of a body. Comments are passed over, an unfinished event at the end is dropped. Ending the iteration
 * early cancels the body.
 *
 * @param body A body of type `text/event-stream`.
 * @param options The bound of one event, who takes `retry`, and a signal.
 * @throws {TransportError} "limit" for an event that is too large, after the events before it.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  options: ReadEventsOptions,
): AsyncGenerator<StreamEvent, undefined> {
  let found: StreamEvent[] = [];
  let overlong = false;
  const parser = createEventReader({
    maxBytes: options.maxBytes,
    onEvent: (event) => found.push(event),
    onRetry: options.onRetry,
    onOverlong: () => overlong = true,
  });
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  options.signal?.addEventListener("abort", cancel);
  try {
    if (options.signal?.aborted === true) return undefined;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      parser.push(value);
      const events = found;
      found = [];
      yield* events;
      if (overlong) throw tooLarge(options.maxBytes);
    }
  } finally {
    parser.end();
    options.signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

function tooLarge(limit: number): TransportError {
  const data = { limit: "sseEvent", value: limit, seen: limit + 1 };
  return new TransportError("limit", `Reading an event: it is longer than ${limit} bytes (limit sseEvent)`, { data });
}
