/** Reads the event stream that answers a POST, and takes it up again where it breaks off. */
import type { StreamEvent } from "../protocol/framing/sse.ts";
import { TransportError } from "../protocol/errors.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { Opening } from "./open_stream.ts";
import { pause } from "./pause.ts";
import { readEvents } from "./sse_stream.ts";
import type { StreamCursor } from "./stream_cursor.ts";

/** Options of {@linkcode readResumable}. */
export interface ReadResumableOptions {
  /** The endpoint, for errors. */
  readonly where: string;
  /** The stream as it began. */
  readonly body: ReadableStream<Uint8Array>;
  /** Where the reading stands; whoever takes an event moves it on. */
  readonly cursor: StreamCursor;
  /** The bound of one event. */
  readonly limits: Pick<ResolvedLimits, "sseEvent">;
  /** Ends the reading, and waits between attempts. */
  readonly signal: AbortSignal;
  /** Whether everything that is wanted has been read. */
  readonly finished: () => boolean;
  /** Asks for what comes after an event. Absent: the stream is not taken up again. */
  readonly takeUp?: ((lastEventId: string) => Promise<Opening>) | undefined;
  /** Was the request made in a session? A 404 then means that the session is gone. */
  readonly inSession: boolean;
}

/**
 * Reads the events of a stream over as many connections as it takes (MCP 2025-11-25, Streamable HTTP § Resumability and
 * Redelivery). It ends by itself only when it is finished.
 *
 * @throws {TransportError} "closed" when it breaks off and cannot be taken up, "limit" for an event that is too large,
 * "session_lost" with `{ status, ran: true }` when the session is gone.
 * @throws {AuthorizationError} When the server wants another authorization for the rest.
 */
export async function* readResumable(options: ReadResumableOptions): AsyncGenerator<StreamEvent, undefined> {
  const { cursor, limits, signal } = options;
  const attempt = `Reading the answer of ${options.where}`;
  let body: ReadableStream<Uint8Array> | undefined = options.body;
  cursor.opened();
  while (body !== undefined) {
    const events = readEvents(body, { maxBytes: limits.sseEvent, onRetry: cursor.onRetry, signal });
    let fault: TransportError | undefined;
    try {
      while (fault === undefined) {
        try {
          const step = await events.next();
          if (step.done !== true) yield step.value;
          else fault = new TransportError("closed", `${attempt}: the stream ended without a response`);
        } catch (cause) {
          if (cause instanceof TransportError) throw cause;
          fault = new TransportError("closed", `${attempt}: the stream broke off`, { cause });
        }
      }
    } finally {
      // Not waited for: when the peer is silent it only ends together with the fetch.
      events.return(undefined).catch(() => undefined);
    }
    body = options.finished() ? undefined : await takeUpAgain(options, fault);
  }
  return undefined;
}

async function takeUpAgain(options: ReadResumableOptions, fault: TransportError): Promise<ReadableStream<Uint8Array>> {
  const { where, cursor, signal, takeUp, inSession } = options;
  let last: unknown = fault.cause;
  for (;;) {
    const { lastEventId } = cursor;
    if (takeUp === undefined || lastEventId === undefined) throw fault;
    const delay = cursor.delay();
    if (delay === undefined) {
      const found = `${fault.message}, and ${cursor.attempts} attempts to take it up again brought no message`;
      throw new TransportError("closed", `${found} (limit streamRetries)`, { cause: last });
    }
    await pause(delay, signal);
    signal.throwIfAborted();
    const opening = await takeUp(lastEventId);
    if (opening.type === "stream") {
      cursor.opened();
      return opening.body;
    }
    if (opening.type === "refusal") throw refused(where, opening.status, opening.error, inSession);
    last = opening.error;
    cursor.failed();
  }
}

function refused(where: string, status: number, cause: unknown, inSession: boolean): unknown {
  if (cause instanceof Error && "kind" in cause && cause.kind === "authorization") return cause;
  const attempt = `GET ${where}: the stream of an answer cannot be taken up again`;
  if (status === 404 && inSession) {
    const data = { status, ran: true };
    return new TransportError("session_lost", `${attempt}: the server does not know the session any more (status 404)`, {
      cause,
      data,
    });
  }
  return new TransportError("closed", `${attempt}: the server refuses (status ${status})`, { cause, data: { status } });
}
