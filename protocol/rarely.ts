/** Reports of one fault after the other that are of the same kind, without a report for each. */

/** How many faults are reported one by one. */
const EACH = 16;

/** Counts a fault, and reports it if it is its turn; `soFar` ends its sentence: how many there were, once not each is reported. */
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
