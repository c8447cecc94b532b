/** Reports that one fault after the other is of the same kind, without a report for each. */
import { reportTo } from "./report.ts";

/** So many faults are told of one by one. */
const EACH = 16;

/** Tells a listener of the first faults of a kind, and then each time that their number has doubled. */
export class RareReport {
  readonly #onError: ((error: unknown) => void) | undefined;
  #count = 0;
  #next = EACH;

  /** Nothing has happened yet. */
  constructor(onError: ((error: unknown) => void) | undefined) {
    this.#onError = onError;
  }

  /**
   * Counts a fault, and tells of it if it is its turn.
   *
   * @param fault Makes the error; `soFar` is the end of its sentence, which says how many there were when not each is told.
   */
  tell(fault: (soFar: string) => unknown): void {
    const count = ++this.#count;
    if (count > EACH && count < this.#next) return;
    if (count === this.#next) this.#next *= 2;
    reportTo(this.#onError, fault(count <= EACH ? "" : ` (${count} of them so far)`));
  }
}
