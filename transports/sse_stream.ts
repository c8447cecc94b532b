/** Server-sent events of a web stream. */
import { TransportError } from "../protocol/errors.ts";
import { createEventReader } from "../protocol/framing/sse.ts";
import type { StreamEvent } from "../protocol/framing/sse.ts";

/** Options of {@linkcode readEvents}. */
export interface ReadEventsOptions {
  /** Bytes of one event: the limit `sseEvent`. */
  readonly maxBytes: number;
}

/**
 * Reads the events of a body. Comments are passed over, an unfinished event at the end is dropped. Ending the iteration
 * early cancels the body.
 *
 * @param body A body of type `text/event-stream`.
 * @param options The bound of one event.
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
    onOverlong: () => overlong = true,
  });
  const reader = body.getReader();
  try {
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
    reader.cancel().catch(() => undefined);
  }
}

function tooLarge(limit: number): TransportError {
  const data = { limit: "sseEvent", value: limit, seen: limit + 1 };
  return new TransportError("limit", `Read an event: it is longer than ${limit} bytes (limit sseEvent)`, { data });
}
