/** Server-sent events, read: bytes in, events out, within a bound (WHATWG HTML § 9.2). */
import { createParser } from "eventsource-parser";
import type { StreamEvent } from "./sse.ts";
import { createUtf8Reader } from "../utf8_reader.ts";

/** What an event reader does with what it finds. The functions must not throw. */
export interface EventReaderOptions {
  /** Bytes of one event, with its field names. */
  readonly maxBytes: number;
  /** Takes an event. */
  readonly onEvent: (event: StreamEvent) => void;
  /** Takes the milliseconds after which the sender wants the reader to come back. */
  readonly onRetry?: ((ms: number) => void) | undefined;
  /** Is told of a comment line. */
  readonly onComment?: (() => void) | undefined;
  /** Is told, once, of an event that is too long; nothing after it is read. */
  readonly onOverlong: () => void;
}

/** A reader that is fed. */
export interface EventReader {
  /** Takes the next bytes, cut anywhere; they are not kept beyond the call. */
  push(chunk: Uint8Array): void;
  /** Says that no more bytes come; an unfinished event is dropped. */
  end(): void;
}

/**
 * Creates a reader of events. CR, LF and CR LF end a line, wherever the bytes are cut; memory stays near `maxBytes` beyond
 * the chunk at hand, and work is linear in the bytes.
 *
 * @param options The bound, and what is done with events.
 * @returns The reader.
 */
export function createEventReader(options: EventReaderOptions): EventReader {
  const { maxBytes, onEvent, onRetry, onComment, onOverlong } = options;
  // HTML § 9.2.5 decodes streams with replacement: ids, types and comments stay readable, and one broken event does not end the
  // stream. What an event carries is JSON, though, which is UTF-8 or no JSON at all (RFC 8259 § 8.1): it is marked.
  const utf8 = createUtf8Reader(true);
  const oneLineEnd = createLineEnds();
  const encoder = new TextEncoder();
  let ended = false;
  let pendingBytes = 0;
  let afterLineEnd = true;

  const stop = (): void => {
    if (ended) return;
    ended = true;
    parser.reset();
    onOverlong();
  };
  const parser = createParser({
    onEvent({ event, id, data }) {
      if (ended) return;
      if (data.length > maxBytes || (data.length * 3 > maxBytes && encoder.encode(data).length > maxBytes)) return stop();
      onEvent(plainEvent(event, id, data));
    },
    onRetry(ms) {
      if (!ended && Number.isSafeInteger(ms)) onRetry?.(ms);
    },
    onComment(comment) {
      pendingBytes = Math.max(0, pendingBytes - encoder.encode(comment).length);
      if (!ended) onComment?.();
    },
    onError({ type }) {
      if (type === "max-buffer-size-exceeded") stop();
    },
    maxBufferSize: maxBytes,
  });
  /** Counts the bytes since the last blank line; comments belong to no event. */
  const feed = (text: string, bytes: number): void => {
    const blank = text.lastIndexOf("\n\n");
    const next = blank >= 0 ? blank + 2 : afterLineEnd && text.startsWith("\n") ? 1 : -1;
    pendingBytes = next < 0 ? pendingBytes + bytes : encoder.encode(text.slice(next)).length;
    if (text !== "") afterLineEnd = text.endsWith("\n");
    parser.feed(text);
    if (pendingBytes > maxBytes) stop();
  };

  return {
    push(chunk: Uint8Array): void {
      if (!ended) feed(oneLineEnd(utf8.push(chunk)), chunk.length);
    },
    end(): void {
      // HTML § 9.2.6: an event that is not followed by a blank line is not dispatched.
      ended = true;
      parser.reset();
    },
  };
}

/**
 * Writes every line end as LF, at once: the parser would wait for what follows a CR, and is linear only without any.
 */
function createLineEnds(): (text: string) => string {
  let afterCr = false;
  return (text) => {
    const rest = afterCr && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") afterCr = text.endsWith("\r");
    return rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest;
  };
}

/** An event that has no more members than it needs. */
function plainEvent(event: string | undefined, id: string | undefined, data: string): StreamEvent {
  return {
    ...(event === undefined ? {} : { event: event.toWellFormed() }),
    ...(id === undefined ? {} : { id: id.toWellFormed() }),
    data: data.toWellFormed(),
    ...(data.isWellFormed() ? {} : { damaged: true }),
  };
}
