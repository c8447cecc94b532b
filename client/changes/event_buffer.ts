/** Change events that wait for their reader: bounded, and drops are reported. */
import type { ChangeEvent } from "./subscription_types.ts";

/** How events are kept. */
export interface EventBufferOptions {
  /** Events that wait at most. */
  readonly capacity: number;
  /** Which event goes when there are more. */
  readonly overflow: "drop_oldest" | "drop_newest" | "close";
  /** Identical events that wait are merged. */
  readonly coalesce: boolean;
}

/** A bounded queue of change events. */
export class EventBuffer {
  readonly #options: EventBufferOptions;
  #events: ChangeEvent[] = [];
  #head = 0;
  /** Events that wait, notes about drops not counted. */
  #size = 0;
  /** Keys of the events that wait. */
  readonly #keys = new Set<string>();
  /** Drops of the oldest events, reported before the rest. */
  #droppedFirst = 0;

  /** Holds nothing yet. */
  constructor(options: EventBufferOptions) {
    this.#options = options;
  }

  /**
   * Takes an event.
   *
   * @returns False when the buffer is full and `overflow` says that the stream is closed then.
   */
  push(event: ChangeEvent): boolean {
    const { capacity, overflow, coalesce } = this.#options;
    const key = coalesce ? keyOf(event) : undefined;
    if (key !== undefined && this.#keys.has(key)) return true;
    if (this.#size >= capacity) {
      if (overflow === "close") return false;
      if (overflow === "drop_newest") {
        this.#noteDrop();
        return true;
      }
      this.#take();
      this.#droppedFirst++;
    }
    if (key !== undefined) this.#keys.add(key);
    this.#events.push(event);
    this.#size++;
    return true;
  }

  /** The next event, or undefined. */
  shift(): ChangeEvent | undefined {
    if (this.#droppedFirst > 0) {
      const count = this.#droppedFirst;
      this.#droppedFirst = 0;
      return { type: "dropped", count };
    }
    return this.#take();
  }

  /** A note after the events that were there at the drop. */
  #noteDrop(): void {
    const last = this.#events.at(-1);
    if (last?.type === "dropped") this.#events[this.#events.length - 1] = { type: "dropped", count: last.count + 1 };
    else this.#events.push({ type: "dropped", count: 1 });
  }

  #take(): ChangeEvent | undefined {
    const event = this.#events[this.#head];
    if (event === undefined) return undefined;
    this.#head++;
    // Moves what is left only once half of the array is free, so that taking stays linear.
    if (this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
    if (event.type === "dropped") return event;
    this.#size--;
    if (this.#options.coalesce) this.#keys.delete(keyOf(event));
    return event;
  }
}

function keyOf(event: ChangeEvent): string {
  switch (event.type) {
    case "resourceUpdated":
      return `resourceUpdated ${event.uri}`;
    case "notification":
      return JSON.stringify([event.method, event.params]);
    default:
      return event.type;
  }
}
