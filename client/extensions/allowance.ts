/** So many things per second, and as many at once. */

/** Says whether one more thing may be done now. */
export class Allowance {
  readonly #perSecond: number;
  #left: number;
  #counted: number;

  /** Begins with the things of one second. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
    this.#counted = performance.now();
  }

  /** Takes one, if there is one. */
  take(): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#perSecond, this.#left + (now - this.#counted) * this.#perSecond / 1000);
    this.#counted = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
