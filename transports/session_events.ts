/** The events that one session keeps, so that its client may take up a stream again. */
import type { ResolvedLimits } from "../protocol/limits.ts";
import { reportTo } from "./report.ts";
import type { EventStore, StoredEvent } from "./session_stores.ts";

/** What the events of a session need. */
export interface SessionEventsOptions {
  /** Where they are kept. */
  readonly store: EventStore;
  /** The key of the session. */
  readonly session: string;
  /** `sessionEvents`, `sessionEventBytes`, and `sessionIdle` for the time that an event is kept. */
  readonly limits: ResolvedLimits;
  /** Told what the store throws; an event that is not kept can not be replayed, which is all. */
  readonly onError: (error: unknown) => void;
}

interface Kept {
  readonly stream: string;
  readonly sequence: number;
  readonly bytes: number;
}

/** The events of one session, bounded in number and bytes over all of its streams; the oldest go first. */
export class SessionEvents {
  readonly #options: SessionEventsOptions;
  readonly #encoder = new TextEncoder();
  #kept: Kept[] = [];
  #bytes = 0;

  /** Begins without events. */
  constructor(options: SessionEventsOptions) {
    this.#options = options;
  }

  /** Keeps an event. One that is larger than all may be together is not kept. */
  async append(stream: string, event: StoredEvent): Promise<void> {
    const { store, session, limits, onError } = this.#options;
    const bytes = this.#encoder.encode(event.text).length;
    if (bytes > limits.sessionEventBytes) return;
    const gone: Kept[] = [];
    this.#kept.push({ stream, sequence: event.sequence, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > limits.sessionEvents || this.#bytes > limits.sessionEventBytes) {
      const oldest = this.#kept.shift() as Kept;
      this.#bytes -= oldest.bytes;
      gone.push(oldest);
    }
    try {
      await store.append({ session, stream }, event, limits.sessionIdle);
      for (const old of gone) await store.remove({ session, stream: old.stream }, old.sequence);
    } catch (error) {
      reportTo(onError, error);
    }
  }

  /** What is kept of a stream from a place on; nothing when the store fails. */
  async read(stream: string, from: number): Promise<readonly StoredEvent[]> {
    const { store, session, onError } = this.#options;
    try {
      return await store.read({ session, stream }, from);
    } catch (error) {
      reportTo(onError, error);
      return [];
    }
  }

  /** Forgets what this process has kept. */
  async clear(): Promise<void> {
    const { store, session, onError } = this.#options;
    const kept = this.#kept;
    this.#kept = [];
    this.#bytes = 0;
    try {
      for (const { stream, sequence } of kept) await store.remove({ session, stream }, sequence);
    } catch (error) {
      reportTo(onError, error);
    }
  }
}
