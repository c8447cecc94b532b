/** Reads a stream that another instance writes, from the events that both share. */
import { encodeEvent } from "../../protocol/framing/sse.ts";
import { STREAM_LOOK, STREAM_RETRY } from "../../protocol/limits.ts";
import { ReaderQueue } from "../reader_queue.ts";
import type { SessionEvents } from "./session_events.ts";
import type { Session } from "../transport.ts";

/** What is followed, and for how long. */
export interface FollowStreamOptions {
  /** The stream. */
  readonly id: string;
  /** The place of the last event that the client has. */
  readonly after: number;
  /** Its end ends the reading. */
  readonly session: Session;
  /** Milliseconds after which the client is told to come back; 0 means never. */
  readonly age: number;
  /** Told of the reader's coming and going. */
  readonly onReader: (change: 1 | -1) => void;
}

/** A stream that is followed. */
export interface Follower {
  /** What its reader gets. */
  readonly queue: ReaderQueue<string>;
  /** Sends the reader away; a second call does nothing. */
  stop(): void;
}

/** Gives what is kept of a stream, and looks for more until its response is there. */
export function followStream(events: SessionEvents, options: FollowStreamOptions): Follower {
  const { id, age, onReader } = options;
  const until = age > 0 ? Date.now() + age : Infinity;
  let next = options.after + 1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    clearTimeout(timer);
    leaveSession();
    onReader(-1);
    queue.end();
  };
  const queue = new ReaderQueue<string>([], stop);
  const leaveSession = options.session.onEnd(stop);
  const look = async (): Promise<void> => {
    for (const { sequence, text } of await events.read(id, next)) {
      if (stopped) return;
      // Notifications may be missing, which are not kept for as long as the rest.
      next = sequence + 1;
      await queue.push(encodeEvent(text, { id: `${id}-${sequence}` }));
      if (isResponseText(text)) return stop();
    }
    if (stopped) return;
    if (Date.now() < until) {
      timer = setTimeout(run, STREAM_LOOK);
      return;
    }
    queue.push(`retry: ${STREAM_RETRY}\n\n`);
    stop();
  };
  // What others have put into the store may be no message; that ends the reading, not the process.
  const run = (): void => void look().catch(stop);
  onReader(1);
  run();
  return { queue, stop };
}

function isResponseText(text: string): boolean {
  return text !== "" && !("method" in (JSON.parse(text) as object));
}
