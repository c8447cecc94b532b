/** Reports of one fault after the other that are of the same kind, without a report for each. */

/** So many faults are told of one by one. */
const EACH = 16;

/** Counts a fault and tells of it if it is its turn; `soFar` is the end of its sentence: how many there were, if not each is told. */
export type Rarely = (fault: (soFar: string) => unknown) => void;

/**
 * Makes a report that tells of the first faults of a kind, and then each time that their number has doubled.
 *
 * @param tell Takes the faults that are told of.
 */
export function rarely(tell: (fault: unknown) => void): Rarely {
  let count = 0;
  let next = EACH;
  return (fault) => {
    count++;
    if (count > EACH && count < next) return;
    if (count === next) next *= 2;
    tell(fault(count <= EACH ? "" : ` (${count} of them so far)`));
  };
}
