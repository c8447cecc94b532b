/** How many handlers run at once, and how many calls wait for one. */

/** Counts handlers; callers give back what they took exactly once. */
export class Admission {
  readonly #slots: number;
  readonly #places: number;
  #taken = 0;
  #given = 0;
  #giving = false;
  readonly #waiting = new Set<() => void>();
  readonly #returning = new Set<() => void>();
  /** Called when a place is free for whoever had to be let in beyond them. */
  #held: (() => void)[] = [];

  /**
   * Makes an admission with every slot free.
   *
   * @param slots Handlers at once (limit `handlers`).
   * @param places Calls that wait for one (limit `handlerQueue`).
   */
  constructor(slots: number, places: number) {
    this.#slots = slots;
    this.#places = places;
  }

  /** Takes a slot; false when all are taken. */
  take(): boolean {
    if (this.#taken >= this.#slots) return false;
    this.#taken++;
    return true;
  }

  /**
   * Gives a slot back; the handler that waits longest to go on gets it, then the call that waits longest to begin. A call that
   * has ended before this returns gives its slot back in turn, not from within: a long queue would overflow the stack.
   */
  give(): void {
    this.#given++;
    if (this.#giving) return;
    this.#giving = true;
    try {
      for (; this.#given > 0; this.#handOver()) this.#given--;
    } finally {
      this.#giving = false;
    }
  }

  /**
   * Waits for a slot: `start` is called once one was taken for the caller. Where too many wait already, undefined, or with `hold`
   * one more waits, and whoever brings calls has to stop until what `hold` is given is over.
   */
  wait(start: () => void, hold?: (room: Promise<void>) => void): (() => void) | undefined {
    if (this.#waiting.size >= this.#places) {
      if (hold === undefined) return undefined;
      hold(new Promise((resolve) => this.#held.push(resolve)));
    }
    this.#waiting.add(start);
    return () => {
      this.#waiting.delete(start);
      this.#release();
    };
  }

  /** Waits to go on, ahead of all that wait to begin: `start` is called once a slot was taken for the caller. */
  comeBack(start: () => void): () => void {
    this.#returning.add(start);
    return () => this.#returning.delete(start);
  }

  /** What a refusal says: how many run and wait, and the limits. */
  get state(): { readonly running: number; readonly waiting: number; readonly handlers: number; readonly handlerQueue: number } {
    return { running: this.#taken, waiting: this.#waiting.size, handlers: this.#slots, handlerQueue: this.#places };
  }

  #handOver(): void {
    const line = this.#returning.size > 0 ? this.#returning : this.#waiting;
    const next = line.values().next().value;
    if (next === undefined) {
      this.#taken--;
      return;
    }
    line.delete(next);
    this.#release();
    next();
  }

  #release(): void {
    if (this.#held.length === 0 || this.#waiting.size > this.#places) return;
    for (const release of this.#held.splice(0)) release();
  }
}
