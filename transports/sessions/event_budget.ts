/** Bounds what is kept of streams: how many events, and how many bytes they have together. */

/** An event that is kept. */
export interface KeptEvent {
  /** The key of its session. */
  readonly session: string;
  /** Its stream. */
  readonly stream: string;
  /** Its place in the stream. */
  readonly sequence: number;
  /** Bytes of its text. */
  readonly bytes: number;
}

/** Counts events that are kept; the oldest go first. */
export class EventBudget {
  readonly #events: number;
  readonly #bytes: number;
  readonly #kept = new Set<KeptEvent>();
  #sum = 0;

  /** Takes the number of events, and of their bytes, that are allowed. */
  constructor(events: number, bytes: number) {
    this.#events = events;
    this.#bytes = bytes;
  }

  /** How many events are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** Adds an event. Returns those that have to go for it: the event itself where it is larger than all may be together. */
  add(event: KeptEvent): KeptEvent[] {
    if (event.bytes > this.#bytes) return [event];
    const gone: KeptEvent[] = [];
    this.#kept.add(event);
    this.#sum += event.bytes;
    for (const oldest of this.#kept) {
      if (this.#kept.size <= this.#events && this.#sum <= this.#bytes) break;
      this.delete(oldest);
      gone.push(oldest);
    }
    return gone;
  }

  /** Takes an event out. */
  delete(event: KeptEvent): void {
    if (this.#kept.delete(event)) this.#sum -= event.bytes;
  }

  /** Takes all events out, and gives them. */
  clear(): KeptEvent[] {
    const all = [...this.#kept];
    this.#kept.clear();
    this.#sum = 0;
    return all;
  }
}
