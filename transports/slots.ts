/** Places for what may run at the same time. */

/** So many at once; whoever comes later waits, in the order of coming. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** All places are free. */
  constructor(places: number) {
    this.#free = places;
  }

  /**
   * Takes a place, when there is one.
   *
   * @param signal Ends the wait.
   * @returns Gives the place back; a second call does nothing.
   * @throws The reason of the signal.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const [next] = this.#waiting;
      if (next === undefined) this.#free++;
      else next();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(enter);
        signal.removeEventListener("abort", onAbort);
      };
      const enter = (): void => {
        leave();
        resolve();
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason);
      };
      this.#waiting.add(enter);
      signal.addEventListener("abort", onAbort);
    });
  }
}
