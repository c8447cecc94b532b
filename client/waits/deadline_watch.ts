/** Deadlines of everything that waits, over one timer. */
import { LONGEST_TIMER } from "../../protocol/limits.ts";

/** Something that has to end in time. */
export interface Deadline {
  /** When its time is over, on the clock of `performance.now()`. It may be moved to a later time while it is watched. */
  due: number;
  /** Its time is over; it is no longer watched. */
  onDue(): void;
  /** The time stood still for this many milliseconds; `due` was moved already, and whatever else it counts by should move too. */
  onHeld?(milliseconds: number): void;
  /** Ends it early, with an error; does nothing once it is over. */
  fail(error: unknown): void;
}

/** How many turns of the microtask queue an empty watch keeps its timer, so that one call after the other needs no new one. */
const LINGER = 16;
/** Awaiting it costs less than a turn through `queueMicrotask`. */
const DONE: Promise<void> = Promise.resolve();

/**
 * Watches deadlines. There is one timer for all of them, and none once nothing waits: setting and clearing one per call
 * would take longer than a call within the process.
 */
export class DeadlineWatch {
  /** For how many milliseconds the time has stood still, in all. */
  heldFor = 0;
  /** Set once everything was ended for good, with the error that ended it. */
  ended: { readonly error: unknown } | undefined;
  readonly #waiting = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesAt = Infinity;
  #lingering = false;
  #holds = 0;
  #heldSince = 0;

  /**
   * Stops the clock until the returned function is called, or for at most `most` milliseconds: a person may take longer to allow
   * a call than the server may take to answer it.
   */
  hold(most: number): () => void {
    if (this.#holds++ === 0) this.#heldSince = performance.now();
    const lapse = setTimeout(() => release(), Math.min(most, LONGEST_TIMER));
    let held = true;
    const release = (): void => {
      clearTimeout(lapse);
      if (!held) return;
      held = false;
      if (--this.#holds === 0) this.#goOn(performance.now() - this.#heldSince);
    };
    return release;
  }

  /** Ends everything that is watched, for good. */
  failAll(error: unknown): void {
    this.ended = { error };
    for (const deadline of [...this.#waiting]) deadline.fail(error);
    this.stop();
  }

  /** Begins to watch. */
  add(deadline: Deadline): void {
    this.#waiting.add(deadline);
    if (deadline.due < this.#wakesAt) this.#arm(deadline.due);
  }

  /** Watches no longer. */
  delete(deadline: Deadline): void {
    this.#waiting.delete(deadline);
    if (this.#waiting.size > 0 || this.#lingering || this.#timer === undefined) return;
    this.#lingering = true;
    void this.#linger();
  }

  /** An empty watch drops its timer at once. */
  stop(): void {
    if (this.#waiting.size === 0) this.#disarm();
  }

  async #linger(): Promise<void> {
    for (let turn = 0; turn < LINGER && this.#waiting.size === 0; turn++) await DONE;
    this.#lingering = false;
    this.stop();
  }

  #arm(due: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = due;
    const delay = Math.min(Math.max(Math.ceil(due - performance.now()), 0), LONGEST_TIMER);
    this.#timer = setTimeout(() => this.#wake(), delay);
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wakesAt = Infinity;
  }

  /** Whatever waits, even what began to wait meanwhile, gets the time back. */
  #goOn(held: number): void {
    this.#disarm();
    this.heldFor += held;
    for (const deadline of this.#waiting) {
      deadline.due += held;
      deadline.onHeld?.(held);
    }
    this.#wake();
  }

  #wake(): void {
    this.#disarm();
    if (this.#holds > 0) return;
    const now = performance.now();
    let next = Infinity;
    const over: Deadline[] = [];
    for (const deadline of this.#waiting) {
      if (deadline.due <= now) over.push(deadline);
      else if (deadline.due < next) next = deadline.due;
    }
    for (const deadline of over.sort((a, b) => a.due - b.due)) {
      if (this.#waiting.delete(deadline)) deadline.onDue();
    }
    if (next < this.#wakesAt) this.#arm(next);
  }
}
